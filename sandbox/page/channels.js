// The sidebar: every guild's channels by category, threads and forum posts below their parent, with marks for what is
// unread; and the room's header, which names the channel on show and says whether the bot is there.

import { post } from "./api.js";
import { h, icon } from "./dom.js";
import { ChannelType, channels, currentChannel, isForum, isThread, state } from "./state.js";
import { word } from "./words.js";

const ICONS = {
  [ChannelType.direct]: "direct",
  [ChannelType.voice]: "voice",
  [ChannelType.stage]: "voice",
  [ChannelType.announcement]: "announcement",
  [ChannelType.forum]: "forum",
  [ChannelType.media]: "forum",
};

const WITH_HASH = [ChannelType.text, ChannelType.announcement, ChannelType.forum, ChannelType.media];

/** Draw the sidebar; `choose` gets the id of the channel chosen. */
export function drawSidebar(choose) {
  const direct = channels().filter((one) => !one.guild);
  return [
    state.world.guilds.map((guild) => {
      const { loose, categories } = arrange(guild);
      return h(
        "section",
        { "data-key": guild.id, "aria-label": guild.name },
        h("h1", {}, guild.name),
        drawGroup(loose, choose),
        categories.map(({ category, inside }) => [
          h("h2", { "data-key": category.id }, category.name),
          drawGroup(inside, choose),
        ]),
      );
    }),
    direct.length > 0 &&
      h("section", { "data-key": "direct" }, h("h2", {}, word("directMessages")), drawGroup(direct, choose)),
  ];
}

/** Draw the header of the room; `tools` stand at its end. */
export function drawHeader({ toggleSidebar, sidebarOpen, tools }) {
  const { bot } = state.world;
  const channel = currentChannel();
  const mark = bot.online ? "online" : "offline";
  return [
    h(
      "button",
      {
        id: "drawer-button",
        class: "quiet-button",
        type: "button",
        "aria-label": word(sidebarOpen ? "closeChannels" : "openChannels"),
        "aria-expanded": String(sidebarOpen),
        "aria-controls": "sidebar",
        onclick: toggleSidebar,
      },
      icon("menu"),
      state.unread.size > 0 && h("span", { class: "dot" }),
    ),
    channel && h("span", { class: "channel-icon" }, icon(iconOf(channel))),
    channel && h("h1", {}, channel.name),
    channel?.topic && h("p", { class: "topic", title: channel.topic }, channel.topic),
    h("span", { class: `bot-state ${mark}`, "data-testid": "bot-state" }, word(mark, { bot: bot.name })),
    tools,
  ];
}

/** List the channels in the order of the sidebar. */
export function inOrder() {
  const parents = state.world.guilds.flatMap((guild) => {
    const { loose, categories } = arrange(guild);
    return [...loose, ...categories.flatMap(({ inside }) => inside)];
  });
  return [...parents.flatMap((channel) => [channel, ...threadsOf(channel)]), ...channels().filter((one) => !one.guild)];
}

/** Draw a forum's posts in place of messages; `choose` goes to one, `enter` to one made just now. */
export function drawForum(forum, { choose, enter }) {
  const posts = threadsOf(forum).reverse();
  return [
    h("p", { class: "forum-note" }, word(posts.length ? "forumChoose" : "forumEmpty")),
    h(
      "ul",
      { class: "posts" },
      posts.map(({ id, name }) => {
        const attributes = { type: "button", class: "post", onclick: () => choose(id) };
        return h("li", {}, h("button", attributes, icon("thread"), name));
      }),
    ),
    h(
      "form",
      { class: "new-post", onsubmit: (event) => makePost(event, forum, enter) },
      h(
        "label",
        { class: "field" },
        h("span", { class: "field-name" }, word("newPost")),
        h("input", { type: "text", name: "name", required: true, maxlength: "100", autocomplete: "off" }),
      ),
      h("button", { type: "submit", class: "button primary" }, word("makePost")),
    ),
  ];
}

/** Write a channel's name as people speak of it. */
export function spokenName(channel) {
  return WITH_HASH.includes(channel.type) ? `#${channel.name}` : channel.name;
}

async function makePost(event, forum, enter) {
  event.preventDefault();
  const { name } = Object.fromEntries(new FormData(event.target));
  enter((await post("world", { action: "create_thread", channel: forum.id, name })).id);
}

function arrange(guild) {
  const own = channels().filter((one) => one.guild?.id === guild.id && !isThread(one.type));
  const categories = own.filter((one) => one.type === ChannelType.category);
  const inside = (category) => own.filter((one) => one.parent_id === category.id);
  const isLoose = (one) => !categories.some((category) => category === one || category.id === one.parent_id);
  return {
    loose: own.filter(isLoose),
    categories: categories.map((category) => ({ category, inside: inside(category) })),
  };
}

function threadsOf(parent) {
  return channels().filter((one) => isThread(one.type) && one.parent_id === parent.id);
}

function drawGroup(group, choose) {
  return h("ul", {}, group.map((channel) => drawChannel(channel, choose)));
}

function drawChannel(channel, choose) {
  const current = channel.id === state.channel;
  const unread = state.unread.has(channel.id);
  const threads = threadsOf(channel);
  return h(
    "li",
    { "data-key": channel.id },
    h(
      "button",
      {
        type: "button",
        class: `channel${unread ? " unread" : ""}${isForum(channel.type) ? " forum" : ""}`,
        title: word("kinds")[channel.type],
        "aria-current": current ? "page" : null,
        "data-channel-id": channel.id,
        onclick: () => choose(channel.id),
      },
      icon(iconOf(channel)),
      h("span", { class: "channel-name" }, channel.name),
      channel.archived && h("small", { class: "archived" }, word("archived")),
      unread && h("span", { class: "dot", role: "img", "aria-label": word("unread") }),
    ),
    threads.length > 0 && h("ul", { class: "threads" }, threads.map((thread) => drawChannel(thread, choose))),
  );
}

function iconOf(channel) {
  return isThread(channel.type) ? "thread" : ICONS[channel.type] ?? "text";
}
