// The page's beginning and its traffic: it follows the address, fetches what the acting member sees, listens for what
// happens, and draws everything anew when something changed. Rules and looks are in the other modules.

import { askAgain, hear } from "./acts.js";
import { get } from "./api.js";
import { drawForum, drawHeader, drawSidebar, inOrder, spokenName } from "./channels.js";
import { Backstage, drawBackstageButton } from "./backstage.js";
import { Composer } from "./composer.js";
import { announce, h, hush, update } from "./dom.js";
import { Live } from "./live.js";
import { drawMessages, speak } from "./messages.js";
import { drawModal } from "./modal.js";
import { closeHint, drawNotices, forgetOpening } from "./notices.js";
import { drawPeople, neighbour, showActor } from "./people.js";
import { Scroller } from "./scroller.js";
import {
  ChannelType,
  actor,
  changed,
  channels,
  currentChannel,
  drawWith,
  holdsMessages,
  isForum,
  people,
  putMessage,
  rolesOf,
  state,
} from "./state.js";
import { setClock, now as sandboxNow, setLocale, startTicking } from "./times.js";
import { setLanguage, word } from "./words.js";

const OLDER_STEP = 200;
const REFETCH_AFTER_MS = 50;
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

const place = (id) => document.getElementById(id);
const scroller = new Scroller(place("scroller"), place("messages"));
const composer = new Composer(place("composer"), () => scroller.toEnd());
const backstage = new Backstage(place("backstage"));
const live = new Live({ onEvent, onOpen, onLost });
// The newest message each member has seen in each channel; before the page was opened, everything counts as seen.
const seen = new Map();
let openedAt = 0n;
let sidebarOpen = false;
// What happens while messages are being fetched may be missing in what is fetched.
let eventsDuringFetch = [];
let refetchTimer = null;

function draw() {
  const person = actor();
  const channel = currentChannel();
  if (!person || !channel) return;
  document.documentElement.lang = person.locale;
  document.title = `${state.unread.size > 0 ? "• " : ""}${spokenName(channel)} · ${person.name}`;
  document.body.classList.toggle("drawer-open", sidebarOpen);
  place("drawer-shade").hidden = !sidebarOpen;
  place("sidebar").setAttribute("aria-label", word("channels"));
  update(place("people"), drawPeople((member) => goTo({ member })));
  update(place("sidebar"), drawSidebar((id) => goTo({ channel: id })));
  update(place("room-header"), drawHeader({ toggleSidebar, sidebarOpen, tools: drawBackstageButton() }));
  place("room").setAttribute("aria-label", spokenName(channel));
  place("scroller").setAttribute("aria-label", word("messagesIn", { channel: spokenName(channel) }));
  update(place("messages"), drawContents(channel));
  update(place("notices"), scroller.drawButton(), drawNotices());
  composer.refresh();
  backstage.draw();
  scroller.settle();
  drawModal(place("modal"));
}

function drawContents(channel) {
  if (isForum(channel.type)) return drawForum(channel, { choose: (id) => goTo({ channel: id }), enter });
  if (state.fault) return h("p", { class: "failure", role: "alert" }, `${word("cannotRead")} ${state.fault}`);
  if (!state.messages) return h("p", { class: "beginning" }, word("loading"));
  return drawMessages(spokenName(channel), { showOlder, enter });
}

/** Go to another member, channel or message; what is not named stays. */
async function goTo({ member = state.member, channel = state.channel, message = null }) {
  const before = { member: state.member, channel: state.channel };
  state.member = member;
  state.channel = channels().some((one) => one.id === channel) ? channel : firstChannel().id;
  const newMember = member !== before.member;
  const newChannel = state.channel !== before.channel;
  if (newMember) enterMember();
  if (newMember || newChannel) {
    history.replaceState(null, "", `#member=${state.member}&channel=${state.channel}`);
    // What was only for the member before must be gone at once.
    state.messages = newChannel ? null : state.messages?.filter((one) => !one.ephemeral) ?? null;
    state.limit = 100;
    state.unread.delete(state.channel);
    if (newChannel) scroller.toEnd();
    closeSidebar();
    await changed();
    // On a touch screen the focus would bring up the keyboard.
    if (newChannel && !message && !matchMedia("(pointer: coarse)").matches) composer.focus();
    await fetchMessages();
  }
  if (newMember) {
    showActor();
    await findUnread();
  }
  if (message) await jumpTo(message);
}

/** Go to a channel that was made just now, which the page may not have heard of. */
async function enter(channel) {
  await fetchWorld();
  await goTo({ channel });
}

function enterMember() {
  const person = actor();
  setLanguage(person.locale);
  setLocale(person.locale);
  state.modal = null;
  state.unread.clear();
  hush();
  live.follow(person.id);
}

async function fetchWorld() {
  const wanted = ["world", "clock", "players", "bot"].map((path) => get(path));
  const [world, clock, players, process] = await Promise.all(wanted);
  Object.assign(state, { world, players, process });
  setClock(clock);
  forgetOpening();
}

async function fetchMessages() {
  const { member, channel, limit } = state;
  const meant = () => member === state.member && channel === state.channel;
  if (!holdsMessages(currentChannel().type)) return;
  const events = [];
  eventsDuringFetch = events;
  try {
    const messages = await get("messages", { member, channel, limit });
    if (!meant()) return;
    state.messages = messages;
    state.fault = null;
    for (const event of events) apply(event);
    markSeen();
  } catch (error) {
    if (!meant()) return;
    state.messages = null;
    state.fault = error.message;
  }
  await changed();
}

