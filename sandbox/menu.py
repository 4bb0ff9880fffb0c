"""A member's slash menu: which commands they may use where, under which names, and turning what they typed
into the data of an interaction. It follows Discord's client, which shows and sends only what is allowed.
"""

import base64
import binascii
import mimetypes
from dataclasses import dataclass
from typing import Any

from sandbox import payloads, payloads_messages, permissions
from sandbox.faults import Fault
from sandbox.hub import Hub
from sandbox.permissions import Permission
from sandbox.rules_commands import (
    BOOLEAN,
    CHANNEL_OPTION,
    FILE_OPTION,
    GROUP,
    INTEGER,
    MENTIONABLE_OPTION,
    NUMBER,
    ROLE_OPTION,
    SLASH,
    STRING,
    SUBCOMMAND,
    USER_OPTION,
)
from sandbox.wire import JsonObject, as_id, as_list, as_object, objects_in, utf16_length
from sandbox.world import Channel, Command, User

MEMBER_FILES_KEPT = 100
_FALLBACKS = {"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the menu: a command, or one of its subcommands."""

    command: Command
    steps: tuple[JsonObject, ...]
    """The group and subcommand on the way, outermost first."""

    @property
    def path(self) -> str:
        """Tell the default names, as "quiz start"."""
        return " ".join(str(part["name"]) for part in (self.command.data, *self.steps))

    @property
    def leaf(self) -> JsonObject:
        """Return what holds the options."""
        return self.steps[-1] if self.steps else self.command.data

    @property
    def kind(self) -> int:
        """Tell the command's type: slash, user menu or message menu."""
        return int(self.command.data["type"])


def localised(data: JsonObject, field: str, locale: str) -> str:
    """Read a text in a language, with Discord's fallbacks."""
    texts = as_object(data.get(f"{field}_localizations")) or {}
    for wanted in (locale, _FALLBACKS.get(locale)):
        if wanted in texts:
            return str(texts[wanted])
    return str(data.get(field) or "")


def entries(hub: Hub, person: User, channel: Channel) -> list[Entry]:
    """List what a member's menu shows in a channel."""
    commands = [one for one in hub.world.commands.values() if _usable(hub, one, person, channel)]
    found: list[Entry] = []
    for command in commands:
        found += _flattened(command, (), command.data)
    return found


def find_entry(hub: Hub, person: User, channel: Channel, path: str) -> Entry:
    """Find a line of the menu by its default names."""
    for entry in entries(hub, person, channel):
        if entry.path == path.strip().removeprefix("/"):
            return entry
    raise Fault(
        404, f"There is no command {path!r} for {person.display_name} here; see GET /control/commands"
    )


def _usable(hub: Hub, command: Command, person: User, channel: Channel) -> bool:
    contexts = as_list(command.data.get("contexts"))
    if channel.guild_id is None:
        in_dm = command.data.get("dm_permission", True) is not False if contexts is None else 1 in contexts
        return command.guild_id is None and in_dm
    if command.guild_id not in (None, channel.guild_id) or (contexts is not None and 0 not in contexts):
        return False
    bits = permissions.in_channel(hub.world, channel, person.id)
    if not bits & Permission.USE_APPLICATION_COMMANDS:
        return False
    wanted = command.data.get("default_member_permissions")
    if wanted is None or bits == permissions.ALL:
        return True
    # "0" means administrators only.
    return int(wanted) != 0 and bits & int(wanted) == int(wanted)


def _flattened(command: Command, steps: tuple[JsonObject, ...], data: JsonObject) -> list[Entry]:
    nested = [one for one in objects_in(data.get("options")) if one.get("type") in (SUBCOMMAND, GROUP)]
    if not nested:
        return [Entry(command, steps)]
    found: list[Entry] = []
    for one in nested:
        found += _flattened(command, (*steps, one), one)
    return found


def describe(entry: Entry, locale: str) -> JsonObject:
    """Write a line of the menu for the page."""
    parts = (entry.command.data, *entry.steps)
    return {
        "id": str(entry.command.id),
        "path": entry.path,
        "name": " ".join(localised(part, "name", locale) for part in parts),
        "description": localised(entry.leaf, "description", locale),
        "type": entry.kind,
        "options": [_describe_option(one, locale) for one in _value_options(entry)],
    }


def _describe_option(option: JsonObject, locale: str) -> JsonObject:
    choices = objects_in(option.get("choices"))
    payload: JsonObject = {
        "name": option["name"],
        "name_localized": localised(option, "name", locale),
        "description": localised(option, "description", locale),
        "type": option["type"],
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "choices": [{"name": localised(one, "name", locale), "value": one["value"]} for one in choices],
        "min_value": option.get("min_value"),
        "max_value": option.get("max_value"),
    }
    for name in ("min_length", "max_length", "channel_types"):
        if option.get(name) is not None:
            payload[name] = option[name]
    return payload


def _value_options(entry: Entry) -> list[JsonObject]:
    return [
        one for one in objects_in(entry.leaf.get("options")) if one.get("type") not in (SUBCOMMAND, GROUP)
    ]


def command_data(
    hub: Hub,
    entry: Entry,
    channel: Channel,
    given: JsonObject,
    target: int | None,
    focused: str | None = None,
) -> JsonObject:
    """Write the data of a command's interaction; with `focused`, that of an autocomplete."""
    data: JsonObject = {
        "id": str(entry.command.id),
        "name": entry.command.data["name"],
        "type": entry.kind,
    }
    if entry.command.guild_id is not None:
        data["guild_id"] = str(entry.command.guild_id)
    resolved: JsonObject = {}
    if entry.kind != SLASH:
        return data | _menu_target(hub, entry.kind, channel, target)
    options = _typed_options(hub, entry, channel, given, focused, resolved)
    for step in reversed(entry.steps):
        options = [{"type": step["type"], "name": step["name"], "options": options}]
    data["options"] = options
    if resolved:
        data["resolved"] = resolved
    return data


def _typed_options(
    hub: Hub, entry: Entry, channel: Channel, given: JsonObject, focused: str | None, resolved: JsonObject
) -> list[JsonObject]:
    known = _value_options(entry)
    names = {one["name"] for one in known}
    if strangers := [name for name in [*given, *([focused] if focused else [])] if name not in names]:
        raise Fault(400, f"/{entry.path} has no option {strangers[0]!r}; it has {sorted(names)}")
    typed: list[JsonObject] = []
    for option in known:
        name = option["name"]
        if focused is not None:
            if name in given or name == focused:
                part = {"type": option["type"], "name": name, "value": given.get(name, "")}
                typed.append({**part, "focused": True} if name == focused else part)
            continue
        if given.get(name) is None:
            if option.get("required"):
                raise Fault(400, f"/{entry.path} needs the option {name!r}")
            continue
        value = _value(hub, option, channel, given[name], resolved)
        typed.append({"type": option["type"], "name": name, "value": value})
    return typed


def _value(hub: Hub, option: JsonObject, channel: Channel, value: Any, resolved: JsonObject) -> Any:
    kind, name = option["type"], option["name"]
    if kind == STRING:
        _check_text(option, value)
    elif kind in (INTEGER, NUMBER):
        _check_number(option, value)
    elif kind == BOOLEAN:
        if not isinstance(value, bool):
            raise Fault(400, f"The option {name!r} takes true or false")
    elif kind == FILE_OPTION:
        return _resolve_file(hub, name, value, resolved)
    else:
        return _resolve(hub, kind, name, channel, value, resolved)
    choices = [one["value"] for one in objects_in(option.get("choices"))]
    if choices and value not in choices:
        raise Fault(400, f"The option {name!r} takes one of {choices}")
    return value


def _check_text(option: JsonObject, value: Any) -> None:
    if not isinstance(value, str):
        raise Fault(400, f"The option {option['name']!r} takes text")
    length = utf16_length(value)
    if length < (option.get("min_length") or 0) or length > (option.get("max_length") or 6000):
        raise Fault(400, f"The option {option['name']!r} is too short or too long")


def _check_number(option: JsonObject, value: Any) -> None:
    whole = option["type"] == INTEGER
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise Fault(400, f"The option {option['name']!r} takes a {'whole ' if whole else ''}number")
    least, most = option.get("min_value"), option.get("max_value")
    if (least is not None and value < least) or (most is not None and value > most):
        raise Fault(400, f"The option {option['name']!r} takes a number from {least} to {most}")


def _menu_target(hub: Hub, kind: int, channel: Channel, target: int | None) -> JsonObject:
    if target is None:
        raise Fault(400, 'A context menu needs a "target": the id of a member or message')
    resolved: JsonObject = {}
    if kind == 2:
        _resolve(hub, USER_OPTION, "target", channel, str(target), resolved)
    else:
        found = hub.world.messages.get(channel.id, {}).get(target)
        if found is None:
            raise Fault(404, f"There is no message {target} in this channel")
        resolved["messages"] = {str(target): payloads_messages.message(hub, found)}
    return {"target_id": str(target), "resolved": resolved}


def _resolve(hub: Hub, kind: int, name: str, channel: Channel, value: Any, resolved: JsonObject) -> str:
    wanted = as_id(value)
    if wanted is None or not resolve(hub, channel, wanted, kind, resolved):
        raise Fault(400, f"The option {name!r} takes the id of something that is here, not {value!r}")
    return str(wanted)


def resolve(hub: Hub, channel: Channel, wanted: int, kind: int, resolved: JsonObject) -> bool:
    """Add a user, role or channel to an interaction's resolved data; says whether there is such a thing."""
    world = hub.world
    guild = world.guilds.get(channel.guild_id or 0)
    if kind in (USER_OPTION, MENTIONABLE_OPTION) and wanted in world.users:
        resolved.setdefault("users", {})[str(wanted)] = payloads.user(world.users[wanted])
        if guild and wanted in guild.members:
            rights = permissions.in_channel(world, channel, wanted)
            member = payloads.member(hub, guild.members[wanted], with_user=False)
            resolved.setdefault("members", {})[str(wanted)] = {**member, "permissions": str(rights)}
        return True
    if kind in (ROLE_OPTION, MENTIONABLE_OPTION) and guild and wanted in guild.roles:
        resolved.setdefault("roles", {})[str(wanted)] = payloads.role(guild.roles[wanted])
        return True
    if (
        kind == CHANNEL_OPTION
        and guild
        and (found := world.channels.get(wanted))
        and found.guild_id == guild.id
    ):
        rights = permissions.in_channel(world, found, world.bot_id)
        shown = payloads.channel(hub, found)
        resolved.setdefault("channels", {})[str(wanted)] = {**shown, "permissions": str(rights)}
        return True
    return False


def _resolve_file(hub: Hub, name: str, value: Any, resolved: JsonObject) -> str:
    file = as_object(value) or {}
    try:
        data = base64.b64decode(str(file.get("data", "")), validate=True)
    except binascii.Error:
        data = b""
    filename = file.get("filename")
    if not isinstance(filename, str) or not filename or not data:
        raise Fault(400, f'The option {name!r} takes {{"filename": …, "data": base64 text}}')
    file_id = hub.clock.snowflake()
    hub.member_files[file_id] = data
    while len(hub.member_files) > MEMBER_FILES_KEPT:
        del hub.member_files[next(iter(hub.member_files))]
    url = f"{hub.cdn_base}/ephemeral-attachments/{file_id}/{filename}"
    resolved.setdefault("attachments", {})[str(file_id)] = {
        "id": str(file_id),
        "filename": filename,
        "size": len(data),
        "content_type": mimetypes.guess_type(filename)[0] or "application/octet-stream",
        "url": url,
        "proxy_url": url,
        "ephemeral": True,
    }
    return str(file_id)
