"""Changes of the world other than messages: guilds, channels, threads, roles, members. Each changes the
world and tells the feed the gateway's event. Whether somebody may do it is decided by who calls.
"""

from sandbox import payloads, posts
from sandbox.events import WorldChanged
from sandbox.hub import Hub
from sandbox.start_world import add_guild
from sandbox.wire import JsonObject, ids
from sandbox.world import (
    DM,
    POST_ONLY,
    PUBLIC_THREAD,
    Channel,
    Guild,
    Member,
    Overwrite,
    Role,
    ThreadState,
    User,
)

GUILDS_INTENT = 1 << 0
MEMBERS_INTENT = 1 << 1


def _tell(hub: Hub, name: str, guild: Guild, data: JsonObject, intent: int = GUILDS_INTENT) -> None:
    hub.feed.publish(WorldChanged(name, guild.id, data, intent))


def create_guild(hub: Hub, name: str, owner_id: int, locale: str) -> Guild:
    """Make a guild that the bot is in."""
    guild = add_guild(hub.world, hub.clock, name, owner_id, locale)
    _tell(hub, "GUILD_CREATE", guild, payloads.guild_for_gateway(hub, guild))
    return guild


def create_member(hub: Hub, guild: Guild, name: str, locale: str, roles: list[int]) -> Member:
    """Let a new person join a guild."""
    person = User(hub.clock.snowflake(), name.lower(), name, locale)
    hub.world.users[person.id] = person
    member = Member(person.id, hub.clock.now(), roles)
    guild.members[person.id] = member
    data = {**payloads.member(hub, member), "guild_id": str(guild.id)}
    _tell(hub, "GUILD_MEMBER_ADD", guild, data, MEMBERS_INTENT)
    return member


def set_roles(hub: Hub, guild: Guild, member: Member, roles: list[int]) -> None:
    """Give a member exactly these roles."""
    member.roles = roles
    data = {**payloads.member(hub, member), "guild_id": str(guild.id)}
    # The bot hears of its own roles without the members intent.
    intent = GUILDS_INTENT if member.user_id == hub.world.bot_id else MEMBERS_INTENT
    _tell(hub, "GUILD_MEMBER_UPDATE", guild, data, intent)


def create_role(hub: Hub, guild: Guild, name: str, permissions: int, color: int = 0) -> Role:
    """Make a role, just above @everyone."""
    for other in guild.roles.values():
        if other.position >= 1:
            other.position += 1
    role = Role(hub.clock.snowflake(), name, permissions, 1, color)
    guild.roles[role.id] = role
    _tell(hub, "GUILD_ROLE_CREATE", guild, {"guild_id": str(guild.id), "role": payloads.role(role)})
    return role


def set_role_permissions(hub: Hub, guild: Guild, role: Role, permissions: int) -> None:
    """Change what a role may do."""
    role.permissions = permissions
    _tell(hub, "GUILD_ROLE_UPDATE", guild, {"guild_id": str(guild.id), "role": payloads.role(role)})


def create_channel(hub: Hub, guild: Guild, name: str, kind: int, parent_id: int | None) -> Channel:
    """Make a channel."""
    position = len([one for one in hub.world.channels_of(guild.id) if not one.thread])
    channel = Channel(hub.clock.snowflake(), kind, name, guild.id, parent_id, position)
    hub.world.channels[channel.id] = channel
    _tell(hub, "CHANNEL_CREATE", guild, payloads.channel(hub, channel))
    return channel


def channel_changed(hub: Hub, channel: Channel) -> None:
    """Tell that a channel or thread looks different now."""
    if channel.guild_id is not None:
        name = "THREAD_UPDATE" if channel.thread else "CHANNEL_UPDATE"
        _tell(hub, name, hub.world.guilds[channel.guild_id], payloads.channel(hub, channel))


def set_overwrite(hub: Hub, channel: Channel, target: int, kind: int, allow: int, deny: int) -> None:
    """Set what a channel allows and denies a role or member; nothing at all takes the overwrite away."""
    if allow or deny:
        channel.overwrites[target] = Overwrite(target, kind, allow, deny)
    else:
        channel.overwrites.pop(target, None)
    channel_changed(hub, channel)


def delete_channel(hub: Hub, channel: Channel) -> None:
    """Take a channel or thread away, with its messages and threads."""
    for thread in hub.world.threads_of(channel.id):
        delete_channel(hub, thread)
    data = payloads.channel(hub, channel)
    hub.world.channels.pop(channel.id, None)
    hub.world.messages.pop(channel.id, None)
    if channel.guild_id is None:
        return
    if channel.thread:
        data = {name: data[name] for name in ("id", "guild_id", "parent_id", "type")}
    name = "THREAD_DELETE" if channel.thread else "CHANNEL_DELETE"
    _tell(hub, name, hub.world.guilds[channel.guild_id], data)


def create_thread(
    hub: Hub,
    parent: Channel,
    name: str,
    owner_id: int,
    kind: int = PUBLIC_THREAD,
    thread_id: int | None = None,
    archive_minutes: int = 1440,
    tags: list[int] | None = None,
) -> Channel:
    """Make a thread; one begun from a message has that message's id."""
    now = hub.clock.now()
    state = ThreadState(owner_id, now, now, archive_minutes, members={owner_id}, tags=tags or [])
    thread = Channel(
        thread_id or hub.clock.snowflake(), kind, name, parent.guild_id, parent.id, slowmode_s=0, thread=state
    )
    hub.world.channels[thread.id] = thread
    if parent.type in POST_ONLY:
        parent.last_message_id = thread.id
    data = {**payloads.channel(hub, thread), "newly_created": True}
    if owner_id == hub.world.bot_id:
        data["member"] = payloads.thread_member(thread, owner_id)
    _tell(hub, "THREAD_CREATE", hub.world.guilds[parent.guild_id or 0], data)
    return thread


def archive_thread(hub: Hub, thread: Channel, archived: bool, locked: bool) -> None:
    """Archive or reopen a thread, and lock or unlock it."""
    if thread.thread is None:
        return
    if thread.thread.archived != archived:
        thread.thread.archived_at = hub.clock.now()
    thread.thread.archived = archived
    thread.thread.locked = locked
    channel_changed(hub, thread)


def join_thread(hub: Hub, thread: Channel, user_id: int) -> None:
    """Make somebody a member of a thread."""
    if thread.thread is None or user_id in thread.thread.members:
        return
    thread.thread.members.add(user_id)
    data: JsonObject = {
        "id": str(thread.id),
        "guild_id": str(thread.guild_id),
        "member_count": len(thread.thread.members),
        "added_members": [payloads.thread_member(thread, user_id)],
        "removed_member_ids": ids([]),
    }
    _tell(hub, "THREAD_MEMBERS_UPDATE", hub.world.guilds[thread.guild_id or 0], data)


def open_conversation(hub: Hub, user_id: int) -> Channel:
    """Return the bot's direct conversation with a user, made if there is none."""
    if found := hub.world.conversation_of(user_id):
        return found
    channel = Channel(hub.clock.snowflake(), DM, recipients=[user_id, hub.world.bot_id])
    hub.world.channels[channel.id] = channel
    hub.feed.publish(WorldChanged())
    return channel


def delete_messages(hub: Hub, channel: Channel, message_ids: list[int]) -> None:
    """Take several messages away."""
    held = hub.world.messages.get(channel.id, {})
    for message_id in message_ids:
        if message := held.get(message_id):
            posts.delete(hub, message)
