// Pictures, files and emoji, wherever in a message they stand.

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

// Files are served by the sandbox itself, whatever name of this machine the page was opened under.
function own(url) {
  const path = /^https?:\/\/[^/]+(\/cdn\/.*)$/.exec(url);
  return path ? path[1] : url;
}
