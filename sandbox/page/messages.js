// The messages of the channel on show: who wrote what and when, the bot's answers to commands, and what only the acting
// member sees. What a message consists of inside is drawn by components.js.

import { failedOn, forget, openCommands } from "./acts.js";
import { drawBox, drawComponents } from "./components.js";
import { dots, fromHtml, h, icon } from "./dom.js";
import { drawFile, drawImage } from "./media.js";
import { drawMenu } from "./messagemenu.js";
import { avatar } from "./people.js";
import { coverSpoilers } from "./spoilers.js";
import { actor, changed, state } from "./state.js";
import { dayOf, fillTimes, write } from "./times.js";
import { word } from "./words.js";

const TOGETHER_MS = 7 * 60 * 1000;
const LONGEST_EXCERPT = 300;
const DISMISSED = "dismissed messages";

const dismissed = new Set(JSON.parse(sessionStorage.getItem(DISMISSED) ?? "[]"));

/** Draw the list; `showOlder` fetches more of it, `enter` goes to a channel made just now. */
export function drawMessages(channelName, { showOlder, enter }) {
  const shown = state.messages.filter((message) => !message.deleted && !dismissed.has(message.id));
  const items = [];
  let previous;
  for (const message of shown) {
    if (!previous || dayOf(previous.timestamp) !== dayOf(message.timestamp)) {
      const key = `day ${dayOf(message.timestamp)}`;
      items.push(h("li", { class: "day", "data-key": key }, write(message.timestamp, "D")));
      previous = undefined;
    }
    items.push(drawMessage(message, belongTogether(previous, message), enter));
    previous = message;
  }
  const channel = { channel: channelName };
  const mayHaveOlder = state.messages.length >= state.limit;
  return [
    mayHaveOlder
      ? h("button", { type: "button", class: "quiet-button older", onclick: showOlder }, word("older"))
      : h("p", { class: "beginning" }, word("beginning", channel), items.length === 0 && ` ${word("nothingYet")}`),
    h("ol", { "aria-label": word("messagesIn", channel) }, items, openCommands().map(drawCommand)),
  ];
}

/** Put a message into one short line, to be read out. */
export function speak(message) {
  return `${message.author.name}: ${excerpt(message)}`;
}

function excerpt(message) {
  const texts = [message.content_html ?? "", ...textsOf(message.components ?? [])].map((html) => fromHtml(html));
  for (const text of texts) {
    for (const spoiler of text.querySelectorAll(".spoiler")) spoiler.textContent = "…";
    fillTimes(text);
  }
  const said = texts.map((text) => text.textContent.trim()).filter(Boolean).join(" ").replace(/\s+/g, " ");
  return said.length > LONGEST_EXCERPT ? `${said.slice(0, LONGEST_EXCERPT)} …` : said;
}

function* textsOf(components) {
  for (const component of components) {
    if (component.html) yield component.html;
    yield* textsOf(component.components ?? []);
  }
}

function belongTogether(previous, message) {
  return (
    previous !== undefined &&
    previous.author.id === message.author.id &&
    previous.ephemeral === message.ephemeral &&
    !message.interaction?.name &&
    !message.reply_to &&
    Date.parse(message.timestamp) - Date.parse(previous.timestamp) < TOGETHER_MS
  );
}

function drawMessage(message, grouped, enter) {
  const { author } = message;
  const element = h(
    "li",
    { "data-key": message.id, class: `message${grouped ? " grouped" : ""}${message.ephemeral ? " ephemeral" : ""}` },
    h(
      "article",
      {
        id: `message-${message.id}`,
        tabindex: "-1",
        "aria-label": `${author.name}, ${write(message.timestamp, "t")}`,
        "data-testid": "message",
        "data-message-id": message.id,
        "data-ephemeral": String(Boolean(message.ephemeral)),
      },
      h(
        "div",
        { class: "message-grid", "data-testid": message.ephemeral ? "ephemeral" : null },
        message.interaction?.name && drawOrigin(message.interaction.user, message.interaction.name),
        // Private answers follow one's own press: what they answer is known, and would only push the answer down.
        message.reply_to && !message.ephemeral && drawReply(message.reply_to),
        grouped ? drawTime(message, "side-time") : avatar(author),
        h(
          "div",
          { class: "message-body" },
          !grouped && drawByline(author, drawTime(message, "time")),
          drawContents(message),
          message.ephemeral && drawOnlyYou(() => dismiss(message)),
          failedOn(message).map(drawFailure),
        ),
        !message.ephemeral && drawMenu(message, excerpt, enter),
      ),
    ),
  );
  coverSpoilers(element, message.id);
  fillTimes(element);
  return element;
}

