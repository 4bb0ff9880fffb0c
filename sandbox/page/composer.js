// The message box: plain messages, and the way into slash commands. Typing "/" lists the acting member's commands; a
// chosen one takes the place of the box until it is sent or left.

import { get, post } from "./api.js";
import { spokenName } from "./channels.js";
import { CommandLine } from "./commandline.js";
import { h, icon } from "./dom.js";
import { currentChannel, holdsMessages, state } from "./state.js";
import { Suggestions } from "./suggestions.js";
import { fold, word } from "./words.js";

const SLASH = 1;
const TALLEST_PX = 160;

/** The composer at the bottom of the page; there is one. `onSent` is called when something is on its way. */
export class Composer {
  constructor(root, onSent) {
    this.root = root;
    this.onSent = onSent;
    this.panel = h("div", { id: "suggestions", hidden: true });
    this.suggestions = new Suggestions(this.panel);
    this.input = h("textarea", {
      id: "message-input",
      rows: "1",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "data-testid": "message-input",
      oninput: () => this.typed(),
      onkeydown: (event) => this.handleKey(event),
    });
    this.fault = h("p", { class: "composer-fault", role: "alert" });
    this.box = h("div", { class: "composer-box" }, this.input);
    this.sendButton = h("button", { type: "button", class: "send-button", onclick: () => this.send() }, icon("send"));
    root.append(this.panel, this.fault, h("div", { class: "composer-row" }, this.box, this.sendButton));
    this.command = null;
    this.commands = null;
    this.place = "";
  }

  /** Fit the box to the member and channel on show. */
  refresh() {
    const channel = currentChannel();
    this.root.hidden = !channel || !holdsMessages(channel.type);
    if (this.root.hidden) return;
    this.input.placeholder = word("writeHere");
    this.input.setAttribute("aria-label", word("writeTo", { channel: spokenName(channel) }));
    this.sendButton.setAttribute("aria-label", word(this.command ? "sendCommand" : "sendMessage"));
    const place = `${state.member} ${state.channel}`;
    if (place !== this.place) {
      this.place = place;
      this.commands = null;
      this.enterWaits = false;
      this.showFault("");
      if (this.command) this.command.leave("");
      this.suggest();
    }
  }

  focus() {
    if (this.root.hidden) return;
    if (this.command) this.command.focus();
    else this.input.focus();
  }

  typed() {
    this.showFault("");
    this.fitHeight();
    this.enterWaits = false;
    this.suggest();
  }

  async send() {
    if (this.command) {
      await this.command.send();
      return;
    }
    const content = this.input.value.trim();
    if (content === "" || content.startsWith("/")) {
      this.input.focus();
      return;
    }
    this.write("");
    this.input.focus();
    this.onSent();
    try {
      await post("send", { member: state.member, channel: state.channel, content });
    } catch (error) {
      if (this.input.value === "") this.write(content);
      this.showFault(error.message);
    }
  }

  handleKey(event) {
    if (this.suggestions.handle(event)) return;
    if (event.key === "Escape" && this.suggestions.visible) {
      event.stopPropagation();
      this.suggestions.hide();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      // The list of commands is on its way: Enter takes its first line as soon as it is there.
      if (this.input.value.startsWith("/") && !this.commands) this.enterWaits = true;
      else this.send();
    }
  }

  async suggest() {
    const text = this.input.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.suggestions.hide();
      this.commands = null;
      return;
    }
    if (!this.commands && !(await this.fetchCommands())) return;
    const typed = this.input.value;
    for (const command of this.commands) {
      const name = namesOf(command).find((one) => fold(typed).startsWith(`/${fold(one)} `));
      if (name) {
        this.open(command, typed.slice(`/${name} `.length));
        return;
      }
    }
    this.listCommands();
    if (this.enterWaits && this.suggestions.items.length > 0) this.suggestions.items[0].choose();
    this.enterWaits = false;
  }

  async fetchCommands() {
    const place = this.place;
    if (this.fetching === place) return false;
    this.fetching = place;
    const waiting = { label: word("commands"), note: word("commandsLoading"), items: [], active: -1 };
    this.suggestions.show(this.input, waiting);
    const found = await get("commands", { member: state.member, channel: state.channel }).catch((error) => {
      this.showFault(error.message);
      return [];
    });
    this.fetching = null;
    if (place !== this.place || !this.input.value.startsWith("/")) return false;
    this.commands = found.filter((one) => one.type === SLASH);
    return true;
  }

  listCommands() {
    const found = search(this.commands, this.input.value.slice(1));
    const { bot } = state.world;
    const none = this.commands.length === 0 ? word("noneRegistered", { bot: bot.name }) : word("noCommands");
    this.suggestions.show(this.input, {
      label: word("commands"),
      note: found.length > 0 ? h("strong", {}, word("commands")) : none,
      items: found.map((command) => ({
        content: drawCommand(command),
        attributes: { "data-testid": "command-option", "data-path": command.path },
        choose: () => this.open(command, ""),
      })),
      active: 0,
    });
  }

  open(command, rest) {
    this.suggestions.hide();
    this.showFault("");
    this.write("");
    this.command = new CommandLine(command, {
      suggestions: this.suggestions,
      onClose: (text) => this.close(text),
      onSent: this.onSent,
      onFault: (fault) => this.showFault(fault),
    });
    this.box.replaceChildren(this.command.element);
    this.refresh();
    this.command.start(rest);
  }

  close(text) {
    this.command = null;
    this.commands = null;
    const focused = this.box.contains(document.activeElement) || this.sendButton === document.activeElement;
    this.box.replaceChildren(this.input);
    this.write(text);
    this.showFault("");
    this.refresh();
    if (focused) this.input.focus();
    if (text) this.suggest();
  }

  write(text) {
    this.input.value = text;
    this.fitHeight();
  }

  fitHeight() {
    this.input.style.setProperty("height", "auto");
    this.input.style.setProperty("height", `${Math.min(this.input.scrollHeight, TALLEST_PX)}px`);
  }

  showFault(text) {
    if (this.fault.textContent !== text) this.fault.textContent = text;
  }
}

function namesOf(command) {
  return [command.name, command.path];
}

function search(commands, typed) {
  const wanted = fold(typed.trim());
  const rank = (command) => {
    const names = namesOf(command).map(fold);
    if (names.some((name) => name.startsWith(wanted))) return 0;
    if (names.some((name) => name.includes(wanted))) return 1;
    return fold(command.description).includes(wanted) ? 2 : 3;
  };
  return commands.filter((one) => rank(one) < 3).sort((one, other) => rank(one) - rank(other));
}

function drawCommand(command) {
  return [
    h("span", { class: "command-words" }, h("strong", {}, `/${command.name}`), h("small", {}, command.description)),
    h(
      "span",
      { class: "command-options" },
      command.options.map((option) => h("span", { class: option.required ? "required" : null }, option.name_localized)),
    ),
  ];
}
