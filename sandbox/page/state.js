// What the page knows: the world, who acts, where, and what that member sees. Whoever changes it calls `changed`; the
// page is then drawn once, soon after. Nothing here touches the page or the network.

export const state = {
  world: null,
  /** Ids of the acting member and of the channel on show. */
  member: null,
  channel: null,
  /** The messages of that channel, oldest first; null while they are being fetched, `fault` when that failed. */
  messages: null,
  fault: null,
  limit: 100,
  connected: true,
  /** Channels of the acting member with something unread. */
  unread: new Set(),
  /** Acts that wait for the bot, or got no answer: see acts.js. */
  acts: new Map(),
  /** Who plays by themselves, and what is known of the bot's process: see docs/sandbox.md. */
  players: { playing: false, members: [] },
  process: { supervised: false, state: null, wanted: null },
  /** What is not part of Discord's client: whether it is on show, and which tab of it. */
  backstage: { open: false, tab: "players" },
  /** The modal on show: {interaction, modal, busy, fault}. */
  modal: null,
};

export const ChannelType = {
  text: 0,
  direct: 1,
  voice: 2,
  category: 4,
  announcement: 5,
  announcementThread: 10,
  publicThread: 11,
  privateThread: 12,
  stage: 13,
  forum: 15,
  media: 16,
};

const ADMINISTRATOR = 8n;
let draw = () => {};
let drawing = null;

/** Name the function that draws the page. */
export function drawWith(drawer) {
  draw = drawer;
}

/** Have the page drawn once, after everything that is changing now has changed; resolves when it is drawn. */
export function changed() {
  drawing ??= Promise.resolve().then(() => {
    drawing = null;
    draw();
  });
  return drawing;
}

/** List the people one can act as: all guilds' members but the bots, once each. */
export function people() {
  const all = new Map();
  for (const guild of state.world?.guilds ?? []) {
    for (const member of guild.members) {
      if (!member.bot && !all.has(member.id)) all.set(member.id, { ...member, guild });
    }
  }
  return [...all.values()];
}

/** The acting member. */
export function actor() {
  return people().find((person) => person.id === state.member);
}

/** List a member's roles, without @everyone. */
export function rolesOf(person) {
  return person.guild.roles.filter((role) => role.id !== person.guild.id && person.roles.includes(role.id));
}

/** Say whether someone may do everything. */
export function isAdministrator(person) {
  return (BigInt(person.permissions ?? 0) & ADMINISTRATOR) !== 0n;
}

/** List the channels the acting member sees, direct conversations last (those have no guild). */
export function channels() {
  const { guilds = [], dms = [], bot } = state.world ?? {};
  const inGuilds = guilds.flatMap((guild) => {
    const hidden = new Set(guild.members.find((one) => one.id === state.member)?.hidden);
    const seen = guild.channels.filter((channel) => !hidden.has(channel.id));
    return seen.map((channel) => ({ ...channel, guild }));
  });
  const direct = dms
    .filter((dm) => dm.member === state.member)
    .map((dm) => ({ id: dm.id, type: ChannelType.direct, name: bot.name, parent_id: null, topic: null }));
  return [...inGuilds, ...direct];
}

/** The channel on show. */
export function currentChannel() {
  return channels().find((channel) => channel.id === state.channel);
}

/** Say whether messages stand in a channel of this type. */
export function holdsMessages(type) {
  return ![ChannelType.category, ChannelType.forum, ChannelType.media].includes(type);
}

/** Say whether a channel of this type is a thread or a forum's post. */
export function isThread(type) {
  return [ChannelType.announcementThread, ChannelType.publicThread, ChannelType.privateThread].includes(type);
}

/** Say whether a channel of this type holds posts only. */
export function isForum(type) {
  return [ChannelType.forum, ChannelType.media].includes(type);
}

/** Put a message in its place among those on show. */
export function putMessage(message) {
  if (!state.messages) return;
  const index = state.messages.findIndex((one) => one.id === message.id);
  if (index >= 0) {
    state.messages[index] = message;
    return;
  }
  const after = state.messages.findIndex((one) => BigInt(one.id) > BigInt(message.id));
  state.messages.splice(after < 0 ? state.messages.length : after, 0, message);
}
