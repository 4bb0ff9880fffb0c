"""What members do: use a command, press, choose, submit, write. As in Discord's client, only what a member
sees and may use can be used; everything else is a fault of the script that asked.
"""

from typing import Any

from sandbox import menu, payloads_messages, permissions, posts
from sandbox.component_tree import find_custom, walk
from sandbox.events import InteractionCreated
from sandbox.faults import Fault
from sandbox.hub import Hub
from sandbox.interactions import Interaction, Kind
from sandbox.mentions import ALL
from sandbox.posts import Manner
from sandbox.rules_commands import CHANNEL_OPTION, MENTIONABLE_OPTION, ROLE_OPTION, USER_OPTION
from sandbox.rules_components import LINK, SELECTS, Part
from sandbox.rules_messages import SENT_FLAGS
from sandbox.wire import JsonObject, as_id, as_list, as_object, objects_in, utf16_length
from sandbox.world import DM, Channel, Message, User

_RESOLVES = {
    Part.USER_SELECT: USER_OPTION,
    Part.ROLE_SELECT: ROLE_OPTION,
    Part.MENTIONABLE_SELECT: MENTIONABLE_OPTION,
    Part.CHANNEL_SELECT: CHANNEL_OPTION,
}


def sees(hub: Hub, person: User, message: Message) -> bool:
    """Say whether a member sees a message: the channel, and if it is ephemeral, that it is theirs."""
    channel = hub.world.channels.get(message.channel_id)
    if channel is None or message.ephemeral_for not in (None, person.id):
        return False
    return permissions.may_view(hub.world, channel, person.id)


def use_command(
    hub: Hub, person: User, channel: Channel, path: str, options: JsonObject, target: int | None
) -> Interaction:
    """Use a slash command or context menu."""
    _need_awake(channel)
    entry = menu.find_entry(hub, person, channel, path)
    data = menu.command_data(hub, entry, channel, options, target)
    return _begin(hub, Kind.COMMAND, person, channel, data, command=entry.path)


def autocomplete(
    hub: Hub, person: User, channel: Channel, path: str, options: JsonObject, focused: str
) -> Interaction:
    """Ask for an option's suggestions."""
    entry = menu.find_entry(hub, person, channel, path)
    data = menu.command_data(hub, entry, channel, options, None, focused)
    return _begin(hub, Kind.AUTOCOMPLETE, person, channel, data, command=entry.path)


def press(hub: Hub, person: User, message: Message, custom_id: str) -> Interaction:
    """Press a button."""
    part = _usable(hub, person, message, custom_id)
    if part["type"] != Part.BUTTON or part.get("style") == LINK:
        raise Fault(400, f"{custom_id!r} is no button; use POST /control/select for selects")
    return _use(hub, person, message, part, {})


def select(hub: Hub, person: User, message: Message, custom_id: str, values: list[Any]) -> Interaction:
    """Choose in a select."""
    part = _usable(hub, person, message, custom_id)
    if part["type"] not in SELECTS:
        raise Fault(400, f"{custom_id!r} is no select; use POST /control/press for buttons")
    chosen = [str(value) for value in values]
    extra = check_chosen(hub, hub.world.channels[message.channel_id], part, chosen)
    return _use(hub, person, message, part, {"values": chosen, **extra})


def _use(hub: Hub, person: User, message: Message, part: JsonObject, extra: JsonObject) -> Interaction:
    channel = hub.world.channels[message.channel_id]
    _need_awake(channel)
    data = {"custom_id": part["custom_id"], "component_type": part["type"], "id": part["id"], **extra}
    return _begin(hub, Kind.COMPONENT, person, channel, data, source=message)


def _usable(hub: Hub, person: User, message: Message, custom_id: str) -> JsonObject:
    if not sees(hub, person, message):
        raise Fault(404, f"{person.display_name} sees no message {message.id}")
    part = find_custom(message.components, custom_id)
    if part is None:
        known = [one["custom_id"] for one in walk(message.components) if "custom_id" in one]
        raise Fault(400, f"The message has no component {custom_id!r}; it has {known}")
    if part.get("disabled"):
        raise Fault(400, f"The component {custom_id!r} is disabled")
    return part


def check_chosen(hub: Hub, channel: Channel, part: JsonObject, chosen: list[str]) -> JsonObject:
    """Check what was chosen in a select; returns the resolved things, if the select is not one of texts."""
    least, most = part.get("min_values"), part.get("max_values")
    if not (1 if least is None else least) <= len(chosen) <= (most or 1) or len(set(chosen)) < len(chosen):
        raise Fault(400, f"{part['custom_id']!r} takes {least} to {most or 1} different values")
    if part["type"] == Part.STRING_SELECT:
        offered = [one["value"] for one in objects_in(part.get("options"))]
        if strangers := [one for one in chosen if one not in offered]:
            raise Fault(400, f"{part['custom_id']!r} does not offer {strangers[0]!r}; it offers {offered}")
        return {}
    resolved: JsonObject = {}
    for one in chosen:
        wanted = as_id(one)
        if wanted is None or not menu.resolve(hub, channel, wanted, _RESOLVES[Part(part["type"])], resolved):
            raise Fault(
                400, f"{part['custom_id']!r} cannot take {one!r}; give the id of something that is here"
            )
    return {"resolved": resolved}


