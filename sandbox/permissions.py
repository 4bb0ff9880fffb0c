"""Discord's permission algorithm: who may do what in a guild and in a channel or thread. It reads the world
only.
"""

from enum import IntFlag

from sandbox.world import Channel, Guild, World


class Permission(IntFlag):
    """The permission bits that the sandbox looks at (discord-facts §9)."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44
    SEND_POLLS = 1 << 49
    PIN_MESSAGES = 1 << 51


ALL = (1 << 53) - 1
"""What the owner and administrators have."""

DIRECT_MESSAGE = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
)

_NEEDS_SENDING = int(Permission.MENTION_EVERYONE | Permission.ATTACH_FILES | Permission.EMBED_LINKS)


def in_guild(guild: Guild, user_id: int) -> int:
    """Add up the permissions a member's roles give; 0 for a stranger."""
    member = guild.members.get(user_id)
    if member is None:
        return 0
    if guild.owner_id == user_id:
        return ALL
    bits = guild.roles[guild.id].permissions
    for role_id in member.roles:
        if role := guild.roles.get(role_id):
            bits |= role.permissions
    return ALL if bits & Permission.ADMINISTRATOR else bits


def in_channel(world: World, channel: Channel, user_id: int) -> int:
    """Work out a member's permissions in a channel or thread, after overwrites; 0 without VIEW_CHANNEL."""
    if channel.guild_id is None:
        return DIRECT_MESSAGE if user_id in channel.recipients else 0
    guild = world.guilds[channel.guild_id]
    bits = in_guild(guild, user_id)
    if bits == ALL or user_id not in guild.members:
        return bits
    home = world.channels.get(channel.parent_id or 0, channel) if channel.thread else channel
    bits = _with_overwrites(guild, home, user_id, bits)
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    if channel.thread is None:
        return bits if bits & Permission.SEND_MESSAGES else bits & ~_NEEDS_SENDING
    if (
        channel.is_private_thread
        and user_id not in channel.thread.members
        and not bits & Permission.MANAGE_THREADS
    ):
        return 0
    return bits if bits & Permission.SEND_MESSAGES_IN_THREADS else bits & ~_NEEDS_SENDING


def _with_overwrites(guild: Guild, channel: Channel, user_id: int, bits: int) -> int:
    everyone = channel.overwrites.get(guild.id)
    if everyone:
        bits = bits & ~everyone.deny | everyone.allow
    roles = [channel.overwrites[role] for role in guild.members[user_id].roles if role in channel.overwrites]
    denied = allowed = 0
    for overwrite in roles:
        denied |= overwrite.deny
        allowed |= overwrite.allow
    bits = bits & ~denied | allowed
    if own := channel.overwrites.get(user_id):
        bits = bits & ~own.deny | own.allow
    return bits


def may_send(world: World, channel: Channel, user_id: int) -> bool:
    """Say whether a member may write here; in a thread only SEND_MESSAGES_IN_THREADS counts."""
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
    return bool(in_channel(world, channel, user_id) & needed)


def may_view(world: World, channel: Channel, user_id: int) -> bool:
    """Say whether a member sees this channel or thread."""
    return bool(in_channel(world, channel, user_id) & Permission.VIEW_CHANNEL)


def top_role_position(guild: Guild, user_id: int) -> int:
    """Tell the position of a member's highest role; 0 with none."""
    member = guild.members.get(user_id)
    held = [guild.roles[role].position for role in member.roles if role in guild.roles] if member else []
    return max(held, default=0)
