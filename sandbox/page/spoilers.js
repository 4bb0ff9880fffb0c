// Spoilers: hidden until the reader opens them, and then open for good in this window, also when the message is edited.

import { h } from "./dom.js";
import { changed } from "./state.js";
import { word } from "./words.js";

const opened = new Set();

/** Make the spoilers in a message's text pressable. */
export function coverSpoilers(root, owner) {
  for (const spoiler of root.querySelectorAll(".spoiler")) {
    const key = `${owner} ${spoiler.textContent}`;
    if (opened.has(key)) {
      spoiler.classList.add("opened");
      spoiler.removeAttribute("role");
      spoiler.removeAttribute("tabindex");
      continue;
    }
    spoiler.setAttribute("aria-label", word("spoiler"));
    spoiler.onclick = (event) => {
      event.preventDefault();
      event.stopPropagation();
      open(key);
    };
    spoiler.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") spoiler.onclick(event);
    };
  }
}

/** Hide a whole part of a message, such as a picture, behind a button. */
export function cover(key, content) {
  if (opened.has(key)) return content;
  const attributes = { type: "button", class: "cover-button", onclick: () => open(key) };
  return h("div", { class: "cover" }, h("button", attributes, word("spoiler")));
}

function open(key) {
  opened.add(key);
  changed();
}
