// Small parts that messages and forms have in common: pictures, files, emoji, the words of an option.

import { h, icon } from "./dom.js";
import { word } from "./words.js";

/** Draw a picture that opens in full in a tab of its own. */
export function drawImage(url, description, kind) {
  const source = own(url);
  return h(
    "a",
    { class: kind, href: source, target: "_blank", rel: "noopener noreferrer", title: description },
    h("img", { src: source, alt: description ?? "" }),
  );
}

/** Draw a file to be downloaded. */
export function drawFile({ url, filename, size }) {
  const name = decodeURIComponent(filename);
  return h(
    "a",
    { class: "file", href: own(url), download: name, "aria-label": `${word("file")}: ${name}` },
    icon("file"),
    h("span", { class: "file-name" }, name),
    size !== undefined && h("small", {}, `${Math.max(1, Math.round(size / 1024))} KB`),
  );
}

/** Write the emoji of a button or option; those of a server have no picture here. */
export function emojiText(emoji) {
  if (!emoji?.name) return "";
  return emoji.id ? `:${emoji.name}:` : emoji.name;
}

/** Write an option of a select or group of boxes: its label and what is said about it. */
export function drawOptionWords(option) {
  const about = option.description && h("small", {}, option.description);
  return h("span", { class: "option-words" }, h("span", {}, option.label), about);
}

// Files are served by the sandbox itself, whatever name of this machine the page was opened under.
function own(url) {
  const path = /^https?:\/\/[^/]+(\/cdn\/.*)$/.exec(url);
  return path ? path[1] : url;
}
