"""The bot's routes for guilds, channels, threads, members and roles."""

from sandbox import access, changes, payloads, payloads_messages, posts
from sandbox.forms import Form
from sandbox.http import NO_CONTENT, Answer, Call, Route
from sandbox.mentions import ALL
from sandbox.permissions import Permission, top_role_position
from sandbox.posts import Manner
from sandbox.refusals import Faults, bad_form, refuse
from sandbox.rules_messages import SENT_FLAGS
from sandbox.wire import as_id, as_object
from sandbox.world import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    CATEGORY,
    FORUM,
    POST_ONLY,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    THREADS,
    VOICE,
    Channel,
)

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
MOST_SLOWMODE_S = 21_600
REQUIRE_TAG = 1 << 4


async def get_guild(call: Call) -> Answer:
    """Show a guild."""
    guild = access.guild(call.hub, call.id("guild"))
    payload = payloads.guild(call.hub, guild)
    if call.flag("with_counts"):
        payload |= {
            "approximate_member_count": len(guild.members),
            "approximate_presence_count": len(guild.members),
        }
    return Answer(payload)


async def list_channels(call: Call) -> Answer:
    """List a guild's channels, without threads."""
    guild = access.guild(call.hub, call.id("guild"))
    channels = call.hub.world.channels_of(guild.id)
    return Answer([payloads.channel(call.hub, one) for one in channels if not one.thread])


async def create_channel(call: Call) -> Answer:
    """Make a channel."""
    guild = access.guild(call.hub, call.id("guild"))
    access.need_in_guild(call.hub, guild, Permission.MANAGE_CHANNELS)
    faults = Faults()
    form = Form(call.form(), faults)
    name = form.text("name", most=100, least=1, required=True)
    kind = form.choice("type", (TEXT, VOICE, CATEGORY, ANNOUNCEMENT, FORUM))
    parent_id = form.snowflake("parent_id")
    topic = form.text("topic", most=1024)
    faults.check()
    channel = changes.create_channel(call.hub, guild, name or "", kind or TEXT, parent_id)
    channel.topic = topic
    return Answer(payloads.channel(call.hub, channel), 201)


async def list_roles(call: Call) -> Answer:
    """List a guild's roles."""
    guild = access.guild(call.hub, call.id("guild"))
    return Answer([payloads.role(one) for one in guild.roles.values()])


async def get_member(call: Call) -> Answer:
    """Show a member."""
    guild = access.guild(call.hub, call.id("guild"))
    return Answer(payloads.member(call.hub, access.member(guild, call.id("user"))))


async def change_role(call: Call) -> Answer:
    """Give a member a role or take it back: only roles below the bot's highest."""
    hub = call.hub
    guild = access.guild(hub, call.id("guild"))
    member = access.member(guild, call.id("user"))
    role = access.role(guild, call.id("role"))
    access.need_in_guild(hub, guild, Permission.MANAGE_ROLES)
    if role.id == guild.id or role.position >= top_role_position(guild, hub.world.bot_id):
        raise refuse(50013)
    roles = [one for one in member.roles if one != role.id]
    changes.set_roles(hub, guild, member, [*roles, role.id] if call.method == "PUT" else roles)
    return NO_CONTENT


async def active_threads(call: Call) -> Answer:
    """List a guild's threads that are not archived."""
    guild = access.guild(call.hub, call.id("guild"))
    threads = [one for one in call.hub.world.channels_of(guild.id) if one.thread and not one.thread.archived]
    return Answer({**_threads(call, threads), "has_more": False})


async def archived_threads(call: Call) -> Answer:
    """List a channel's archived public threads."""
    channel = access.channel(call.hub, call.id("channel"))
    access.need(call.hub, channel, Permission.READ_MESSAGE_HISTORY)
    threads = [one for one in call.hub.world.threads_of(channel.id) if one.thread and one.thread.archived]
    public = [one for one in threads if not one.is_private_thread]
    return Answer({**_threads(call, public), "has_more": False})


def _threads(call: Call, threads: list[Channel]) -> dict[str, object]:
    bot_id = call.hub.world.bot_id
    joined = [one for one in threads if one.thread and bot_id in one.thread.members]
    return {
        "threads": [payloads.channel(call.hub, one) for one in threads],
        "members": [payloads.thread_member(one, bot_id) for one in joined],
    }


async def get_channel(call: Call) -> Answer:
    """Show a channel."""
    return Answer(payloads.channel(call.hub, access.channel(call.hub, call.id("channel"))))


async def edit_channel(call: Call) -> Answer:
    """Change a channel or thread."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    faults = Faults()
    form = Form(call.form(), faults)
    name = form.text("name", most=100, least=1)
    topic = form.text("topic", most=4096 if channel.type in POST_ONLY else 1024)
    slowmode_s = form.integer("rate_limit_per_user", 0, MOST_SLOWMODE_S)
    archived, locked = form.boolean("archived"), form.boolean("locked")
    minutes = form.choice("auto_archive_duration", ARCHIVE_MINUTES)
    faults.check()
    thread = channel.thread
    if thread is None:
        access.need(hub, channel, Permission.MANAGE_CHANNELS)
    elif thread.owner_id != hub.world.bot_id or locked is not None:
        access.need(hub, channel, Permission.MANAGE_THREADS)
    if thread and thread.archived and archived is not False:
        raise refuse(50083)
    if name is not None:
        channel.name = name
    if "topic" in form.data:
        channel.topic = topic
    if slowmode_s is not None:
        channel.slowmode_s = slowmode_s
    if thread is None:
        changes.channel_changed(hub, channel)
    else:
        thread.auto_archive_minutes = minutes or thread.auto_archive_minutes
        changes.archive_thread(
            hub,
            channel,
            thread.archived if archived is None else archived,
            thread.locked if locked is None else locked,
        )
    return Answer(payloads.channel(hub, channel))


async def delete_channel(call: Call) -> Answer:
    """Delete a channel or thread."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    if channel.guild_id is None:
        raise refuse(50003)
    access.need(hub, channel, Permission.MANAGE_THREADS if channel.thread else Permission.MANAGE_CHANNELS)
    payload = payloads.channel(hub, channel)
    changes.delete_channel(hub, channel)
    return Answer(payload)


