"""Finding what a request of the bot names, and checking that the bot may: each returns the thing or raises
Discord's refusal.
"""

from sandbox import permissions
from sandbox.hub import Hub
from sandbox.permissions import Permission
from sandbox.refusals import refuse
from sandbox.world import Channel, Guild, Member, Message, Role


def guild(hub: Hub, guild_id: int) -> Guild:
    """Find a guild the bot is in."""
    found = hub.world.guilds.get(guild_id)
    if found is None:
        raise refuse(10004)
    if hub.world.bot_id not in found.members:
        raise refuse(50001)
    return found


def member(found: Guild, user_id: int) -> Member:
    """Find a member."""
    if user_id not in found.members:
        raise refuse(10007)
    return found.members[user_id]


def role(found: Guild, role_id: int) -> Role:
    """Find a role."""
    if role_id not in found.roles:
        raise refuse(10011)
    return found.roles[role_id]


def channel(hub: Hub, channel_id: int) -> Channel:
    """Find a channel the bot sees."""
    found = hub.world.channels.get(channel_id)
    if found is None:
        raise refuse(10003)
    if not permissions.may_view(hub.world, found, hub.world.bot_id):
        raise refuse(50001)
    return found


def message(hub: Hub, found: Channel, message_id: int) -> Message:
    """Find a message of a channel; ephemeral ones are not to be had this way."""
    held = hub.world.messages.get(found.id, {}).get(message_id)
    if held is None or held.ephemeral_for is not None:
        raise refuse(10008)
    return held


def need(hub: Hub, found: Channel, *wanted: Permission) -> None:
    """Demand permissions of the bot in a channel."""
    bits = permissions.in_channel(hub.world, found, hub.world.bot_id)
    if any(not bits & one for one in wanted):
        raise refuse(50013)


def need_in_guild(hub: Hub, found: Guild, wanted: Permission) -> None:
    """Demand a permission of the bot in a guild."""
    if not permissions.in_guild(found, hub.world.bot_id) & wanted:
        raise refuse(50013)


def need_sending(hub: Hub, found: Channel) -> None:
    """Demand that the bot may write here now."""
    if not found.takes_messages:
        raise refuse(50024 if found.type == 4 else 40058)
    if found.guild_id is None:
        _need_open_conversation(hub, found)
        return
    if not permissions.may_send(hub.world, found, hub.world.bot_id):
        raise refuse(50013)
    if found.thread and found.thread.locked:
        bits = permissions.in_channel(hub.world, found, hub.world.bot_id)
        if not bits & Permission.MANAGE_THREADS:
            raise refuse(160005)


def need_awake(found: Channel) -> None:
    """Demand that a thread is not archived: nothing in it can be edited then."""
    if found.thread and found.thread.archived:
        raise refuse(160005 if found.thread.locked else 50083)


def _need_open_conversation(hub: Hub, found: Channel) -> None:
    for user_id in found.recipients:
        if user_id == hub.world.bot_id:
            continue
        if not any(user_id in each.members for each in hub.world.guilds.values()):
            raise refuse(50278)
        if not hub.world.users[user_id].takes_dms:
            raise refuse(50007)
