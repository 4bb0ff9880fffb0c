// The list above the message box: commands, or values of an option. Focus stays in the input; arrows, Enter and clicks
// choose. It knows nothing of what it lists.

import { h, update } from "./dom.js";

const LIST_ID = "suggestion-list";

/** A list of suggestions for whichever input it is attached to. */
export class Suggestions {
  constructor(panel) {
    this.panel = panel;
    this.items = [];
    this.active = -1;
    this.input = null;
  }

  /** Show items ({content, attributes, choose}) below a note; `active` is the one Enter takes, or -1. */
  show(input, { label, note, items, active }) {
    if (this.input && this.input !== input) this.hide();
    this.input = input;
    this.label = label;
    this.note = note;
    this.items = items;
    this.active = Math.min(active, items.length - 1);
    this.panel.hidden = false;
    this.draw();
  }

  hide() {
    this.panel.hidden = true;
    this.items = [];
    this.active = -1;
    if (this.input) {
      this.input.setAttribute("aria-expanded", "false");
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  get visible() {
    return !this.panel.hidden;
  }

  /** Handle a key of the input; says whether that is all there was to do. */
  handle(event) {
    if (!this.visible || this.items.length === 0 || event.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const count = this.items.length;
      this.active = this.active < 0 && step < 0 ? count - 1 : (this.active + step + count) % count;
      this.draw();
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && this.active >= 0) {
      this.items[this.active].choose();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  draw() {
    const { input } = this;
    const items = this.items.map((item, index) => this.drawItem(item, index));
    update(
      this.panel,
      h("p", { class: "suggestions-note", id: "suggestions-note" }, this.note),
      items.length > 0 && h("div", { id: LIST_ID, role: "listbox", "aria-label": this.label }, items),
    );
    input.setAttribute("aria-expanded", String(this.items.length > 0));
    input.setAttribute("aria-controls", LIST_ID);
    if (this.active >= 0) input.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
    else input.removeAttribute("aria-activedescendant");
    document.getElementById(`suggestion-${this.active}`)?.scrollIntoView({ block: "nearest" });
  }

  drawItem(item, index) {
    return h(
      "div",
      {
        ...item.attributes,
        id: `suggestion-${index}`,
        class: "suggestion",
        role: "option",
        "aria-selected": String(index === this.active),
        // Pressing must not take the focus out of the input.
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => item.choose(),
      },
      item.content,
    );
  }
}
