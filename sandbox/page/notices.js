// What the page itself has to say above the message box: what to do on a first visit, that the bot is away, that the
// connection is lost.

import { get } from "./api.js";
import { h, iconButton } from "./dom.js";
import { drawStart } from "./faults.js";
import { actor, changed, currentChannel, holdsMessages, state } from "./state.js";
import { word } from "./words.js";

const SEEN = "hint seen";
const BEGINS_WITH = "quiz start";

// The acting member's first command, as they would type it; null while unknown or if they have none of that name.
let opening = { member: null, name: null, known: false };

/** Draw the notices that hold now. */
export function drawNotices() {
  const { bot } = state.world;
  const canWrite = holdsMessages(currentChannel().type);
  return [
    !state.connected && h("p", { class: "notice warning", role: "alert" }, word("lost")),
    !bot.online && drawOffline(bot),
    bot.online && canWrite && localStorage.getItem(SEEN) === null && drawHint(),
  ];
}

function drawOffline(bot) {
  const attributes = { class: "notice warning", role: "status", "data-testid": "bot-offline" };
  const killed = state.process.state === "stopped";
  return h("div", attributes, h("p", {}, word("offlineLong", { bot: bot.name })), killed && drawStart("button secondary"));
}

// What to click on a first visit; the sentence depends on what the acting member may do.
function drawHint() {
  if (opening.member !== state.member || !opening.known) {
    learnOpening();
    return null;
  }
  const name = h("strong", {}, actor().name);
  const words = opening.name
    ? word("hint.canStart", { name, command: h("kbd", {}, `/${opening.name}`) })
    : word("hint.canNot", { name });
  return h(
    "p",
    { class: "notice hint", "data-testid": "hint" },
    h("span", {}, words),
    iconButton("close", word("hint.close"), closeHint),
  );
}

async function learnOpening() {
  const { member, channel } = state;
  if (opening.member === member) return;
  opening = { member, name: null, known: false };
  const commands = await get("commands", { member, channel }).catch(() => []);
  if (opening.member !== member) return;
  opening.known = true;
  opening.name = commands.find((one) => one.path === BEGINS_WITH)?.name ?? null;
  changed();
}

/** Ask anew what the acting member may do, since the bot's commands may have changed. */
export function forgetOpening() {
  opening = { member: null, name: null, known: false };
}

/** Close the hint for good: it was read, or is no longer needed. */
export function closeHint() {
  localStorage.setItem(SEEN, "yes");
  changed();
}
