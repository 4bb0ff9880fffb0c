// A slash command being filled in: its name and one labelled field for each option, in place of the message box.
// Required options come first; suggestions come from the option itself or, as one types, from the bot.

import { useCommand } from "./acts.js";
import { post } from "./api.js";
import { h, iconButton } from "./dom.js";
import { state } from "./state.js";
import { OptionType, ownChoices, readFile, readValue } from "./values.js";
import { word } from "./words.js";

const TYPING_PAUSE_MS = 200;

/** One command being filled in, until it is sent or left. */
export class CommandLine {
  constructor(command, { suggestions, onClose, onSent, onFault }) {
    this.command = command;
    this.suggestions = suggestions;
    this.onClose = onClose;
    this.onSent = onSent;
    this.onFault = onFault;
    const options = [...command.options].sort((one, other) => other.required - one.required);
    this.fields = options.map((option) => this.makeField(option));
    this.element = h(
      "div",
      {
        class: "command-line",
        role: "group",
        "aria-label": `/${command.name}`,
        "data-testid": "command-line",
        "data-path": command.path,
      },
      h("span", { class: "command-chip" }, `/${command.name}`),
      this.fields.map((field) => field.label),
      iconButton("close", word("stopCommand"), () => this.leave("")),
    );
    // A command without options still needs a place for Enter and Escape.
    this.element.tabIndex = -1;
    this.element.onkeydown = (event) => {
      if (event.target === this.element) this.handleCommandKey(event);
    };
  }

  /** Put the focus where there is something to fill in, with what was typed after the command's name. */
  start(text) {
    const [first] = this.fields;
    if (text && first && first.option.type !== OptionType.file) {
      first.input.value = text;
      fitWidth(first.input);
    }
    if (!first) this.suggestions.hide();
    this.focus();
  }

  focus() {
    (this.fields[0]?.input ?? this.element).focus();
  }

  /** Check the fields and send the command; a fault puts the focus where it is. */
  async send() {
    const options = {};
    for (const field of this.fields) {
      const { value, fault } = await readField(field);
      if (fault) {
        this.showFault(field, fault);
        return;
      }
      if (value !== undefined) options[field.option.name] = value;
    }
    if (this.sending) return;
    this.sending = true;
    this.onSent();
    try {
      await useCommand(this.command, options);
      this.leave("");
    } catch (error) {
      this.onFault(error.message);
    } finally {
      this.sending = false;
    }
  }

  leave(text) {
    this.left = true;
    for (const field of this.fields) clearTimeout(field.timer);
    this.suggestions.hide();
    this.onClose(text);
  }

  makeField(option) {
    const isFile = option.type === OptionType.file;
    const field = { option, picked: null, asked: 0, waiting: false, enterWaits: false };
    const isNumber = option.type === OptionType.integer || option.type === OptionType.number;
    field.input = h("input", {
      type: isFile ? "file" : "text",
      class: "option-input",
      inputmode: isNumber ? "decimal" : null,
      placeholder: word(option.required ? "required" : "optional"),
      autocomplete: "off",
      spellcheck: "false",
      role: isFile ? null : "combobox",
      "aria-autocomplete": isFile ? null : "list",
      "aria-expanded": isFile ? null : "false",
      "aria-required": String(option.required),
      "aria-describedby": "suggestions-note",
      "data-testid": "option-input",
      "data-option": option.name,
      onfocus: () => this.suggest(field),
      oninput: () => this.typed(field),
      onkeydown: (event) => this.handleKey(event, field),
    });
    fitWidth(field.input);
    field.label = h(
      "label",
      { class: `option${option.required ? " required" : ""}` },
      h("span", { class: "option-name" }, option.name_localized, option.required && star()),
      field.input,
    );
    return field;
  }

  typed(field) {
    field.picked = null;
    field.input.removeAttribute("aria-invalid");
    this.onFault("");
    fitWidth(field.input);
    this.suggest(field, TYPING_PAUSE_MS);
  }

