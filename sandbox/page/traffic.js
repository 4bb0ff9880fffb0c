// Backstage, second tab: what the bot sent and received, newest first, as the sandbox's log has it. It asks for news only
// while it is on show, and keeps its own rows, since there are hundreds of them.

import { get } from "./api.js";
import { h, update } from "./dom.js";
import { state } from "./state.js";
import { write } from "./times.js";
import { fold, word } from "./words.js";

const EVERY_MS = 1000;
const FIRST = 200;
const KEPT = 500;
const KINDS = ["all", "rest", "gateway", "control"];
const ARROWS = { rest: "→", "gateway-in": "→", "gateway-out": "←", control: "•" };
// They come with every minute, and say nothing.
const UNSHOWN = ["HEARTBEAT", "HEARTBEAT_ACK"];

/** The list of what was sent and received; there is one. */
export class Traffic {
  constructor(root) {
    this.head = h("div", { class: "traffic-head" });
    this.nothing = h("p", { class: "note", role: "status" });
    this.list = h("ol", { class: "traffic" });
    root.append(this.head, this.nothing, this.list);
    this.entries = [];
    this.last = null;
    this.kind = "all";
    this.wanted = "";
    this.visible = false;
    this.language = null;
  }

  /** Show the list and follow the log, or rest. */
  show(visible) {
    const wasVisible = this.visible;
    this.visible = visible;
    if (!visible) return;
    this.drawHead();
    if (!wasVisible) this.follow();
  }

  async follow() {
    clearTimeout(this.timer);
    // A look that began before the panel was closed brings the news for the next one too.
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
    await this.looking;
    clearTimeout(this.timer);
    if (this.visible) this.timer = setTimeout(() => this.follow(), EVERY_MS);
  }

  async look() {
    const fresh = await get("log", { after: this.last ?? -FIRST, limit: KEPT }).catch(() => []);
    if (fresh.length === 0) return;
    this.last = fresh.at(-1).n;
    const shown = fresh.filter((one) => !UNSHOWN.includes(one.path)).reverse();
    this.entries = [...shown, ...this.entries].slice(0, KEPT);
    this.list.prepend(...shown.filter((one) => this.fits(one)).map(drawEntry));
    while (this.list.children.length > KEPT) this.list.lastElementChild.remove();
    this.sayNothing();
  }

  filter() {
    this.list.replaceChildren(...this.entries.filter((one) => this.fits(one)).map(drawEntry));
    this.sayNothing();
  }

  fits(entry) {
    if (this.kind !== "all" && !entry.dir.startsWith(this.kind)) return false;
    if (!this.wanted) return true;
    const { method, path, status, body, answer } = entry;
    return fold(JSON.stringify([method, path, readable(path), status, body, answer])).includes(this.wanted);
  }

  sayNothing() {
    const text = this.list.children.length > 0 ? "" : word("traffic.nothing");
    if (this.nothing.textContent !== text) this.nothing.textContent = text;
  }

  drawHead() {
    update(
      this.head,
      h(
        "label",
        { class: "field" },
        h("span", { class: "field-name" }, word("traffic.show")),
        h(
          "select",
          { onchange: (event) => this.choose({ kind: event.target.value }) },
          KINDS.map((kind) => h("option", { value: kind }, word(`traffic.kinds.${kind}`))),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", { class: "field-name" }, word("traffic.containing")),
        h("input", { type: "text", oninput: (event) => this.choose({ wanted: fold(event.target.value.trim()) }) }),
      ),
    );
    const { lang } = document.documentElement;
    if (lang === this.language) return;
    this.language = lang;
    this.list.setAttribute("aria-label", word("backstage.tabs.traffic"));
    this.filter();
  }

  choose(wish) {
    Object.assign(this, wish);
    this.filter();
  }
}

function drawEntry(entry) {
  const { dir, method, path, status, ms, at } = entry;
  const failed = status >= 400 || method === "CUT" || method === "CLOSE";
  const facts = [write(at, "T"), ms !== null && `${ms.toFixed(1)} ms`];
  return h(
    "li",
    { class: failed ? "failed" : null },
    h(
      "details",
      { ontoggle: (event) => fillIn(event.target, entry) },
      h(
        "summary",
        { title: path },
        h("span", { class: "arrow", role: "img", "aria-label": word(`traffic.directions.${dir}`) }, ARROWS[dir]),
        h("span", { class: "method" }, method),
        h("span", { class: "path" }, readable(path)),
        h(
          "span",
          { class: "outcome" },
          h("span", { class: "about" }, aboutAct(entry)),
          status !== null && h("span", { class: "status" }, String(status)),
          h("small", {}, facts.filter(Boolean).join(" · ")),
        ),
      ),
    ),
  );
}

// What was sent is written out only when somebody looks.
function fillIn(details, { path, body, answer }) {
  if (!details.open || details.children.length > 1) return;
  details.append(h("p", { class: "note" }, path));
  const parts = Object.entries({ body, answer }).filter(([, value]) => value !== null);
  for (const [name, value] of parts) {
    const text = JSON.stringify(value, null, 1);
    const label = word(`traffic.${name}`);
    details.append(h("h4", {}, label), h("pre", { tabindex: "0", role: "group", "aria-label": label }, text));
  }
  if (parts.length === 0) details.append(h("p", { class: "note" }, word("traffic.empty")));
}

// Who did what: the two facts that tell interactions apart.
function aboutAct({ path, body }) {
  if (path !== "INTERACTION_CREATE") return "";
  const { global_name, username } = body.member?.user ?? body.user;
  const { custom_id, name } = body.data;
  return `${global_name ?? username} · ${custom_id ?? `/${name}`}`;
}

// Channels by their names, other ids by their last digits, no queries: the path in full is the row's tip and inside it.
function readable(path) {
  const all = state.world.guilds.flatMap((guild) => guild.channels);
  const name = (id) => all.find((one) => one.id === id)?.name;
  return path
    .replace(/^\/(api\/v\d+|control)/, "")
    .replace(/\?.*/, "")
    .replace(/\d{15,}/g, (id) => (name(id) ? `#${name(id)}` : `…${id.slice(-4)}`));
}