def submit(hub: Hub, person: User, opener: Interaction, values: JsonObject) -> Interaction:
    """Submit a modal that an interaction of this member opened."""
    if opener.modal is None or opener.user_id != person.id:
        raise Fault(400, f"The interaction {opener.id} opened no modal for {person.display_name}")
    channel = hub.world.channels.get(opener.channel_id)
    if channel is None:
        raise Fault(404, "The channel is gone")
    left = dict(values)
    resolved: JsonObject = {}
    components = [
        _submitted(hub, channel, part, left, resolved) for part in objects_in(opener.modal["components"])
    ]
    if left:
        raise Fault(400, f"The modal has no field {next(iter(left))!r}")
    data: JsonObject = {"custom_id": opener.modal["custom_id"], "components": components}
    if resolved:
        data["resolved"] = resolved
    source = None
    if opener.source_message_id is not None:
        source = hub.world.messages.get(channel.id, {}).get(opener.source_message_id)
    return _begin(hub, Kind.MODAL, person, channel, data, source=source)


def _submitted(
    hub: Hub, channel: Channel, part: JsonObject, left: JsonObject, resolved: JsonObject
) -> JsonObject:
    head = {"type": part["type"], "id": part["id"]}
    if part["type"] == Part.ROW:
        return {
            **head,
            "components": [_field(hub, channel, one, left, resolved) for one in part["components"]],
        }
    if part["type"] == Part.LABEL:
        return {**head, "component": _field(hub, channel, part["component"], left, resolved)}
    return head


def _field(
    hub: Hub, channel: Channel, field: JsonObject, left: JsonObject, resolved: JsonObject
) -> JsonObject:
    custom_id, kind = field["custom_id"], field["type"]
    head = {"type": kind, "id": field["id"], "custom_id": custom_id}
    value = left.pop(custom_id, None)
    required = field.get("required", True) is not False and kind != Part.CHECKBOX
    if required and value in (None, "", []):
        raise Fault(400, f"The field {custom_id!r} must be filled in")
    if kind == Part.TEXT_INPUT:
        text = "" if value is None else str(value)
        length = utf16_length(text)
        if text and not (field.get("min_length") or 0) <= length <= (field.get("max_length") or 4000):
            raise Fault(400, f"The text in {custom_id!r} is too short or too long")
        return {**head, "value": text}
    if kind == Part.CHECKBOX:
        return {**head, "value": bool(value)}
    if kind == Part.RADIO:
        _check_offered(field, [] if value is None else [str(value)])
        return {**head, "value": value}
    chosen = [str(one) for one in as_list(value) or ([] if value is None else [value])]
    if kind == Part.CHECKBOXES:
        _check_offered(field, chosen)
        if chosen and not (field.get("min_values") or 0) <= len(chosen) <= (field.get("max_values") or 10):
            raise Fault(400, f"Too few or too many are checked in {custom_id!r}")
    elif kind in SELECTS and chosen:
        found = as_object(check_chosen(hub, channel, field, chosen).get("resolved")) or {}
        for name, things in found.items():
            resolved.setdefault(name, {}).update(things)
    elif kind == Part.UPLOAD and chosen:
        raise Fault(400, "Files cannot be uploaded in a modal here; use a command's file option")
    return {**head, "values": chosen}


def _check_offered(field: JsonObject, chosen: list[str]) -> None:
    offered = [one["value"] for one in objects_in(field.get("options"))]
    if strangers := [one for one in chosen if one not in offered]:
        raise Fault(400, f"{field['custom_id']!r} does not offer {strangers[0]!r}; it offers {offered}")


def write(hub: Hub, person: User, channel: Channel, content: str) -> Message:
    """Write a plain message."""
    if not permissions.may_send(hub.world, channel, person.id) or not channel.takes_messages:
        raise Fault(400, f"{person.display_name} may not write here")
    manner = Manner(person.id, SENT_FLAGS, ALL)
    return posts.create(hub, channel, {"content": content}, {}, manner)


def _need_awake(channel: Channel) -> None:
    if channel.thread and channel.thread.archived:
        raise Fault(400, "The thread is archived: no commands or components work in it")


def _begin(
    hub: Hub,
    kind: Kind,
    person: User,
    channel: Channel,
    data: JsonObject,
    command: str | None = None,
    source: Message | None = None,
) -> Interaction:
    if channel.type != DM and not permissions.may_view(hub.world, channel, person.id):
        raise Fault(404, f"{person.display_name} does not see this channel")
    source_id = source.id if source else None
    interaction = hub.interactions.open(
        kind, person.id, channel.id, channel.guild_id, data, command, source_id
    )
    payload = payloads_messages.interaction(hub, interaction, source)
    hub.feed.publish(InteractionCreated(interaction, payload))
    return interaction
