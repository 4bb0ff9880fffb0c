"""Messages and interactions as Discord's JSON. Reads only."""

from typing import Any

from sandbox import payloads, permissions
from sandbox.hub import Hub
from sandbox.interactions import Interaction
from sandbox.wire import JsonObject, as_list, as_object, discord_time, ids
from sandbox.world import Attachment, Channel, Message, Origin

INTERACTION_VERSION = 1
ATTACHED = "attachment://"
FILE = 13


def attachment(hub: Hub, message: Message, file: Attachment) -> JsonObject:
    """Write a file of a message."""
    url = file_url(hub, message, file)
    payload: JsonObject = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "content_type": file.content_type,
        "url": url,
        "proxy_url": url,
        "flags": 0,
    }
    if file.description is not None:
        payload["description"] = file.description
    return payload


def file_url(hub: Hub, message: Message, file: Attachment) -> str:
    """Tell where a file is served."""
    return f"{hub.cdn_base}/attachments/{message.channel_id}/{file.id}/{file.filename}"


def message(hub: Hub, message: Message) -> JsonObject:
    """Write a message as REST answers with it. V2 messages list no attachments although they hold files."""
    world = hub.world
    payload: JsonObject = {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "type": message.kind,
        "content": message.content,
        "author": payloads.user(world.users[message.author_id]),
        "timestamp": discord_time(message.created_at),
        "edited_timestamp": discord_time(message.edited_at) if message.edited_at else None,
        "flags": message.flags,
        "tts": message.tts,
        "pinned": False,
        "mention_everyone": message.mention_everyone,
        "mentions": [payloads.user(world.users[one]) for one in message.mentions],
        "mention_roles": ids(message.mention_roles),
        "attachments": []
        if message.is_v2
        else [attachment(hub, message, file) for file in message.attachments],
        "embeds": with_files(hub, message, message.embeds),
        "components": with_files(hub, message, message.components),
    }
    if message.nonce is not None:
        payload["nonce"] = message.nonce
    if message.poll is not None:
        payload["poll"] = message.poll
    if message.reply_to is not None:
        payload |= _reference(hub, message, message.reply_to)
    if message.origin:
        payload |= _origin(hub, message.origin)
    if message.id in world.channels and message.channel_id != message.id:
        payload["thread"] = payloads.channel(hub, world.channels[message.id])
    return payload


def message_for_gateway(hub: Hub, one: Message, with_content: bool) -> JsonObject:
    """Write a message as the gateway carries it: with guild and member, and perhaps without its contents."""
    payload = message(hub, one)
    channel = hub.world.channels[one.channel_id]
    if channel.guild_id is not None:
        payload["guild_id"] = str(channel.guild_id)
        author = hub.world.guilds[channel.guild_id].members.get(one.author_id)
        if author and one.origin is None:
            payload["member"] = payloads.member(hub, author, with_user=False)
    if not with_content:
        payload |= {"content": "", "embeds": [], "components": [], "attachments": []}
    return payload


def with_files(hub: Hub, message: Message, value: Any) -> Any:
    """Return components or embeds with every attachment:// address resolved."""
    if not message.attachments:
        return value
    fields = as_object(value)
    if fields is not None:
        copied = {key: with_files(hub, message, item) for key, item in fields.items()}
        if file := _attached(message, fields.get("url")):
            copied |= _unfurled(hub, message, file)
        elif fields.get("type") == FILE and (file := _attached(message, fields["file"]["url"])):
            copied |= {"name": file.filename, "size": len(file.data)}
        return copied
    values = as_list(value)
    return value if values is None else [with_files(hub, message, item) for item in values]


def _attached(message: Message, url: Any) -> Attachment | None:
    if not isinstance(url, str) or not url.startswith(ATTACHED):
        return None
    filename = url.removeprefix(ATTACHED)
    return next((file for file in message.attachments if file.filename == filename), None)


def _unfurled(hub: Hub, message: Message, file: Attachment) -> JsonObject:
    url = file_url(hub, message, file)
    return {
        "id": str(file.id),
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
        "attachment_id": str(file.id),
        "width": None,
        "height": None,
    }


def _reference(hub: Hub, message: Message, replied: int) -> JsonObject:
    channel = hub.world.channels[message.channel_id]
    reference: JsonObject = {"type": 0, "channel_id": str(message.channel_id), "message_id": str(replied)}
    if channel.guild_id is not None:
        reference["guild_id"] = str(channel.guild_id)
    original = hub.world.messages.get(message.channel_id, {}).get(replied)
    if original is not None and original.reply_to is None:
        return {"message_reference": reference, "referenced_message": _quoted(hub, original)}
    return (
        {"message_reference": reference}
        if original
        else {"message_reference": reference, "referenced_message": None}
    )


def _quoted(hub: Hub, original: Message) -> JsonObject:
    return message(hub, original)


def _origin(hub: Hub, origin: Origin) -> JsonObject:
    person = payloads.user(hub.world.users[origin.user_id])
    metadata: JsonObject = {
        "id": str(origin.interaction_id),
        "type": origin.kind,
        "user": person,
        "authorizing_integration_owners": {},
    }
    payload: JsonObject = {
        "application_id": str(hub.world.bot_id),
        "webhook_id": str(hub.world.bot_id),
        "interaction_metadata": metadata,
    }
    if origin.source_message_id is not None:
        metadata["interacted_message_id"] = str(origin.source_message_id)
    if origin.command is not None:
        metadata["name"] = origin.command
        payload["interaction"] = {
            "id": str(origin.interaction_id),
            "type": origin.kind,
            "name": origin.command,
            "user": person,
        }
    return payload


def interaction(hub: Hub, interaction: Interaction, source: Message | None = None) -> JsonObject:
    """Write an interaction as the bot receives it."""
    world = hub.world
    channel = world.channels[interaction.channel_id]
    person = world.users[interaction.user_id]
    payload: JsonObject = {
        "id": str(interaction.id),
        "application_id": str(world.bot_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": INTERACTION_VERSION,
        "data": interaction.data,
        "locale": person.locale,
        "channel_id": str(channel.id),
        "channel": _partial_channel(hub, channel, interaction.user_id),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": hub.settings.attachment_limit_bytes,
        "app_permissions": str(permissions.in_channel(world, channel, world.bot_id)),
    }
    if channel.guild_id is not None:
        guild = world.guilds[channel.guild_id]
        payload |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": guild.features},
            "guild_locale": guild.locale,
            "member": payloads.acting_member(hub, channel, interaction.user_id),
            "context": 0,
            "authorizing_integration_owners": {"0": str(guild.id)},
        }
    else:
        payload |= {"user": payloads.user(person), "context": 1, "authorizing_integration_owners": {"0": "0"}}
    if source is not None:
        payload["message"] = message(hub, source)
    return payload


def _partial_channel(hub: Hub, channel: Channel, user_id: int) -> JsonObject:
    payload = payloads.channel(hub, channel)
    payload.pop("permission_overwrites", None)
    return {**payload, "permissions": str(permissions.in_channel(hub.world, channel, user_id))}
