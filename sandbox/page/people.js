// The switcher at the top: who acts in this window. Always in view, since a quiz is played here by one person in many
// parts.

import { h, icon } from "./dom.js";
import { isAdministrator, people, rolesOf, state } from "./state.js";
import { languageName, word } from "./words.js";

const TINTS = 8;

/** Draw the switcher; `choose` gets the id of the member chosen. */
export function drawPeople(choose) {
  const options = people().map((person) => drawPerson(person, choose));
  return [
    h("span", { id: "act-as", title: word("switchHint") }, word("actAs")),
    h(
      "div",
      {
        id: "member-switcher",
        role: "listbox",
        "aria-labelledby": "act-as",
        "aria-orientation": "horizontal",
        "aria-keyshortcuts": "Alt+M",
        "data-testid": "member-switcher",
        onkeydown: (event) => walk(event, choose),
      },
      options,
    ),
  ];
}

/** Draw a round picture for someone: their initial on a colour of their own. */
export function avatar(person) {
  const tint = person.bot ? "bot" : Number(BigInt(person.id) % BigInt(TINTS));
  return h("span", { class: `avatar tint-${tint}`, "aria-hidden": "true" }, [...person.name][0] ?? "?");
}

/** Find the next person in the row, or the one before. */
export function neighbour(step) {
  const all = people();
  const index = all.findIndex((person) => person.id === state.member);
  return all[(index + step + all.length) % all.length];
}

/** Bring the acting member's place in the row into view, as rows are longer than phones are wide. */
export function showActor() {
  const chosen = document.querySelector('#member-switcher [aria-selected="true"]');
  chosen?.scrollIntoView({ block: "nearest", inline: "center" });
}

function drawPerson(person, choose) {
  const chosen = person.id === state.member;
  const roles = rolesOf(person).map((role) => role.name);
  if (isAdministrator(person)) roles.push(word("administrator"));
  const plays = state.players.members.includes(person.id);
  const standing = roles.join(", ") || word("plainMember");
  return h(
    "div",
    {
      class: "person",
      role: "option",
      tabindex: chosen ? "0" : "-1",
      "aria-selected": String(chosen),
      "data-key": person.id,
      "data-member-id": person.id,
      onclick: () => choose(person.id),
    },
    avatar(person),
    h(
      "span",
      { class: "person-words" },
      h("strong", {}, person.name, plays && h("span", { class: "plays", role: "img", "aria-label": word("players.mark") }, icon("dice"))),
      " ",
      h("small", {}, `${languageName(person.locale)} · ${standing}`),
    ),
  );
}

function walk(event, choose) {
  const options = [...event.currentTarget.children];
  const at = options.indexOf(document.activeElement);
  const [next, before] = [at + 1, at - 1];
  const steps = { ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before, Home: 0, End: options.length - 1 };
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in steps) {
    options[(steps[event.key] + options.length) % options.length].focus();
    event.preventDefault();
  } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
    choose(options[at].dataset.memberId);
    event.preventDefault();
  }
}
