"""Writing, editing and deleting messages: the form is checked, the world changed and the feed told. Whether
somebody may do it is decided by who calls.
"""

import itertools
import mimetypes
from dataclasses import dataclass

from sandbox import permissions
from sandbox.component_tree import completed
from sandbox.events import MessageCreated, MessageDeleted, MessageEdited
from sandbox.hub import Hub, Sent
from sandbox.mentions import Mentions, find_mentions
from sandbox.permissions import Permission
from sandbox.rules_messages import EDIT_FLAGS, Setting, check_message, texts_of
from sandbox.wire import JsonObject, as_id, as_object, objects_in
from sandbox.world import (
    COMPONENTS_V2,
    LOADING,
    SUPPRESS_EMBEDS,
    Attachment,
    Channel,
    Message,
    Origin,
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    filename: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Manner:
    """How a message comes into being: its author, kind, origin, whose eyes only, and the defaults of its way."""

    author_id: int
    flags: int
    mentions: JsonObject
    kind: int = 0
    origin: Origin | None = None
    ephemeral_for: int | None = None
    path: tuple[str, ...] = ()
    message_id: int | None = None


def create(
    hub: Hub, channel: Channel, data: JsonObject, uploads: dict[int, Upload], manner: Manner
) -> Message:
    """Write a message; raises the refusal of a bad form. A nonce seen lately brings back the earlier message."""
    message = prepare(hub, channel, data, uploads, manner)
    if earlier := _sent_before(hub, data, manner.author_id):
        return earlier
    put(hub, channel, message)
    if message.nonce is not None:
        _remember_nonce(hub, message)
    return message


def prepare(
    hub: Hub, channel: Channel, data: JsonObject, uploads: dict[int, Upload], manner: Manner
) -> Message:
    """Make a message of a form without placing it anywhere yet; raises the refusal of a bad form."""
    names = {index: upload.filename for index, upload in uploads.items()}
    check_message(data, Setting(manner.flags, names), manner.path)
    message = Message(
        manner.message_id or hub.clock.snowflake(),
        channel.id,
        manner.author_id,
        hub.clock.now(),
        content=(data.get("content") or "").strip(),
        kind=manner.kind,
        flags=int(data.get("flags") or 0),
        components=completed(objects_in(data.get("components"))),
        embeds=_embeds(data),
        attachments=_attachments(hub, data, uploads, []),
        nonce=data.get("nonce"),
        tts=bool(data.get("tts")),
        poll=as_object(data.get("poll")),
        origin=manner.origin,
        ephemeral_for=manner.ephemeral_for,
    )
    if reference := as_object(data.get("message_reference")):
        message.reply_to = as_id(reference.get("message_id"))
        message.kind = 19
    elif manner.origin and manner.origin.source_message_id is not None:
        message.reply_to = manner.origin.source_message_id
        message.kind = 19
    _mark(message, mentions_of(hub, channel, message, data, manner.mentions))
    return message


def put(hub: Hub, channel: Channel, message: Message) -> None:
    """Place a finished message in its channel; a message wakes an archived thread."""
    hub.world.messages.setdefault(channel.id, {})[message.id] = message
    if message.ephemeral_for is None:
        channel.last_message_id = message.id
        if channel.thread:
            channel.thread.archived = False
    hub.feed.publish(MessageCreated(message))


def edit(
    hub: Hub, message: Message, data: JsonObject, uploads: dict[int, Upload], mentions: JsonObject
) -> None:
    """Change a message; only the fields that are there change, and pings are worked out anew."""
    names = {index: upload.filename for index, upload in uploads.items()}
    check_message(data, Setting(EDIT_FLAGS, names, message))
    if "content" in data:
        message.content = (data["content"] or "").strip()
    if "embeds" in data:
        message.embeds = _embeds(data)
    if "components" in data:
        message.components = completed(objects_in(data["components"]))
    if "poll" in data:
        message.poll = as_object(data["poll"])
    if uploads or "attachments" in data:
        message.attachments = _attachments(hub, data, uploads, message.attachments)
    if data.get("flags") is not None:
        wanted = int(data["flags"])
        message.flags = (message.flags & ~SUPPRESS_EMBEDS) | (wanted & (SUPPRESS_EMBEDS | COMPONENTS_V2))
    message.flags &= ~LOADING
    message.edited_at = hub.clock.now()
    channel = hub.world.channels[message.channel_id]
    _mark(message, mentions_of(hub, channel, message, data, mentions))
    hub.feed.publish(MessageEdited(message))


def delete(hub: Hub, message: Message) -> None:
    """Take a message away."""
    hub.world.messages[message.channel_id].pop(message.id, None)
    hub.feed.publish(MessageDeleted(message))


def mentions_of(
    hub: Hub, channel: Channel, message: Message, data: JsonObject, default: JsonObject
) -> Mentions:
    """Work out whom a message pings."""
    world = hub.world
    guild = world.guilds[channel.guild_id] if channel.guild_id is not None else None
    rights = permissions.in_channel(world, channel, message.author_id)
    texts = [message.content, *texts_of(message.components)]
    return find_mentions(
        texts,
        data.get("allowed_mentions"),
        default,
        guild,
        bool(rights & Permission.MENTION_EVERYONE),
        set(guild.members) if guild else set(channel.recipients),
    )


def _embeds(data: JsonObject) -> list[JsonObject]:
    return [{**embed, "type": "rich"} for embed in objects_in(data.get("embeds"))]


def _sent_before(hub: Hub, data: JsonObject, author_id: int) -> Message | None:
    if not data.get("enforce_nonce") or data.get("nonce") is None:
        return None
    key = (author_id, str(data["nonce"]))
    since = hub.clock.now() - hub.settings.nonce_window
    sent = hub.nonces.get(key)
    if sent is None or sent.at < since:
        return None
    exists = sent.message.id in hub.world.messages.get(sent.message.channel_id, {})
    return sent.message if exists else None


def _remember_nonce(hub: Hub, message: Message) -> None:
    oldest = hub.clock.now() - hub.settings.nonce_window
    for key in [key for key, sent in itertools.islice(hub.nonces.items(), 100) if sent.at < oldest]:
        del hub.nonces[key]
    key = (message.author_id, str(message.nonce))
    hub.nonces.pop(key, None)
    hub.nonces[key] = Sent(message, hub.clock.now())


def _attachments(
    hub: Hub, data: JsonObject, uploads: dict[int, Upload], current: list[Attachment]
) -> list[Attachment]:
    listed = {as_id(entry.get("id")): entry for entry in objects_in(data.get("attachments"))}
    kept = current if data.get("attachments") is None else [file for file in current if file.id in listed]
    if "attachments" in data and data["attachments"] is None:
        kept = []
    for file in kept:
        if (entry := listed.get(file.id)) and "description" in entry:
            file.description = entry["description"]
    made: list[Attachment] = []
    for index, upload in sorted(uploads.items()):
        entry = listed.get(index, {})
        name = str(entry.get("filename") or upload.filename)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        made.append(Attachment(hub.clock.snowflake(), name, kind, upload.data, entry.get("description")))
    return [*kept, *made]


def _mark(message: Message, mentions: Mentions) -> None:
    message.mentions = mentions.users
    message.mention_roles = mentions.roles
    message.mention_everyone = mentions.everyone
