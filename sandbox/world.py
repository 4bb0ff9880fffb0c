"""What the sandbox's Discord consists of: guilds, channels, members, messages, commands. Plain data with
look-ups; changing it, checking it and telling others about it happen elsewhere, so that it can be stored
and loaded as it is.
"""

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import Base64Bytes

from sandbox.wire import JsonObject

TEXT, DM, VOICE, CATEGORY, ANNOUNCEMENT = 0, 1, 2, 4, 5
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM, MEDIA = 10, 11, 12, 13, 15, 16
THREADS = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)
POST_ONLY = (FORUM, MEDIA)

SUPPRESS_EMBEDS, EPHEMERAL, LOADING = 4, 64, 128
SUPPRESS_NOTIFICATIONS, VOICE_MESSAGE, COMPONENTS_V2 = 4096, 8192, 32768

BOT_ROLE = "Etüt"


@dataclass(slots=True)
class User:
    """Somebody with an account: a person or the bot."""

    id: int
    name: str
    display_name: str
    locale: str = "en-US"
    bot: bool = False
    takes_dms: bool = True


@dataclass(slots=True)
class Role:
    """A role of a guild; @everyone has the guild's id and position 0."""

    id: int
    name: str
    permissions: int
    position: int
    color: int = 0
    mentionable: bool = False
    managed_by: int | None = None


@dataclass(slots=True)
class Overwrite:
    """What a channel allows and denies one role (kind 0) or member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class ThreadState:
    """What a thread has beyond other channels."""

    owner_id: int
    created_at: datetime
    archived_at: datetime
    auto_archive_minutes: int = 1440
    archived: bool = False
    locked: bool = False
    members: set[int] = field(default_factory=set[int])
    tags: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class Channel:
    """A channel, category, forum, thread or direct conversation."""

    id: int
    type: int
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    position: int = 0
    topic: str | None = None
    slowmode_s: int = 0
    flags: int = 0
    last_message_id: int | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict[int, Overwrite])
    recipients: list[int] = field(default_factory=list[int])
    forum_tags: list[JsonObject] = field(default_factory=list[JsonObject])
    thread: ThreadState | None = None

    @property
    def is_private_thread(self) -> bool:
        """Say whether only its members see this thread."""
        return self.type == PRIVATE_THREAD

    @property
    def takes_messages(self) -> bool:
        """Say whether messages can stand here: not in forums and categories."""
        return self.type not in (*POST_ONLY, CATEGORY)


@dataclass(slots=True)
class Member:
    """A user in a guild."""

    user_id: int
    joined_at: datetime
    roles: list[int] = field(default_factory=list[int])
    nick: str | None = None


@dataclass(slots=True)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    features: list[str] = field(default_factory=list[str])
    roles: dict[int, Role] = field(default_factory=dict[int, Role])
    members: dict[int, Member] = field(default_factory=dict[int, Member])


@dataclass(slots=True)
class Attachment:
    """A file of a message, with its bytes."""

    id: int
    filename: str
    content_type: str
    data: Base64Bytes
    description: str | None = None


@dataclass(slots=True)
class Origin:
    """The interaction a message answers."""

    interaction_id: int
    kind: int
    user_id: int
    command: str | None = None
    source_message_id: int | None = None


@dataclass(slots=True)
class Message:
    """A message; an ephemeral one names the only user who sees it."""

    id: int
    channel_id: int
    author_id: int
    created_at: datetime
    content: str = ""
    kind: int = 0
    flags: int = 0
    edited_at: datetime | None = None
    components: list[JsonObject] = field(default_factory=list[JsonObject])
    embeds: list[JsonObject] = field(default_factory=list[JsonObject])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    mentions: list[int] = field(default_factory=list[int])
    mention_roles: list[int] = field(default_factory=list[int])
    mention_everyone: bool = False
    nonce: str | int | None = None
    tts: bool = False
    reply_to: int | None = None
    poll: JsonObject | None = None
    origin: Origin | None = None
    ephemeral_for: int | None = None

    @property
    def is_v2(self) -> bool:
        """Say whether the message is made of Components V2."""
        return bool(self.flags & COMPONENTS_V2)


@dataclass(slots=True)
class Command:
    """A registered application command; `data` holds its names, texts and options as checked."""

    id: int
    version: int
    guild_id: int | None
    data: JsonObject


@dataclass(slots=True)
class World:
    """Everything there is."""

    bot_id: int
    users: dict[int, User] = field(default_factory=dict[int, User])
    guilds: dict[int, Guild] = field(default_factory=dict[int, Guild])
    channels: dict[int, Channel] = field(default_factory=dict[int, Channel])
    messages: dict[int, dict[int, Message]] = field(default_factory=dict[int, dict[int, Message]])
    commands: dict[int, Command] = field(default_factory=dict[int, Command])

    def find_message(self, message_id: int) -> Message | None:
        """Look for a message in all channels."""
        for messages in self.messages.values():
            if message := messages.get(message_id):
                return message
        return None

    def messages_in(self, channel_id: int) -> list[Message]:
        """List a channel's messages, oldest first, ephemeral ones among them."""
        return list(self.messages.get(channel_id, {}).values())

    def channels_of(self, guild_id: int) -> list[Channel]:
        """List a guild's channels and threads."""
        return [channel for channel in self.channels.values() if channel.guild_id == guild_id]

    def threads_of(self, parent_id: int) -> list[Channel]:
        """List the threads of a channel."""
        return [
            channel for channel in self.channels.values() if channel.thread and channel.parent_id == parent_id
        ]

    def conversation_of(self, user_id: int) -> Channel | None:
        """Find the direct conversation of a user with the bot."""
        for channel in self.channels.values():
            if channel.type == DM and user_id in channel.recipients:
                return channel
        return None

    def highest_id(self) -> int:
        """Tell the highest id in use."""
        made = [*self.users, *self.guilds, *self.channels, *self.commands]
        made += [role for guild in self.guilds.values() for role in guild.roles]
        for messages in self.messages.values():
            for message in messages.values():
                made += [message.id, *(file.id for file in message.attachments)]
        return max(made, default=0)
