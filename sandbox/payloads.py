"""The world's objects as Discord's JSON, with every field that a client library needs. Reads only; messages
have a module of their own.
"""

from sandbox import permissions
from sandbox.hub import Hub
from sandbox.wire import JsonObject, discord_time, ids
from sandbox.world import (
    ANNOUNCEMENT,
    DM,
    POST_ONLY,
    TEXT,
    THREADS,
    VOICE,
    Channel,
    Command,
    Guild,
    Member,
    Role,
    User,
)


def user(person: User) -> JsonObject:
    """Write a user."""
    return {
        "id": str(person.id),
        "username": person.name,
        "global_name": None if person.bot else person.display_name,
        "discriminator": "0001" if person.bot else "0",
        "avatar": None,
        "bot": person.bot,
        "flags": 0,
        "public_flags": 0,
        "primary_guild": None,
    }


def own_user(hub: Hub) -> JsonObject:
    """Write the bot's own user."""
    return {
        **user(hub.world.users[hub.world.bot_id]),
        "mfa_enabled": False,
        "verified": True,
        "email": None,
        "locale": "en-US",
    }


def member(hub: Hub, member: Member, with_user: bool = True) -> JsonObject:
    """Write a member; messages leave the user out."""
    payload: JsonObject = {
        "roles": ids(member.roles),
        "nick": member.nick,
        "avatar": None,
        "banner": None,
        "joined_at": discord_time(member.joined_at),
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    if with_user:
        payload["user"] = user(hub.world.users[member.user_id])
    return payload


def acting_member(hub: Hub, channel: Channel, user_id: int) -> JsonObject:
    """Write the member of an interaction, with their permissions in its channel."""
    guild = hub.world.guilds[channel.guild_id or 0]
    bits = permissions.in_channel(hub.world, channel, user_id)
    return {**member(hub, guild.members[user_id]), "permissions": str(bits)}


def role(role: Role) -> JsonObject:
    """Write a role."""
    payload: JsonObject = {
        "id": str(role.id),
        "name": role.name,
        "color": role.color,
        "colors": {"primary_color": role.color, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": role.position,
        "permissions": str(role.permissions),
        "managed": role.managed_by is not None,
        "mentionable": role.mentionable,
        "flags": 0,
    }
    if role.managed_by is not None:
        payload["tags"] = {"bot_id": str(role.managed_by)}
    return payload


def channel(hub: Hub, channel: Channel) -> JsonObject:
    """Write a channel of any kind."""
    if channel.type == DM:
        others = [user(hub.world.users[one]) for one in channel.recipients if one != hub.world.bot_id]
        return {
            "id": str(channel.id),
            "type": DM,
            "last_message_id": _text(channel.last_message_id),
            "recipients": others,
            "flags": 0,
        }
    payload: JsonObject = {
        "id": str(channel.id),
        "type": channel.type,
        "guild_id": _text(channel.guild_id),
        "name": channel.name,
        "parent_id": _text(channel.parent_id),
        "flags": channel.flags,
    }
    if channel.type in (*THREADS, TEXT, ANNOUNCEMENT, VOICE, *POST_ONLY):
        payload["last_message_id"] = _text(channel.last_message_id)
        payload["rate_limit_per_user"] = channel.slowmode_s
    if channel.thread:
        return payload | _thread_fields(hub, channel)
    payload |= {
        "position": channel.position,
        "nsfw": False,
        "topic": channel.topic,
        "permission_overwrites": [
            {"id": str(one.id), "type": one.kind, "allow": str(one.allow), "deny": str(one.deny)}
            for one in channel.overwrites.values()
        ],
    }
    if channel.type == VOICE:
        payload |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if channel.type in POST_ONLY:
        payload |= {
            "available_tags": channel.forum_tags,
            "default_reaction_emoji": None,
            "default_sort_order": None,
        }
        payload["default_forum_layout"] = 0
    return payload


def _thread_fields(hub: Hub, channel: Channel) -> JsonObject:
    thread = channel.thread
    if thread is None:
        return {}
    count = len(hub.world.messages.get(channel.id, {}))
    return {
        "owner_id": str(thread.owner_id),
        "message_count": count,
        "total_message_sent": count,
        "member_count": len(thread.members),
        "applied_tags": ids(thread.tags),
        "thread_metadata": {
            "archived": thread.archived,
            "archive_timestamp": discord_time(thread.archived_at),
            "auto_archive_duration": thread.auto_archive_minutes,
            "locked": thread.locked,
            "create_timestamp": discord_time(thread.created_at),
        },
    }


def thread_member(channel: Channel, user_id: int) -> JsonObject:
    """Write a member of a thread."""
    joined_at = channel.thread.created_at if channel.thread else None
    return {
        "id": str(channel.id),
        "user_id": str(user_id),
        "join_timestamp": discord_time(joined_at) if joined_at else None,
        "flags": 0,
    }


def guild(hub: Hub, guild: Guild) -> JsonObject:
    """Write a guild as REST shows it."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "banner": None,
        "splash": None,
        "home_header": None,
        "discovery_splash": None,
        "description": None,
        "owner_id": str(guild.owner_id),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "verification_level": 1,
        "default_message_notifications": 1,
        "explicit_content_filter": 2,
        "mfa_level": 0,
        "nsfw": False,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "vanity_url_code": None,
        "preferred_locale": guild.locale,
        "application_id": None,
        "max_members": 500000,
        "max_presences": None,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "incidents_data": None,
        "widget_enabled": False,
        "widget_channel_id": None,
        "features": guild.features,
        "emojis": [],
        "stickers": [],
        "roles": [role(one) for one in guild.roles.values()],
    }


def guild_for_gateway(hub: Hub, one: Guild) -> JsonObject:
    """Write a guild as GUILD_CREATE carries it: with channels, and of the members only the bot."""
    channels = hub.world.channels_of(one.id)
    return {
        **guild(hub, one),
        "joined_at": discord_time(one.members[hub.world.bot_id].joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(one.members),
        "members": [member(hub, one.members[hub.world.bot_id])],
        "channels": [channel(hub, each) for each in channels if not each.thread],
        "threads": [
            {**channel(hub, each), "member": thread_member(each, hub.world.bot_id)}
            for each in channels
            if each.thread and not each.thread.archived
        ],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application(hub: Hub) -> JsonObject:
    """Write the bot's application, as its owner sees it."""
    bot = hub.world.users[hub.world.bot_id]
    owner = next((one for one in hub.world.users.values() if not one.bot), bot)
    return {
        "id": str(bot.id),
        "name": bot.display_name,
        "description": "",
        "icon": None,
        "type": None,
        "summary": "",
        "bot": user(bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "eligible_oauth2_scopes": [],
        "explicit_content_filter": 0,
        "approximate_guild_count": len(hub.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "owner": user(owner),
        "team": None,
        "tags": [],
        "integration_types_config": {"0": {}},
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "redirect_uris": [],
    }


def command(hub: Hub, command: Command, with_localizations: bool = True) -> JsonObject:
    """Write a registered command."""
    data = command.data if with_localizations else _without_localizations(command.data)
    payload: JsonObject = {
        "id": str(command.id),
        "application_id": str(hub.world.bot_id),
        "version": str(command.version),
        **data,
    }
    if command.guild_id is not None:
        payload["guild_id"] = str(command.guild_id)
    return payload


def _without_localizations(data: JsonObject) -> JsonObject:
    kept = {key: value for key, value in data.items() if not key.endswith("_localizations")}
    for part in ("options", "choices"):
        if part in kept:
            kept[part] = [_without_localizations(one) for one in kept[part]]
    return kept


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)
