// The sidebar: every guild's channels by category, threads and forum posts below their parent, with marks for what is
// unread; and the room's header, which names the channel on show and says whether the bot is there.

import { h, icon } from "./dom.js";
import { ChannelType, currentChannel, isForum, isThread, state } from "./state.js";
import { word } from "./words.js";

const ICONS = {
  [ChannelType.voice]: "voice",
  [ChannelType.stage]: "voice",
  [ChannelType.announcement]: "announcement",
  [ChannelType.forum]: "forum",
  [ChannelType.media]: "forum",
};

/** Draw the sidebar; `choose` gets the id of the channel chosen. */
export function drawSidebar(choose) {
  return state.world.guilds.map((guild) => {
    const [loose, categories] = arrange(guild.channels);
    return h(
      "section",
      { "data-key": guild.id, "aria-label": guild.name },
      h("h1", {}, guild.name),
      drawGroup(loose, guild.channels, choose),
      categories.map(([category, inside]) => [
        h("h2", { "data-key": category.id }, category.name),
        drawGroup(inside, guild.channels, choose),
      ]),
    );
  });
}

/** Draw the header of the room. */
export function drawHeader({ toggleSidebar, sidebarOpen }) {
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
  ];
}

/** List the channels in the order of the sidebar, those that can be shown. */
export function inOrder() {
  return state.world.guilds.flatMap((guild) => {
    const [loose, categories] = arrange(guild.channels);
    const parents = [...loose, ...categories.flatMap(([, inside]) => inside)];
    return parents.flatMap((channel) => [channel, ...threadsOf(channel, guild.channels)]);
  });
}

/** Draw a forum's posts in place of messages. */
export function drawForum(forum, choose) {
  const posts = threadsOf(forum, forum.guild.channels).reverse();
  return [
    h("p", { class: "forum-note" }, word(posts.length ? "forumChoose" : "forumEmpty")),
    h(
      "ul",
      { class: "posts" },
      posts.map((post) =>
        h("li", {}, h("button", { type: "button", class: "post", onclick: () => choose(post.id) }, icon("thread"), post.name)),
      ),
    ),
  ];
}

/** Write a channel's name as people speak of it. */
export function spokenName(channel) {
  return isThread(channel.type) || channel.type === ChannelType.voice ? channel.name : `#${channel.name}`;
}

function arrange(channels) {
  const loose = channels.filter((one) => !isThread(one.type) && one.type !== ChannelType.category && !one.parent_id);
  const categories = channels
    .filter((one) => one.type === ChannelType.category)
    .map((category) => [category, channels.filter((one) => one.parent_id === category.id)]);
  return [loose, categories];
}

function threadsOf(parent, channels) {
  return channels.filter((one) => isThread(one.type) && one.parent_id === parent.id);
}

function drawGroup(group, all, choose) {
  return h("ul", {}, group.map((channel) => drawChannel(channel, all, choose)));
}

function drawChannel(channel, all, choose) {
  const current = channel.id === state.channel;
  const unread = state.unread.has(channel.id);
  const threads = threadsOf(channel, all);
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
      unread && h("span", { class: "dot", role: "img", "aria-label": word("unread") }),
    ),
    threads.length > 0 && h("ul", { class: "threads" }, threads.map((thread) => drawChannel(thread, all, choose))),
  );
}

function iconOf(channel) {
  return isThread(channel.type) ? "thread" : ICONS[channel.type] ?? "text";
}
