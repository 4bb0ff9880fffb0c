// What there is to choose among besides texts: members, roles and channels, for options of commands and for selects.

import { actor, channels, people, state } from "./state.js";

const SelectType = { texts: 3, users: 5, roles: 6, mentionables: 7, channels: 8 };
const ENTITY_SELECTS = [SelectType.users, SelectType.roles, SelectType.mentionables, SelectType.channels];

/** List the members, the bot last: [{id, name}]. */
export function users() {
  return [...people(), state.world.bot];
}

/** List the roles of the acting member's server. */
export function roles() {
  return actor().guild.roles;
}

/** List the channels the acting member sees, of these types if any are named. */
export function channelsOf(types) {
  return channels().filter((one) => one.guild && (types?.includes(one.type) ?? true));
}

/** Say whether a component is a select of any kind. */
export function isSelect(component) {
  return component.type === SelectType.texts || ENTITY_SELECTS.includes(component.type);
}

/** List the options of a select: those it was given, or whatever there is of its kind. */
export function optionsOf(component) {
  if (component.type === SelectType.texts) return component.options;
  const given = (component.default_values ?? []).map((one) => one.id);
  return offered(component).map(({ id, name }) => ({ label: name, value: id, default: given.includes(id) }));
}

function offered(component) {
  switch (component.type) {
    case SelectType.users:
      return users();
    case SelectType.roles:
      return roles();
    case SelectType.mentionables:
      return [...users(), ...roles()];
    default:
      return channelsOf(component.channel_types?.length ? component.channel_types : null);
  }
}
