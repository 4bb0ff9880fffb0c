"""The world as the page and scripts see it through the control interface, each member with their own eyes.
Reads only.
"""

from typing import Any

from sandbox import markdown, payloads_messages, permissions
from sandbox.hub import Hub
from sandbox.interactions import Interaction
from sandbox.rules_components import Part
from sandbox.wire import JsonObject, as_list, as_object, control_time, ids
from sandbox.world import DM, LOADING, Guild, Message


def world(hub: Hub) -> JsonObject:
    """Write who and what there is."""
    bot = hub.world.users[hub.world.bot_id]
    dms = [one for one in hub.world.channels.values() if one.type == DM]
    return {
        "bot": {
            "id": str(bot.id),
            "name": bot.display_name,
            "online": hub.bot_online,
            "application_id": str(bot.id),
        },
        "now": control_time(hub.clock.now()),
        "guilds": [_guild(hub, one) for one in hub.world.guilds.values()],
        "dms": [
            {"id": str(one.id), "member": str(next(each for each in one.recipients if each != bot.id))}
            for one in dms
        ],
    }


def _guild(hub: Hub, guild: Guild) -> JsonObject:
    channels = hub.world.channels_of(guild.id)
    return {
        "id": str(guild.id),
        "name": guild.name,
        "locale": guild.locale,
        "owner_id": str(guild.owner_id),
        "channels": [
            {
                "id": str(one.id),
                "name": one.name,
                "type": one.type,
                "parent_id": None if one.parent_id is None else str(one.parent_id),
                "topic": one.topic,
                "archived": bool(one.thread and one.thread.archived),
                "locked": bool(one.thread and one.thread.locked),
                "overwrites": [
                    {"id": str(each.id), "allow": str(each.allow), "deny": str(each.deny)}
                    for each in one.overwrites.values()
                ],
                "bot_permissions": str(permissions.in_channel(hub.world, one, hub.world.bot_id)),
            }
            for one in channels
        ],
        "roles": [
            {"id": str(one.id), "name": one.name, "color": one.color, "permissions": str(one.permissions)}
            for one in guild.roles.values()
        ],
        "members": [_member(hub, guild, user_id) for user_id in guild.members],
    }


def _member(hub: Hub, guild: Guild, user_id: int) -> JsonObject:
    person = hub.world.users[user_id]
    hidden = [
        one.id for one in hub.world.channels_of(guild.id) if not permissions.may_view(hub.world, one, user_id)
    ]
    return {
        "id": str(user_id),
        "name": person.display_name,
        "locale": person.locale,
        "roles": ids(guild.members[user_id].roles),
        "bot": person.bot,
        "permissions": str(permissions.in_guild(guild, user_id)),
        "hidden": ids(hidden),
    }


def message(hub: Hub, message: Message, deleted: bool = False) -> JsonObject:
    """Write a message with its texts as HTML too."""
    world = hub.world
    author = world.users[message.author_id]

    def named(kind: str, number: int) -> str | None:
        return _name_of(hub, kind, number)

    components = payloads_messages.with_files(hub, message, message.components)
    return {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "author": {"id": str(author.id), "name": author.display_name, "bot": author.bot},
        "timestamp": control_time(message.created_at),
        "edited_timestamp": control_time(message.edited_at) if message.edited_at else None,
        "flags": message.flags,
        "content": message.content,
        "content_html": markdown.render(message.content, named),
        "components": with_html(components, named),
        "embeds": payloads_messages.with_files(hub, message, message.embeds),
        "attachments": []
        if message.is_v2
        else [payloads_messages.attachment(hub, message, file) for file in message.attachments],
        "reply_to": None if message.reply_to is None else str(message.reply_to),
        "ephemeral": message.ephemeral_for is not None,
        "interaction": _origin(hub, message),
        "deleted": deleted,
    }


def with_html(value: Any, named: markdown.Named) -> Any:
    """Copy components, adding "html" to every Text Display."""
    fields = as_object(value)
    if fields is not None:
        copied = {name: with_html(item, named) for name, item in fields.items()}
        if fields.get("type") == Part.TEXT and isinstance(fields.get("content"), str):
            copied["html"] = markdown.render(fields["content"], named)
        return copied
    values = as_list(value)
    return value if values is None else [with_html(item, named) for item in values]


def modal(hub: Hub, modal: JsonObject) -> JsonObject:
    """Write a modal with its texts as HTML too."""
    return with_html(modal, lambda kind, number: _name_of(hub, kind, number))


def interaction(hub: Hub, interaction: Interaction) -> JsonObject:
    """Write what became of an interaction."""
    held = hub.world.messages.get(interaction.channel_id, {})
    return {
        "id": str(interaction.id),
        "token": interaction.token,
        "kind": interaction.kind.name.lower(),
        "member": str(interaction.user_id),
        "channel_id": str(interaction.channel_id),
        "state": interaction.state,
        "callback_type": interaction.callback_type,
        "modal": modal(hub, interaction.modal) if interaction.modal else None,
        "messages": [message(hub, held[one]) for one in interaction.message_ids if one in held],
        "created_at": control_time(interaction.created_at),
        "answered_at": control_time(interaction.answered_at) if interaction.answered_at else None,
    }


def interaction_frame(interaction: Interaction) -> JsonObject:
    """Write what the acting member's page is told about an interaction."""
    source = interaction.source_message_id
    return {
        "type": "interaction",
        "id": str(interaction.id),
        "kind": interaction.kind.name.lower(),
        "channel_id": str(interaction.channel_id),
        "message_id": None if source is None else str(source),
        "custom_id": interaction.data.get("custom_id"),
        "state": interaction.state,
    }


def _origin(hub: Hub, message: Message) -> JsonObject | None:
    origin = message.origin
    if origin is None:
        return None
    person = hub.world.users[origin.user_id]
    state = "done"
    if message.flags & LOADING:
        state = "failed" if hub.interactions.token_is_dead(origin.interaction_id) else "thinking"
    return {
        "name": None if origin.command is None else f"/{origin.command}",
        "user": {"id": str(person.id), "name": person.display_name},
        "state": state,
    }


def _name_of(hub: Hub, kind: str, number: int) -> str | None:
    if kind == "member":
        person = hub.world.users.get(number)
        return person.display_name if person else None
    if kind == "channel":
        channel = hub.world.channels.get(number)
        return channel.name if channel else None
    roles = (guild.roles[number].name for guild in hub.world.guilds.values() if number in guild.roles)
    return next(roles, None)
