// The form (modal) a bot opens for the acting member: labels, text inputs, selects, radio buttons and checkboxes. It is
// built once when it opens; only its state (busy, refused) is updated after that.

import { closeModal, submitModal } from "./acts.js";
import { drawUnknown } from "./components.js";
import { fromHtml, h, iconButton } from "./dom.js";
import { isSelect, optionsOf } from "./entities.js";
import { drawOptionWords, emojiText } from "./media.js";
import { state } from "./state.js";
import { fillTimes } from "./times.js";
import { word } from "./words.js";

const Kind = { row: 1, input: 4, text: 10, label: 18, radio: 21, checkboxes: 22, checkbox: 23 };
const PARAGRAPH = 2;

let shown = null;
let readers = [];
let opener = null;

/** Bring the dialog in line with what should be on show. */
export function drawModal(dialog) {
  const wanted = state.modal;
  if (wanted !== shown) {
    if (shown) dialog.close();
    shown = wanted;
    if (!wanted) {
      // What opened the form may be gone, as a command that was sent is.
      (opener?.isConnected ? opener : document.getElementById("message-input"))?.focus();
      return;
    }
    opener = document.activeElement;
    build(dialog, wanted.modal);
    dialog.showModal();
  }
  if (!shown) return;
  const submit = dialog.querySelector("[type=submit]");
  submit.disabled = shown.busy;
  submit.classList.toggle("pending", shown.busy);
  if (shown.fault !== null) showFault(dialog, shown.fault || word("modalFailed"));
}

function build(dialog, modal) {
  readers = [];
  const fields = modal.components.map((part) => drawPart(part));
  const form = h(
    "form",
    { onsubmit: (event) => submit(event, dialog) },
    h(
      "header",
      {},
      h("h2", { id: "modal-title" }, modal.title),
      iconButton("close", word("cancel"), closeModal),
    ),
    h("div", { class: "modal-fields" }, fields),
    h("p", { class: "failure", role: "alert" }),
    h(
      "footer",
      {},
      h("button", { type: "button", class: "button secondary", onclick: closeModal }, word("cancel")),
      h("button", { type: "submit", class: "button primary" }, word("submit")),
    ),
  );
  fillTimes(form);
  dialog.replaceChildren(form);
  dialog.oncancel = (event) => {
    event.preventDefault();
    closeModal();
  };
  form.querySelector("input, textarea, select")?.setAttribute("autofocus", "");
}

function submit(event, dialog) {
  event.preventDefault();
  const values = {};
  for (const { customId, read, check } of readers) {
    const fault = check?.();
    if (fault) {
      showFault(dialog, fault);
      return;
    }
    values[customId] = read();
  }
  showFault(dialog, "");
  submitModal(values);
}

function showFault(dialog, text) {
  dialog.querySelector(".failure").textContent = text;
}

function drawPart(part) {
  if (part.type === Kind.text) return h("div", { class: "markdown" }, fromHtml(part.html ?? ""));
  if (part.type === Kind.row) return part.components.map((field) => drawField(field, field.label, null));
  if (part.type === Kind.label) return drawField(part.component, part.label, part.description);
  return drawUnknown(part);
}

function drawField(field, label, description) {
  const required = field.required !== false && field.type !== Kind.checkbox;
  const name = [label, required && h("span", { class: "star", "aria-hidden": "true" }, " *")];
  const help = description && h("small", {}, description);
  if (isSelect(field)) {
    return (field.max_values ?? 1) > 1 ? drawBoxes(field, name, help, required) : drawDropdown(field, name, help, required);
  }
  switch (field.type) {
    case Kind.input:
      return h("label", { class: "field" }, h("span", { class: "field-name" }, name), help, drawInput(field, required));
    case Kind.radio:
      return drawRadios(field, name, help, required);
    case Kind.checkboxes:
      return drawBoxes(field, name, help, required);
    case Kind.checkbox:
      return drawCheckbox(field, name, help);
    default:
      return h("div", { class: "field" }, h("span", { class: "field-name" }, name), help, drawUnknown(field));
  }
}

function drawInput(field, required) {
  const attributes = {
    name: field.custom_id,
    required,
    minlength: field.min_length || null,
    maxlength: field.max_length ?? 4000,
    placeholder: field.placeholder,
  };
  const isLong = field.style === PARAGRAPH;
  const input = isLong ? h("textarea", { ...attributes, rows: "5" }) : h("input", { ...attributes, type: "text" });
  input.value = field.value ?? "";
  readers.push({ customId: field.custom_id, read: () => input.value });
  return input;
}

function drawDropdown(field, name, help, required) {
  const placeholder = h("option", { value: "" }, field.placeholder ?? word("choose"));
  const select = h(
    "select",
    { name: field.custom_id, required },
    placeholder,
    optionsOf(field).map((option) => {
      const words = [emojiText(option.emoji), option.label, option.description && `– ${option.description}`];
      return h("option", { value: option.value, selected: option.default }, words.filter(Boolean).join(" "));
    }),
  );
  readers.push({ customId: field.custom_id, read: () => (select.value ? [select.value] : []) });
  return h("label", { class: "field" }, h("span", { class: "field-name" }, name), help, select);
}

function drawRadios(field, name, help, required) {
  const choices = field.options.map((option) => drawChoice("radio", field, option, required));
  readers.push({ customId: field.custom_id, read: () => checked(choices)[0] ?? null });
  return drawGroup(name, help, choices);
}

function drawBoxes(field, name, help, required) {
  const choices = (isSelect(field) ? optionsOf(field) : field.options).map((option) => drawChoice("checkbox", field, option, false));
  const most = Math.min(field.max_values ?? choices.length, choices.length);
  const least = required ? Math.max(field.min_values ?? 1, 1) : field.min_values ?? 0;
  const check = () => {
    const count = checked(choices).length;
    const empty = count === 0 && !required;
    return empty || (count >= least && count <= most) ? "" : word("chooseBetween", { min: least, max: most });
  };
  readers.push({ customId: field.custom_id, read: () => checked(choices), check });
  const bounds = most > 1 && h("small", {}, word("chooseBetween", { min: least, max: most }));
  return drawGroup(name, [help, bounds], choices);
}

function drawCheckbox(field, name, help) {
  const choice = drawChoice("checkbox", field, { label: name, value: "on", default: field.default }, false);
  readers.push({ customId: field.custom_id, read: () => checked([choice]).length > 0 });
  return h("div", { class: "field" }, choice, help);
}

function drawGroup(name, help, choices) {
  return h("fieldset", { class: "field" }, h("legend", { class: "field-name" }, name), help, choices);
}

function drawChoice(kind, field, option, required) {
  return h(
    "label",
    { class: "choice" },
    h("input", { type: kind, name: field.custom_id, value: option.value, checked: option.default, required }),
    option.emoji && h("span", { class: "emoji" }, emojiText(option.emoji)),
    drawOptionWords(option),
  );
}

function checked(choices) {
  const inputs = choices.map((choice) => choice.querySelector("input"));
  return inputs.filter((input) => input.checked).map((input) => input.value);
}