  suggest(field, pause_ms = 0) {
    const { option } = field;
    const text = field.picked ? "" : textOf(field);
    clearTimeout(field.timer);
    if (option.autocomplete) {
      field.waiting = true;
      const isOnShow = this.suggestions.visible && this.suggestions.input === field.input;
      if (!isOnShow) this.show(field, [], word("optionsLoading"));
      field.timer = setTimeout(() => this.ask(field), pause_ms);
    } else {
      const choices = ownChoices(option, text);
      this.show(field, choices ?? [], choices?.length === 0 ? word("noOptions") : "");
    }
  }

  async ask(field) {
    field.asked += 1;
    const turn = field.asked;
    const { choices, state: outcome } = await post("autocomplete", {
      member: state.member,
      channel: state.channel,
      command: this.command.path,
      options: this.valuesSoFar(field),
      focused: field.option.name,
    }).catch(() => ({ choices: [], state: "failed" }));
    if (turn !== field.asked || this.left) return;
    field.waiting = false;
    if (document.activeElement !== field.input) return;
    const note = outcome === "failed" ? word("optionsFailed") : choices.length === 0 ? word("noOptions") : "";
    this.show(field, choices, note);
    if (field.enterWaits && choices.length > 0) this.pick(field, choices[0]);
    field.enterWaits = false;
  }

  valuesSoFar(focused) {
    const options = {};
    for (const field of this.fields) {
      const value = field.picked?.value ?? textOf(field);
      const isGiven = value !== "" && field.option.type !== OptionType.file;
      if (field === focused || isGiven) options[field.option.name] = value;
    }
    return options;
  }

  show(field, choices, trouble) {
    const { option } = field;
    const wanted = !field.picked && (option.required || textOf(field) !== "");
    this.suggestions.show(field.input, {
      label: word("suggestions", { option: option.name_localized }),
      note: [
        h("strong", {}, option.name_localized),
        ` ${option.description} `,
        h("span", { class: "need" }, word(option.required ? "required" : "optional")),
        trouble && h("span", { class: "trouble" }, trouble),
      ],
      items: choices.map((choice) => ({
        content: choice.name,
        attributes: { "data-testid": "option-suggestion", "data-value": String(choice.value) },
        choose: () => this.pick(field, choice),
      })),
      active: wanted ? 0 : -1,
    });
  }

  pick(field, choice) {
    field.picked = choice;
    field.input.value = choice.name;
    field.input.removeAttribute("aria-invalid");
    this.onFault("");
    fitWidth(field.input);
    const next = this.fields.find((one) => textOf(one) === "");
    if (next) next.input.focus();
    else this.show(field, [], word("enterToSend"));
  }

  handleKey(event, field) {
    if (this.suggestions.handle(event)) return;
    if (event.key === "Enter" && field.waiting && field.input.value && !field.picked) {
      // The bot's suggestions are on their way: take the first rather than the half-typed text.
      field.enterWaits = true;
      event.preventDefault();
      return;
    }
    if (event.key === "Backspace" && field.input.value === "") {
      const before = this.fields[this.fields.indexOf(field) - 1];
      if (before) before.input.focus();
      else this.leave(`/${this.command.name}`);
      event.preventDefault();
      return;
    }
    this.handleCommandKey(event);
  }

  handleCommandKey(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.leave("");
    }
  }

  showFault(field, fault) {
    field.input.setAttribute("aria-invalid", "true");
    field.input.focus();
    this.onFault(`${field.option.name_localized}: ${fault}`);
  }
}

function star() {
  return h("span", { class: "star", "aria-hidden": "true" }, "*");
}

function textOf(field) {
  return field.input.value.trim();
}

async function readField(field) {
  if (field.option.type !== OptionType.file) return readValue(field.option, textOf(field), field.picked);
  const [file] = field.input.files;
  if (file) return { value: await readFile(file) };
  return field.option.required ? { fault: word("needsValue") } : {};
}

function fitWidth(input) {
  if (input.type === "text") input.size = Math.min(Math.max(input.value.length, input.placeholder.length) + 1, 40);
}
