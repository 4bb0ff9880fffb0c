// What the acting member does with the bot: commands, presses, choices and forms, each from the click to the bot's answer
// or to the failure Discord shows after three seconds. An act waits in `state.acts` until then. Nothing is drawn here.

import { get, post } from "./api.js";
import { changed, state } from "./state.js";

const MOST_REMEMBERED = 100;
const MODAL_CALLBACK = 9;

// Acts of late by the number of their interaction, and news of numbers that belong to no act yet: the live connection is
// often faster than the answer to the request.
const begun = new Map();
const early = new Map();
let commandsSent = 0;

/** Press a button of a message. */
export function press(message, customId) {
  return actOn(message, customId, "press", {});
}

/** Choose values in a select of a message. */
export function select(message, customId, values) {
  return actOn(message, customId, "select", { values });
}

/** Use a slash command, or one for the message `target`; raises an Error when the sandbox refuses it outright. */
export async function useCommand(command, options, target = null) {
  commandsSent += 1;
  const key = `command/${commandsSent}`;
  const act = begin(key, { kind: "command", channel: state.channel, command: target ? command.name : `/${command.name}` });
  await send(key, act, "slash", { channel: act.channel, command: command.path, options, target });
  if (act.state === "refused") {
    state.acts.delete(key);
    changed();
    throw new Error(act.fault);
  }
}

/** Send the form on show. */
export async function submitModal(values) {
  const shown = state.modal;
  shown.busy = true;
  shown.fault = null;
  const act = begin(`modal/${shown.interaction}`, { kind: "modal", shown });
  await send(`modal/${shown.interaction}`, act, "submit", { interaction: shown.interaction, values });
  if (act.state === "refused") endForm(act, act.fault);
}

/** Close the form on show without sending it; the bot never hears of that. */
export function closeModal() {
  state.modal = null;
  changed();
}

/** Find what an act on a component has come to: "pending", "failed", or undefined. */
export function actState(message, customId) {
  return state.acts.get(keyOf(message, customId))?.state;
}

/** List the failed acts on a message. */
export function failedOn(message) {
  return mine().filter((act) => act.message === message.id && act.state !== "pending");
}

/** List the commands of the acting member that wait or failed in the channel on show. */
export function openCommands() {
  return mine().filter((act) => act.kind === "command" && act.channel === state.channel && act.state !== "refused");
}

/** Forget a failed act. */
export function forget(act) {
  state.acts.delete(act.key);
  changed();
}

/** Take note of news from the live connection: {type: "interaction"} or {type: "modal"}. */
export function hear(event) {
  const id = event.interaction_id ?? event.id;
  const news = event.type === "modal" ? { modal: event.modal } : { state: event.state };
  const act = begun.get(id);
  if (act) settle(act, news);
  else remember(early, id, { ...early.get(id), ...news });
}

/** Ask what became of the acts that still wait; the live connection may have missed it. */
export async function askAgain() {
  for (const act of mine().filter((one) => one.state === "pending" && one.id)) {
    const interaction = await get(`interactions/${act.id}`).catch(() => ({ state: "failed" }));
    const modal = interaction.callback_type === MODAL_CALLBACK ? interaction.modal : undefined;
    settle(act, { state: interaction.state, modal });
  }
}

async function actOn(message, customId, route, extra) {
  const key = keyOf(message, customId);
  if (state.acts.get(key)?.state === "pending") return;
  for (const act of failedOn(message)) state.acts.delete(act.key);
  const act = begin(key, { kind: "component", message: message.id, customId });
  await send(key, act, route, { message: message.id, custom_id: customId, ...extra });
}

function begin(key, about) {
  const act = { ...about, key, member: state.member, id: null, state: "pending" };
  state.acts.set(key, act);
  changed();
  return act;
}

async function send(key, act, route, body) {
  try {
    const { interaction } = await post(route, { member: act.member, ...body });
    act.id = interaction;
    remember(begun, interaction, act);
    const news = early.get(interaction);
    early.delete(interaction);
    if (news) settle(act, news);
  } catch (error) {
    act.state = "refused";
    act.fault = error.message;
    changed();
  }
}

function settle(act, news) {
  if (news.modal && act.member === state.member) {
    state.modal = { interaction: act.id, modal: news.modal, busy: false, fault: null };
  }
  if (news.state === "done") finish(act);
  else if (news.state === "failed") fail(act);
  changed();
}

function finish(act) {
  if (act.kind === "modal") endForm(act, null);
  else state.acts.delete(act.key);
}

function fail(act) {
  if (act.kind === "modal") endForm(act, "");
  else act.state = "failed";
}

function endForm(act, fault) {
  state.acts.delete(act.key);
  if (state.modal === act.shown) {
    if (fault === null) state.modal = null;
    else Object.assign(act.shown, { busy: false, fault });
  }
  changed();
}

function remember(map, id, value) {
  map.set(id, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value);
}

function mine() {
  return [...state.acts.values()].filter((act) => act.member === state.member);
}

function keyOf(message, customId) {
  return `${state.member}/${message.id}/${customId}`;
}
