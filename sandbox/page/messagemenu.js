// What can be done with a message besides reading it: the bot's commands for messages, a thread, and taking it away, as a
// moderator would. It opens from a button at the message's corner.

import { useCommand } from "./acts.js";
import { get, post } from "./api.js";
import { announce, h, icon } from "./dom.js";
import { ChannelType, changed, currentChannel, state } from "./state.js";
import { word } from "./words.js";

const MESSAGE_COMMAND = 3;
const LONGEST_NAME = 60;

// The menu that is open: {key, commands}; there is at most one.
let open = null;

document.addEventListener("pointerdown", (event) => {
  if (open && !event.target.closest(".menu")) close();
});

/** Draw a message's menu; `speak` tells what the message says, `enter` goes to a channel made just now. */
export function drawMenu(message, speak, enter) {
  const key = keyOf(message);
  const isOpen = open?.key === key;
  const id = `menu-${message.id}`;
  return h(
    "div",
    { class: `menu${isOpen ? " open" : ""}`, onkeydown: (event) => closeOnEscape(event, id) },
    h(
      "button",
      {
        id,
        type: "button",
        class: "menu-button",
        "aria-label": word("menu.open"),
        title: word("menu.open"),
        "aria-expanded": String(isOpen),
        "aria-controls": isOpen ? `${id}-list` : null,
        onclick: () => (isOpen ? close() : openFor(message, id)),
      },
      icon("more"),
    ),
    isOpen && h("ul", { id: `${id}-list`, class: "menu-list" }, drawItems(message, speak, enter)),
  );
}

function drawItems(message, speak, enter) {
  const begins = [ChannelType.text, ChannelType.announcement].includes(currentChannel().type);
  return [
    ...open.commands.map((command) => drawItem(command.name, "", () => use(command, message))),
    begins && drawItem(word("menu.thread"), "", () => beginThread(message, speak, enter)),
    drawItem(word("menu.delete"), "harmful", () => remove(message)),
  ];
}

function drawItem(name, kind, act) {
  const onclick = () => {
    close();
    act();
  };
  return h("li", {}, h("button", { type: "button", class: `menu-item ${kind}`, onclick }, name));
}

async function openFor(message, id) {
  const key = keyOf(message);
  open = { key, commands: [] };
  await changed();
  const first = () => document.getElementById(`${id}-list`)?.querySelector("button");
  first()?.focus();
  first()?.closest("ul").scrollIntoView({ block: "nearest" });
  const found = await get("commands", { member: state.member, channel: state.channel }).catch(() => []);
  if (open?.key !== key) return;
  open.commands = found.filter((one) => one.type === MESSAGE_COMMAND);
  if (open.commands.length === 0) return;
  await changed();
  first()?.focus();
}

function close() {
  open = null;
  return changed();
}

async function closeOnEscape(event, id) {
  if (event.key !== "Escape" || !open) return;
  event.stopPropagation();
  await close();
  document.getElementById(id)?.focus();
}

async function use(command, message) {
  await tried(useCommand(command, {}, message.id));
}

async function beginThread(message, speak, enter) {
  const name = speak(message).slice(0, LONGEST_NAME).trim() || message.author.name;
  const made = await tried(post("world", { action: "create_thread", channel: message.channel_id, message: message.id, name }));
  if (made) enter(made.id);
}

async function remove(message) {
  if (!(await tried(post("world", { action: "delete_message", message: message.id })))) return;
  announce(word("menu.deleted"));
  document.getElementById("scroller").focus({ preventScroll: true });
}

async function tried(doing) {
  try {
    return await doing;
  } catch (error) {
    announce(error.message);
    return null;
  }
}

function keyOf(message) {
  return `${state.member}/${message.id}`;
}