function drawByline(author, time) {
  const badge = author.bot && h("span", { class: "app" }, word("app"));
  return h("header", {}, h("strong", { class: "author" }, author.name), badge, time);
}

function drawContents(message) {
  if (message.interaction?.state === "thinking") {
    return h("p", { class: "thinking" }, dots(), word("thinking", { bot: message.author.name }));
  }
  if (message.interaction?.state === "failed") return h("p", { class: "failure" }, word("noResponse"));
  const edited = message.edited_timestamp
    ? h("span", { class: "edited", title: write(message.edited_timestamp, "F") }, word("edited"))
    : null;
  const components = message.components ?? [];
  return [
    message.content && h("div", { class: "markdown" }, fromHtml(message.content_html)),
    (message.embeds ?? []).map((embed) => drawBox(embed.title ? `Embed “${embed.title}”` : "Embed")),
    // Messages of the newer kind show their files only where a component does.
    !isV2(message) && (message.attachments ?? []).map(drawAttachment),
    components.length > 0 && h("div", { class: "components" }, drawComponents(message)),
    edited,
  ];
}

function isV2(message) {
  return (message.flags & (1 << 15)) !== 0;
}

function drawAttachment(file) {
  if (!file.content_type?.startsWith("image/")) return drawFile(file);
  return drawImage(file.url, file.description, "attached-image");
}

function drawTime(message, kind) {
  const at = message.timestamp;
  return h("time", { class: kind, datetime: at, title: write(at, "F") }, write(at, "t"));
}

function drawOrigin(user, command) {
  const words = word("used", {
    name: h("strong", {}, user.name),
    command: h("span", { class: "command-name" }, command),
  });
  return h("p", { class: "origin" }, icon("reply"), h("span", {}, words));
}

function drawReply(id) {
  const original = state.messages.find((one) => one.id === id);
  if (!original) return null;
  return h(
    "p",
    { class: "origin" },
    icon("reply"),
    h(
      "a",
      { class: "jump", href: `#message-${id}`, "data-channel": original.channel_id, "data-message": id },
      h("strong", {}, original.author.name),
      h("span", {}, excerpt(original)),
    ),
  );
}

function drawOnlyYou(onDismiss) {
  return h(
    "p",
    { class: "only-you" },
    icon("eye"),
    word("onlyYou"),
    " · ",
    h("button", { type: "button", class: "link-button", onclick: onDismiss }, word("dismiss")),
  );
}

function drawFailure(act) {
  return drawError(act.fault ?? word("actionFailed"));
}

function drawError(text) {
  return h("p", { class: "failure", role: "alert", "data-testid": "interaction-error" }, text);
}

function drawCommand(act) {
  const { bot } = state.world;
  const failed = act.state === "failed";
  return h(
    "li",
    { "data-key": act.key, class: "message ephemeral" },
    h(
      "div",
      { class: "message-grid" },
      drawOrigin(actor(), act.command),
      avatar({ ...bot, bot: true }),
      h(
        "div",
        { class: "message-body" },
        drawByline({ ...bot, bot: true }, null),
        failed
          ? drawError(word("noResponse"))
          : h("p", { class: "thinking" }, dots(), word("sending")),
        failed && drawOnlyYou(() => forget(act)),
      ),
    ),
  );
}

function dismiss(message) {
  dismissed.add(message.id);
  sessionStorage.setItem(DISMISSED, JSON.stringify([...dismissed]));
  state.messages = state.messages.filter((one) => one.id !== message.id);
  document.getElementById("scroller").focus({ preventScroll: true });
  changed();
}
