// Backstage: what is not part of Discord's client. Members who play by themselves, what the bot sends and receives, and
// faults to play. It opens from one button beside the room, and covers the page on small screens.

import { h, icon, iconButton, update } from "./dom.js";
import { drawFaults } from "./faults.js";
import { drawPlayers } from "./players.js";
import { changed, state } from "./state.js";
import { Traffic } from "./traffic.js";
import { word } from "./words.js";

const TABS = ["players", "traffic", "faults"];
const COVERED = ["people", "sidebar", "room"];
const small = matchMedia("(max-width: 64rem)");

/** Draw the button that opens and closes it. */
export function drawBackstageButton() {
  const { open } = state.backstage;
  return h(
    "button",
    {
      id: "backstage-button",
      class: "quiet-button",
      type: "button",
      title: word("backstage.about"),
      "aria-expanded": String(open),
      "aria-controls": "backstage",
      onclick: () => (open ? closeBackstage() : openBackstage()),
    },
    icon("tools"),
    h("span", {}, word("backstage.title")),
  );
}

/** Open it at a tab, or where it was. */
export async function openBackstage(tab = state.backstage.tab) {
  state.backstage = { open: true, tab };
  await changed();
  document.getElementById(`tab-${tab}`).focus();
}

/** Close it, and go back to where it was opened. */
export async function closeBackstage() {
  state.backstage.open = false;
  await changed();
  document.getElementById("backstage-button")?.focus();
}

/** The panel at the side; there is one. */
export class Backstage {
  constructor(root) {
    this.root = root;
    this.head = h("header", {});
    this.tabs = h("div", { role: "tablist", "aria-labelledby": "backstage-title", onkeydown: (event) => walk(event) });
    this.panels = Object.fromEntries(TABS.map((name) => [name, drawPanel(name)]));
    this.traffic = new Traffic(this.panels.traffic);
    root.append(this.head, this.tabs, ...Object.values(this.panels));
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      closeBackstage();
    });
    small.addEventListener("change", changed);
  }

  /** Bring it up to date. */
  draw() {
    const { open, tab } = state.backstage;
    this.root.hidden = !open;
    document.body.classList.toggle("backstage-open", open);
    for (const id of COVERED) document.getElementById(id).inert = open && small.matches;
    this.traffic.show(open && tab === "traffic");
    if (!open) return;
    update(
      this.head,
      h("h2", { id: "backstage-title" }, word("backstage.title")),
      iconButton("close", word("backstage.close"), closeBackstage),
    );
    update(this.tabs, TABS.map((name) => drawTab(name, name === tab)));
    for (const name of TABS) this.panels[name].hidden = name !== tab;
    if (tab === "players") update(this.panels.players, drawPlayers());
    if (tab === "faults") update(this.panels.faults, drawFaults());
  }
}

function drawPanel(name) {
  return h("div", { id: `panel-${name}`, class: "panel", role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: "0" });
}

function drawTab(name, chosen) {
  return h(
    "button",
    {
      id: `tab-${name}`,
      type: "button",
      role: "tab",
      tabindex: chosen ? "0" : "-1",
      "aria-selected": String(chosen),
      "aria-controls": `panel-${name}`,
      onclick: () => choose(name),
    },
    word(`backstage.tabs.${name}`),
  );
}

function choose(name) {
  state.backstage.tab = name;
  changed();
}

function walk(event) {
  const at = TABS.indexOf(state.backstage.tab);
  const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 };
  if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openBackstage(TABS.at(steps[event.key] % TABS.length));
}
