// Backstage, first tab: the members who play by themselves, so that one person at the screen sees a full round; and
// making more members.

import { post } from "./api.js";
import { spokenName } from "./channels.js";
import { h } from "./dom.js";
import { actor, changed, channels, currentChannel, people, state } from "./state.js";
import { write } from "./times.js";
import { word } from "./words.js";

const PACES = ["calm", "quick"];
const USUAL_COUNT = 4;
const MOST_NAMES = 12;
const NEWCOMERS = 5;

let fault = "";

/** Draw the panel. */
export function drawPlayers() {
  const others = people().length - 1;
  const { playing } = state.players;
  return [
    h("p", { role: "status", class: "standing" }, playing ? drawStanding() : word("players.nobody")),
    h(
      "form",
      { onsubmit: (event) => begin(event) },
      h(
        "label",
        { class: "field" },
        h("span", { class: "field-name" }, word("players.count")),
        h("input", {
          type: "number", name: "count", min: "1", max: String(others), required: true,
          value: String(Math.min(USUAL_COUNT, others)), inputmode: "numeric",
        }),
      ),
      h(
        "fieldset",
        { class: "field" },
        h("legend", { class: "field-name" }, word("players.pace")),
        PACES.map((pace) => drawPace(pace)),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "button primary" }, word(playing ? "players.change" : "players.start")),
        playing && h("button", { type: "button", class: "button secondary", onclick: stop }, word("players.stop")),
      ),
      h("p", { class: "failure", role: "alert" }, fault),
      h("p", { class: "note" }, word("players.note", { channel: spokenName(currentChannel()) })),
    ),
    h("h3", {}, word("players.members", { n: people().length })),
    h(
      "button",
      { type: "button", class: "button secondary", onclick: () => tell("world", { action: "create_members", guild: actor().guild.id, count: NEWCOMERS }) },
      word("players.more", { n: NEWCOMERS }),
    ),
  ];
}

function drawStanding() {
  const { members, channel, pace, until } = state.players;
  const names = people().filter((one) => members.includes(one.id)).map((one) => one.name);
  const shown = names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? " …" : "");
  const place = channels().find((one) => one.id === channel);
  const facts = [place && spokenName(place), word(`players.paces.${pace}`), word("players.until", { at: write(until, "t") })];
  return [
    h("strong", {}, word("players.playing", { n: names.length })),
    h("span", {}, shown),
    h("small", {}, facts.filter(Boolean).join(" · ")),
  ];
}

function drawPace(pace) {
  return h(
    "label",
    { class: "choice" },
    h("input", { type: "radio", name: "pace", value: pace, checked: pace === PACES[0] }),
    h("span", {}, word(`players.paces.${pace}`)),
  );
}

function begin(event) {
  event.preventDefault();
  const { count, pace } = Object.fromEntries(new FormData(event.target));
  tell("players", { action: "start", channel: state.channel, count: Number(count), pace, without: [state.member] });
}

async function stop() {
  await tell("players", { action: "stop" });
  // The button that was pressed is gone.
  document.querySelector("#panel-players [type=submit]")?.focus();
}

async function tell(path, wish) {
  try {
    const answer = await post(path, wish);
    if (path === "players") state.players = answer;
    fault = "";
  } catch (error) {
    fault = error.message;
  }
  await changed();
}
