// Backstage, last tab: disturbing the bot. Its process, its connection, what it may do in the channel on show, and what
// stands there. Only what is available is shown.

import { post } from "./api.js";
import { spokenName } from "./channels.js";
import { h } from "./dom.js";
import { changed, channels, currentChannel, isThread, state } from "./state.js";
import { word } from "./words.js";

const GATEWAY = ["drop", "drop_no_resume", "invalid_session", "reconnect"];

// What the bot asks for when it is invited, as bits of Discord's permissions.
const PERMISSIONS = {
  view: 1n << 10n,
  send: 1n << 11n,
  sendInThreads: 1n << 38n,
  createThreads: 1n << 35n,
  embed: 1n << 14n,
  attach: 1n << 15n,
  history: 1n << 16n,
};

let fault = "";
let asking = null;

/** Draw the panel. */
export function drawFaults() {
  const channel = currentChannel();
  const home = channel.guild && (isThread(channel.type) ? channels().find((one) => one.id === channel.parent_id) : channel);
  return [
    h("p", { class: "failure", role: "alert" }, fault),
    state.process.supervised && drawProcess(),
    drawGateway(),
    home && drawPermissions(home),
    channel.guild && drawContents(channel),
  ];
}

/** Draw the button that starts a bot that was killed here. */
export function drawStart(kind) {
  const attributes = { type: "button", class: kind, disabled: state.process.wanted === "running", onclick: () => wish("start") };
  return h("button", attributes, word("faults.start"));
}

function drawProcess() {
  const running = state.process.state === "running";
  const pending = state.process.wanted !== state.process.state;
  const kill = { type: "button", class: "button danger", disabled: pending, onclick: () => wish("kill") };
  return h(
    "section",
    { "data-key": "process", "aria-labelledby": "faults-process" },
    h("h3", { id: "faults-process" }, word("faults.process")),
    h("p", { role: "status", class: "note" }, word(running ? "faults.running" : "faults.stopped")),
    running ? h("button", kill, word("faults.kill")) : drawStart("button primary"),
  );
}

function drawGateway() {
  return h(
    "section",
    { "data-key": "gateway", "aria-labelledby": "faults-gateway" },
    h("h3", { id: "faults-gateway" }, word("faults.gateway")),
    GATEWAY.map((action) =>
      drawAction(word(`faults.${action}`), word(`faults.${action}_about`), () => tell("gateway", { action })),
    ),
  );
}

function drawAction(name, about, onclick) {
  return h("button", { type: "button", class: "action", onclick }, h("span", {}, name), h("small", {}, about));
}

function drawPermissions(channel) {
  const title = word("faults.permissions", { bot: state.world.bot.name, channel: spokenName(channel) });
  return h(
    "section",
    { "data-key": "permissions", "aria-labelledby": "faults-permissions" },
    h("h3", { id: "faults-permissions" }, title),
    Object.entries(PERMISSIONS).map(([name, bit]) => drawPermission(channel, name, bit)),
  );
}

function drawPermission(channel, name, bit) {
  const has = (BigInt(channel.bot_permissions) & bit) !== 0n;
  return h(
    "button",
    {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": String(has),
      "data-key": name,
      onclick: () => setPermission(channel, bit, !has),
    },
    h("span", {}, word(`faults.may.${name}`)),
    h("span", { class: "switch-mark", "aria-hidden": "true" }),
  );
}

function setPermission(channel, bit, allowed) {
  const { bot } = state.world;
  const own = channel.overwrites.find((one) => one.id === bot.id) ?? { allow: 0, deny: 0 };
  let [allow, deny] = [BigInt(own.allow), BigInt(own.deny)];
  if (!allowed) [allow, deny] = [allow & ~bit, deny | bit];
  else if (deny & bit) deny &= ~bit;
  else allow |= bit;
  tell("world", { action: "set_overwrite", channel: channel.id, target: bot.id, allow: String(allow), deny: String(deny) });
}

function drawContents(channel) {
  const newest = state.messages?.findLast((one) => one.author.bot && !one.ephemeral);
  const name = spokenName(channel);
  const wanted = asking === channel.id;
  return h(
    "section",
    { "data-key": "contents", "aria-labelledby": "faults-contents" },
    h("h3", { id: "faults-contents" }, word("faults.contents", { channel: name })),
    newest &&
      h(
        "button",
        { type: "button", class: "action", onclick: () => tell("world", { action: "delete_message", message: newest.id }) },
        h("span", {}, word("faults.deleteNewest", { bot: state.world.bot.name })),
      ),
    h(
      "button",
      { id: "delete-channel", type: "button", class: "action", "aria-expanded": String(wanted), onclick: () => ask(wanted ? null : channel.id) },
      h("span", {}, word("faults.deleteChannel", { channel: name })),
    ),
    wanted &&
      h(
        "div",
        { class: "confirm", role: "group", "aria-labelledby": "confirm-words" },
        h("p", { id: "confirm-words" }, word("faults.reallyDelete", { channel: name })),
        h("button", { type: "button", class: "button danger", onclick: () => deleteChannel(channel) }, word("faults.delete")),
        h("button", { id: "keep-channel", type: "button", class: "button secondary", onclick: () => ask(null) }, word("faults.keep")),
      ),
  );
}

async function ask(channel) {
  asking = channel;
  await changed();
  document.getElementById(channel ? "keep-channel" : "delete-channel")?.focus();
}

async function deleteChannel(channel) {
  asking = null;
  await tell("world", { action: "delete_channel", channel: channel.id });
  document.getElementById("tab-faults")?.focus();
}

async function wish(action) {
  await tell("bot", { action });
}

async function tell(path, body) {
  try {
    const answer = await post(path, body);
    if (path === "bot") state.process = answer;
    fault = "";
  } catch (error) {
    fault = error.message;
  }
  await changed();
}
