// Making DOM nodes and bringing what is on the page up to date with freshly made ones, so that focus, scroll places and
// half-done clicks survive an edit. It knows nothing of the sandbox.

const HANDLERS = ["onclick", "onkeydown", "oninput", "onchange", "onsubmit", "onfocus", "onblur", "onpointerdown", "ontoggle"];
const SPOKEN_FOR_MS = 5000;
const SVG = "http://www.w3.org/2000/svg";

/** Make an element; `on…` are handlers, `style` sets properties, everything else is an attribute. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element[name] = value;
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

function present(nodes) {
  return nodes.flat(Infinity).filter((node) => node !== null && node !== undefined && node !== false);
}

/** Parse html that the server has made safe. */
export function fromHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Draw one of the page's icons; it is always decoration beside words. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Make a button that shows only an icon; its label is read out and shown as a tip. */
export function iconButton(name, label, onclick) {
  return h("button", { type: "button", class: "quiet-button", "aria-label": label, title: label, onclick }, icon(name));
}

/** Draw the dots that say "wait". */
export function dots() {
  return h("span", { class: "dots", "aria-hidden": "true" });
}

const PATHS = {
  text: "M9.5 3 8.8 8M16.2 3l-2.4 18M10.2 3 7.8 21M4.5 8.5h16M3.5 15.5h16",
  voice: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  forum: "M4 5h16v11H10l-4 4v-4H4zM8 9h8M8 12.5h5",
  thread: "M5 4v8a3 3 0 0 0 3 3h11M15 11l4 4-4 4",
  direct: "M4 12a8 7 0 1 1 4 6l-4 1 1-3.5a7 7 0 0 1-1-3.5z",
  announcement: "M4 10v4h3l9 5V5l-9 5zM19 9.5a3.5 3.5 0 0 1 0 5",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6 6 18",
  send: "M4 4.5 20.5 12 4 19.5 6.5 12zM6.5 12H13",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  reply: "M20 18v-4a4 4 0 0 0-4-4H5M9 5 4 10l5 5",
  outside: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  down: "M6 9l6 6 6-6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  dice: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  tools: "M4 8h9M17 8h3M4 16h3M11 16h9M15 5.5v5M9 13.5v5",
  eye:
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" +
    "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/** Make the children of an element equal to `nodes`, keeping the elements that are there wherever they match. */
export function update(parent, ...nodes) {
  morphChildren(parent, present(nodes).map((node) => (typeof node === "string" ? document.createTextNode(node) : node)));
}

function morphChildren(parent, nodes) {
  const keyed = new Map();
  for (const child of parent.children) if (child.dataset.key) keyed.set(child.dataset.key, child);
  let place = parent.firstChild;
  for (const node of nodes) {
    const key = keyOf(node);
    const match = key ? keyed.get(key) : place && alike(place, node) ? place : undefined;
    if (!match) {
      parent.insertBefore(node, place);
    } else {
      if (match === place) place = place.nextSibling;
      else parent.insertBefore(match, place);
      morph(match, node);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.dataset.key : undefined;
}

function alike(one, other) {
  return one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

function morph(target, source) {
  if (!alike(target, source)) {
    target.replaceWith(source);
  } else if (target.nodeType !== Node.ELEMENT_NODE) {
    if (target.nodeValue !== source.nodeValue) target.nodeValue = source.nodeValue;
  } else {
    copyAttributes(target, source);
    for (const handler of HANDLERS) target[handler] = source[handler];
    morphChildren(target, [...source.childNodes]);
  }
}

function copyAttributes(target, source) {
  for (const { name } of [...target.attributes]) {
    if (name !== "style" && !source.hasAttribute(name)) target.removeAttribute(name);
  }
  for (const { name, value } of source.attributes) {
    if (name !== "style" && target.getAttribute(name) !== value) target.setAttribute(name, value);
  }
  // The page's security policy forbids style attributes, but not setting the same text as a property.
  if (target.style && target.style.cssText !== source.style.cssText) target.style.cssText = source.style.cssText;
}

/** Have a screen reader say something when it is idle. */
export function announce(text) {
  const line = h("p", {}, text);
  document.getElementById("announcer").append(line);
  setTimeout(() => line.remove(), SPOKEN_FOR_MS);
}

/** Take back what has not been said yet. */
export function hush() {
  document.getElementById("announcer").replaceChildren();
}
