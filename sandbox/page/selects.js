// Selects in messages, of texts and of members, roles and channels. One choice is sent as soon as it is made; several are ticked first and then submitted.
// What was chosen stays on show for the member who chose it, as in Discord's client.

import { actState, select } from "./acts.js";
import { dots, h, icon } from "./dom.js";
import { optionsOf } from "./entities.js";
import { drawOptionWords, emojiText } from "./media.js";
import { changed, state } from "./state.js";
import { word } from "./words.js";

// By member, message and custom_id: {open, ticked: Set of values}.
const held = new Map();

/** Draw a select with its list, if that is open. */
export function drawSelect(component, message) {
  const own = stateOf(component, message);
  const pending = actState(message, component.custom_id) === "pending";
  const id = `select-${message.id}-${component.id ?? component.custom_id}`;
  const options = optionsOf(component);
  const ticked = options.filter((option) => own.ticked.has(option.value));
  const chosen = ticked.map((option) => option.label).join(", ");
  const placeholder = component.placeholder ?? word("choose");
  const many = mostOf(component) > 1;
  return h(
    "div",
    { class: `select${own.open ? " open" : ""}`, onkeydown: (event) => closeOnEscape(event, own, id) },
    h(
      "button",
      {
        type: "button",
        id,
        class: `select-button${pending ? " pending" : ""}`,
        disabled: component.disabled,
        "aria-haspopup": "listbox",
        "aria-expanded": String(own.open),
        "aria-controls": own.open ? `${id}-list` : null,
        "aria-busy": pending ? "true" : null,
        "data-custom-id": component.custom_id,
        onclick: () => toggle(own, id),
      },
      h("span", { class: chosen ? null : "placeholder" }, chosen || placeholder),
      pending ? dots() : icon("down"),
    ),
    own.open && [
      h(
        "div",
        {
          id: `${id}-list`,
          class: "select-list",
          role: "listbox",
          "aria-label": placeholder,
          "aria-multiselectable": many ? "true" : null,
          onkeydown: walk,
        },
        options.map((option) => drawOption(option, component, message, own, many)),
      ),
      many && drawFoot(component, message, own, id),
    ],
  );
}

function drawOption(option, component, message, own, many) {
  const ticked = own.ticked.has(option.value);
  const full = many && !ticked && own.ticked.size >= mostOf(component);
  return h(
    "div",
    {
      class: "select-option",
      role: "option",
      tabindex: "-1",
      "aria-selected": String(ticked),
      "aria-disabled": full ? "true" : null,
      onclick: () => !full && choose(option, component, message, own, many),
    },
    many && h("span", { class: "tick", "aria-hidden": "true" }),
    option.emoji && h("span", { class: "emoji" }, emojiText(option.emoji)),
    drawOptionWords(option),
  );
}

function drawFoot(component, message, own, id) {
  const least = component.min_values ?? 1;
  return h(
    "div",
    { class: "select-foot" },
    h("small", {}, word("chooseBetween", { min: least, max: mostOf(component) })),
    h(
      "button",
      {
        type: "button",
        class: "button primary",
        disabled: own.ticked.size < least,
        onclick: () => submit(component, message, own, id),
      },
      word("submitChoices", { n: own.ticked.size }),
    ),
  );
}

function stateOf(component, message) {
  const key = `${state.member}/${message.id}/${component.custom_id}`;
  if (!held.has(key)) {
    const given = optionsOf(component).filter((option) => option.default).map((option) => option.value);
    held.set(key, { open: false, ticked: new Set(given) });
  }
  return held.get(key);
}

function mostOf(component) {
  return component.max_values ?? 1;
}

async function toggle(own, id) {
  own.open = !own.open;
  await changed();
  if (!own.open) return;
  const list = document.getElementById(`${id}-list`);
  (list.querySelector('[aria-selected="true"]') ?? list.firstElementChild)?.focus();
  list.parentElement.scrollIntoView({ block: "nearest" });
}

function choose(option, component, message, own, many) {
  if (many) {
    if (!own.ticked.delete(option.value)) own.ticked.add(option.value);
    changed();
    return;
  }
  const taken = own.ticked.has(option.value) && component.min_values === 0;
  own.ticked = new Set(taken ? [] : [option.value]);
  own.open = false;
  select(message, component.custom_id, [...own.ticked]);
}

async function submit(component, message, own, id) {
  const values = optionsOf(component).map((option) => option.value).filter((value) => own.ticked.has(value));
  own.open = false;
  select(message, component.custom_id, values);
  await changed();
  document.getElementById(id)?.focus();
}

async function closeOnEscape(event, own, id) {
  if (event.key !== "Escape" || !own.open) return;
  event.stopPropagation();
  own.open = false;
  await changed();
  document.getElementById(id).focus();
}

function walk(event) {
  const options = [...event.currentTarget.children];
  const at = options.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 };
  if (event.key in steps) {
    options[Math.min(Math.max(steps[event.key], 0), options.length - 1)].focus();
    event.preventDefault();
  } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
    options[at].click();
    event.preventDefault();
  }
}
