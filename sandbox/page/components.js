// Discord's message components as DOM: one drawer for each kind it knows, a labelled box for the rest. Selects, which
// have a life of their own, are in selects.js.

import { actState, press } from "./acts.js";
import { dots, fromHtml, h, icon } from "./dom.js";
import { isSelect } from "./entities.js";
import { drawFile, drawImage, emojiText } from "./media.js";
import { drawSelect } from "./selects.js";
import { cover } from "./spoilers.js";
import { word } from "./words.js";

const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };
const LINK_STYLE = 5;
const WIDE = 2;

const KINDS = { 4: "Text input", 19: "File upload" };

const DRAWERS = {
  1: (row, message) => h("div", { class: "row" }, drawAll(row.components, message)),
  2: drawButton,
  9: (section, message) =>
    h(
      "div",
      { class: "section" },
      h("div", { class: "section-texts" }, drawAll(section.components, message)),
      h("div", { class: "accessory" }, drawOne(section.accessory, message)),
    ),
  10: (text) => h("div", { class: "markdown" }, fromHtml(text.html ?? "")),
  11: (part, message) => hidden(part, message, drawImage(part.media.url, part.description, "thumbnail")),
  12: drawGallery,
  13: (part, message) => {
    const filename = part.name ?? part.file.url.split("/").pop();
    return hidden(part, message, drawFile({ url: part.file.url, filename, size: part.size }));
  },
  14: ({ divider, spacing }) =>
    h("hr", { class: `separator${divider === false ? " plain" : ""}${spacing === WIDE ? " wide" : ""}` }),
  17: drawContainer,
};

/** Draw all components of a message. */
export function drawComponents(message) {
  return drawAll(message.components, message);
}

/** Name the kind of a component that is not drawn, in a box in its place. */
export function drawUnknown(component) {
  const kind = KINDS[component.type] ?? `Component ${component.type}`;
  return drawBox(component.placeholder ? `${kind} “${component.placeholder}”` : kind);
}

/** Draw the box that stands for something that is not shown. */
export function drawBox(kind) {
  return h("div", { class: "unknown" }, word("otherComponent", { kind }));
}

function drawAll(components, message) {
  return (components ?? []).map((component) => drawOne(component, message));
}

function drawOne(component, message) {
  if (isSelect(component)) return drawSelect(component, message);
  return (DRAWERS[component.type] ?? drawUnknown)(component, message);
}

function drawButton(button, message) {
  const emoji = emojiText(button.emoji);
  const face = [
    emoji && h("span", { class: "emoji", "aria-hidden": button.label ? "true" : null }, emoji),
    button.label && h("span", {}, button.label),
  ];
  if (button.style === LINK_STYLE) return drawLink(button, face);
  if (!(button.style in BUTTON_STYLES)) return drawBox("Premium button");
  const pending = actState(message, button.custom_id) === "pending";
  return h(
    "button",
    {
      type: "button",
      class: `button ${BUTTON_STYLES[button.style]}${pending ? " pending" : ""}`,
      disabled: button.disabled,
      "aria-busy": pending ? "true" : null,
      "data-custom-id": button.custom_id,
      onclick: () => press(message, button.custom_id),
    },
    face,
    pending && dots(),
  );
}

function drawLink(button, face) {
  if (button.disabled) return h("button", { type: "button", class: "button secondary", disabled: true }, face);
  const attributes = { class: "button secondary", href: button.url, target: "_blank", rel: "noopener noreferrer" };
  return h("a", attributes, face, icon("outside"));
}

function drawGallery(gallery, message) {
  const pictures = gallery.items.map((item, index) => {
    const picture = drawImage(item.media.url, item.description, "picture");
    return hidden(item, message, picture, `${gallery.id}.${index}`);
  });
  return h("div", { class: `gallery gallery-${Math.min(pictures.length, 3)}` }, pictures);
}

function drawContainer(container, message) {
  const accent = container.accent_color;
  const colour = Number.isInteger(accent) ? `#${accent.toString(16).padStart(6, "0")}` : null;
  const element = h(
    "div",
    { class: `container${colour ? " accented" : ""}`, style: colour ? { "--container-accent": colour } : {} },
    drawAll(container.components, message),
  );
  return hidden(container, message, element);
}

function hidden(component, message, element, place = component.id) {
  return component.spoiler ? cover(`${message.id}/${place}`, element) : element;
}