async def start_thread(call: Call) -> Answer:
    """Start a thread, or in a forum a post."""
    hub = call.hub
    parent = access.channel(hub, call.id("channel"))
    if parent.type in POST_ONLY:
        return await _create_post(call, parent)
    if parent.type not in (TEXT, ANNOUNCEMENT):
        raise refuse(50024)
    faults = Faults()
    form = Form(call.form(), faults)
    name, minutes = _thread_form(form)
    kind = form.choice("type", THREADS)
    faults.check()
    # Discord's own default, which is easily overlooked, is the private thread.
    kind = PRIVATE_THREAD if kind is None else kind
    private = kind == PRIVATE_THREAD
    access.need(
        hub, parent, Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    )
    thread = changes.create_thread(hub, parent, name, hub.world.bot_id, kind, archive_minutes=minutes)
    return Answer(payloads.channel(hub, thread), 201)


async def start_thread_from_message(call: Call) -> Answer:
    """Start a thread from a message, which gives it its id."""
    hub = call.hub
    parent = access.channel(hub, call.id("channel"))
    message = access.message(hub, parent, call.id("message"))
    if parent.type not in (TEXT, ANNOUNCEMENT):
        raise refuse(50024)
    access.need(hub, parent, Permission.CREATE_PUBLIC_THREADS, Permission.READ_MESSAGE_HISTORY)
    if message.id in hub.world.channels:
        raise refuse(160004)
    faults = Faults()
    name, minutes = _thread_form(Form(call.form(), faults))
    faults.check()
    kind = PUBLIC_THREAD if parent.type == TEXT else ANNOUNCEMENT_THREAD
    thread = changes.create_thread(hub, parent, name, hub.world.bot_id, kind, message.id, minutes)
    return Answer(payloads.channel(hub, thread), 201)


async def _create_post(call: Call, parent: Channel) -> Answer:
    hub = call.hub
    access.need(hub, parent, Permission.SEND_MESSAGES)
    data = call.form()
    faults = Faults()
    form = Form(data, faults)
    name, minutes = _thread_form(form)
    form.child("message", required=True)
    tags = [as_id(one) for one in form.items("applied_tags", most=5)]
    faults.check()
    known = {as_id(one["id"]) for one in parent.forum_tags}
    if any(one not in known for one in tags):
        raise bad_form("applied_tags", "UNKNOWN_TAG", "There is no such tag")
    if parent.flags & REQUIRE_TAG and not tags:
        raise refuse(40067)
    thread_id = hub.clock.snowflake()
    manner = Manner(hub.world.bot_id, SENT_FLAGS, ALL, path=("message",), message_id=thread_id)
    message_form = as_object(data["message"]) or {}
    message = posts.prepare(hub, parent, message_form, call.uploads, manner)
    applied = [one for one in tags if one is not None]
    thread = changes.create_thread(
        hub, parent, name, hub.world.bot_id, PUBLIC_THREAD, thread_id, minutes, applied
    )
    message.channel_id = thread.id
    posts.put(hub, thread, message)
    payload = payloads.channel(hub, thread)
    return Answer({**payload, "message": payloads_messages.message(hub, message)}, 201)


def _thread_form(form: Form) -> tuple[str, int]:
    name = form.text("name", most=100, least=1, required=True)
    minutes = form.choice("auto_archive_duration", ARCHIVE_MINUTES)
    form.integer("rate_limit_per_user", 0, MOST_SLOWMODE_S)
    return name or "", minutes or 1440


async def join_thread(call: Call) -> Answer:
    """Let the bot join a thread."""
    thread = access.channel(call.hub, call.id("channel"))
    if thread.thread is None:
        raise refuse(50024)
    access.need_awake(thread)
    changes.join_thread(call.hub, thread, call.hub.world.bot_id)
    return NO_CONTENT


ROUTES = [
    Route("GET", "/guilds/{guild}", get_guild),
    Route("GET", "/guilds/{guild}/channels", list_channels),
    Route("POST", "/guilds/{guild}/channels", create_channel),
    Route("GET", "/guilds/{guild}/roles", list_roles),
    Route("GET", "/guilds/{guild}/members/{user}", get_member),
    Route("PUT", "/guilds/{guild}/members/{user}/roles/{role}", change_role),
    Route("DELETE", "/guilds/{guild}/members/{user}/roles/{role}", change_role),
    Route("GET", "/guilds/{guild}/threads/active", active_threads),
    Route("GET", "/channels/{channel}", get_channel),
    Route("PATCH", "/channels/{channel}", edit_channel),
    Route("DELETE", "/channels/{channel}", delete_channel),
    Route("POST", "/channels/{channel}/threads", start_thread),
    Route("POST", "/channels/{channel}/messages/{message}/threads", start_thread_from_message),
    Route("GET", "/channels/{channel}/threads/archived/public", archived_threads),
    Route("PUT", "/channels/{channel}/thread-members/@me", join_thread),
]