async function showOlder() {
  state.limit += OLDER_STEP;
  scroller.keepPlace();
  await fetchMessages();
}

async function jumpTo(id) {
  if (!state.messages?.some((one) => one.id === id) && state.messages?.length >= state.limit) {
    state.limit = 10_000;
    await fetchMessages();
  }
  scroller.showMessage(id);
}

async function findUnread() {
  const { member } = state;
  for (const channel of channels().filter((one) => holdsMessages(one.type) && one.id !== state.channel)) {
    const [last] = await get("messages", { member, channel: channel.id, limit: 1 }).catch(() => []);
    if (member !== state.member) return;
    const seenId = seen.get(`${member} ${channel.id}`) ?? openedAt;
    if (last && BigInt(last.id) > seenId) state.unread.add(channel.id);
  }
  changed();
}

function markSeen() {
  const last = state.messages?.at(-1);
  if (last) seen.set(`${state.member} ${state.channel}`, BigInt(last.id));
}

async function onOpen() {
  const lost = !state.connected;
  state.connected = true;
  // Something may have happened between what was fetched and this moment.
  if (lost) await refetch();
  else await fetchMessages();
  await askAgain();
}

function onLost() {
  state.connected = false;
  changed();
}

// Changes of the world come in bursts; what one fetch began too early to see, the next one sees.
function refetchSoon() {
  refetchTimer ??= setTimeout(() => {
    refetchTimer = null;
    refetch();
  }, REFETCH_AFTER_MS);
}

async function refetch() {
  try {
    await fetchWorld();
  } catch {
    // The connection is gone again; the next one fetches.
    return;
  }
  if (!actor()) {
    await goTo(startingPlace());
    return;
  }
  if (!currentChannel()) await goTo({ channel: firstChannel().id });
  else await fetchMessages();
  changed();
}

function onEvent(event) {
  if (event.type === "world") {
    refetchSoon();
  } else if (event.type === "interaction" || event.type === "modal") {
    hear(event);
    if (event.kind === "component" && event.state === "done") closeHint();
  } else {
    onMessage(event);
  }
}

function onMessage(event) {
  const { type, message } = event;
  const channel = message?.channel_id ?? event.channel_id;
  if (channel === state.channel) {
    eventsDuringFetch.push(event);
    apply(event);
    if (type === "message_create") {
      markSeen();
      scroller.noteNew();
      if (message.author.id !== state.member) announce(speak(message));
    }
  } else if (type === "message_create") {
    state.unread.add(channel);
  }
  followClock(message);
  changed();
}

function apply({ type, message, id }) {
  if (type === "message_delete") state.messages = state.messages?.filter((one) => one.id !== id) ?? null;
  else putMessage(message);
}

// Somebody may have moved the sandbox's clock: then things happen later than our clock says.
async function followClock(message) {
  const at = Date.parse(message?.edited_timestamp ?? message?.timestamp);
  if (at > sandboxNow() + 1000) setClock(await get("clock"));
}

function firstChannel() {
  const writable = inOrder().filter((one) => [ChannelType.text, ChannelType.announcement].includes(one.type));
  return writable.find((one) => /quiz/i.test(one.name)) ?? writable[0] ?? inOrder()[0];
}

/** Read the address: #member=…&channel=…, ids or names. Who is not named there is the first member with a role. */
function startingPlace() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const is = (one, name) => one.id === name || one.name.toLowerCase() === name?.toLowerCase();
  const person =
    people().find((one) => is(one, wanted.get("member"))) ??
    people().find((one) => one.id === state.member) ??
    people().find((one) => rolesOf(one).length > 0) ??
    people()[0];
  const channel = person.guild.channels.find((one) => is(one, wanted.get("channel")));
  return { member: person.id, channel: channel?.id ?? null };
}

function toggleSidebar() {
  sidebarOpen = !sidebarOpen;
  changed().then(() => {
    if (sidebarOpen) place("sidebar").querySelector('[aria-current="page"]')?.focus();
    else place("drawer-button").focus();
  });
}

function closeSidebar() {
  sidebarOpen = false;
}

function onKey(event) {
  if (event.key === "Escape" && sidebarOpen) toggleSidebar();
  if (!event.altKey || event.ctrlKey || event.metaKey || state.modal || !state.world) return;
  if (event.code === "KeyM") goTo({ member: neighbour(event.shiftKey ? -1 : 1).id });
  else if (event.key === "ArrowUp" || event.key === "ArrowDown") stepChannel(event.key === "ArrowDown" ? 1 : -1);
  else return;
  event.preventDefault();
}

function stepChannel(step) {
  const all = inOrder();
  const at = all.findIndex((one) => one.id === state.channel);
  goTo({ channel: all[(at + step + all.length) % all.length].id });
}

function onLink(event) {
  const link = event.target.closest("a.jump, a[href*='/channels/']");
  if (!link) return;
  const [, , path_channel, path_message] = /\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?/.exec(link.href) ?? [];
  const channel = link.dataset.channel ?? path_channel;
  if (!channels().some((one) => one.id === channel)) return;
  event.preventDefault();
  goTo({ channel, message: (link.dataset.message ?? path_message) || null });
}

async function start() {
  drawWith(draw);
  document.addEventListener("keydown", onKey);
  place("messages").addEventListener("click", onLink);
  place("drawer-shade").addEventListener("click", toggleSidebar);
  window.addEventListener("hashchange", () => goTo(startingPlace()));
  await fetchWorld();
  openedAt = (BigInt(Math.floor(sandboxNow())) - DISCORD_EPOCH_MS) << 22n;
  startTicking();
  await goTo(startingPlace());
}

start();
