"""What scripts may do to the world through POST /control/world: each action changes it and tells the bot as
Discord would. It reads the request; the changes themselves are in changes.py.
"""

from collections.abc import Callable

from sandbox import changes, posts
from sandbox.faults import Fault
from sandbox.requests import Request
from sandbox.start_world import name_newcomers
from sandbox.wire import JsonObject, ids
from sandbox.world import CATEGORY, FORUM, TEXT, THREADS, VOICE, Channel

MOST_MEMBERS_AT_ONCE = 1000


def carry_out(request: Request) -> JsonObject:
    """Carry out the action a request names; returns the ids of what was made."""
    action = request.text("action")
    if action not in _ACTIONS:
        raise Fault(400, f'"action" must be one of {", ".join(sorted(_ACTIONS))}')
    return _ACTIONS[action](request)


def _create_guild(request: Request) -> JsonObject:
    hub = request.hub
    owner = request.person("owner")
    guild = changes.create_guild(hub, request.text("name"), owner.id, request.text("locale", "en-US"))
    return {"id": str(guild.id)}


def _create_member(request: Request) -> JsonObject:
    guild = request.guild()
    member = changes.create_member(
        request.hub, guild, request.text("name"), request.text("locale", "en-US"), request.roles(guild)
    )
    return {"id": str(member.user_id)}


def _create_members(request: Request) -> JsonObject:
    hub, guild, count = request.hub, request.guild(), int(request.number("count"))
    if not 1 <= count <= MOST_MEMBERS_AT_ONCE:
        raise Fault(400, f'"count" must be 1 to {MOST_MEMBERS_AT_ONCE}')
    taken = {hub.world.users[one].display_name for one in guild.members}
    made = [
        changes.create_member(hub, guild, name, locale, []) for name, locale in name_newcomers(taken, count)
    ]
    return {"ids": ids(member.user_id for member in made)}


def _create_channel(request: Request) -> JsonObject:
    guild = request.guild()
    kind = int(request.number("type", TEXT))
    if kind not in (TEXT, VOICE, CATEGORY, 5, FORUM):
        raise Fault(400, '"type" must be 0 (text), 2 (voice), 4 (category), 5 (announcement) or 15 (forum)')
    parent_id = request.optional_id("parent_id")
    parent = request.hub.world.channels.get(parent_id or 0)
    if parent_id is not None and (parent is None or parent.type != CATEGORY):
        raise Fault(404, '"parent_id" must be the id of a category')
    return {"id": str(changes.create_channel(request.hub, guild, request.text("name"), kind, parent_id).id)}


def _create_thread(request: Request) -> JsonObject:
    hub, parent = request.hub, request.any_channel()
    if parent.guild_id is None or parent.thread or parent.type in (VOICE, CATEGORY):
        raise Fault(400, "Threads begin in text, announcement and forum channels")
    message = request.message() if request.fields.get("message") is not None else None
    if message and message.id in hub.world.channels:
        raise Fault(400, "A thread has already been begun from this message")
    owner = hub.world.guilds[parent.guild_id].owner_id
    thread_id = message.id if message else None
    return {
        "id": str(changes.create_thread(hub, parent, request.text("name"), owner, thread_id=thread_id).id)
    }


def _delete_channel(request: Request) -> JsonObject:
    channel = request.any_channel()
    changes.delete_channel(request.hub, channel)
    return {"id": str(channel.id)}


def _delete_message(request: Request) -> JsonObject:
    message = request.message()
    posts.delete(request.hub, message)
    return {"id": str(message.id)}


def _set_overwrite(request: Request) -> JsonObject:
    channel, target = request.any_channel(), request.id("target")
    guild = request.hub.world.guilds.get(channel.guild_id or 0)
    if guild is None or channel.thread:
        raise Fault(400, "Only channels of a guild have overwrites; a thread has those of its channel")
    if target not in guild.roles and target not in guild.members:
        raise Fault(404, '"target" must be the id of a role or member of the guild')
    kind = 0 if target in guild.roles else 1
    changes.set_overwrite(request.hub, channel, target, kind, request.bits("allow"), request.bits("deny"))
    return {"id": str(channel.id)}


def _create_role(request: Request) -> JsonObject:
    role = changes.create_role(
        request.hub, request.guild(), request.text("name"), request.bits("permissions")
    )
    return {"id": str(role.id)}


def _set_role_permissions(request: Request) -> JsonObject:
    guild = request.guild()
    role = request.role(guild)
    changes.set_role_permissions(request.hub, guild, role, request.bits("permissions"))
    return {"id": str(role.id)}


def _set_roles(request: Request) -> JsonObject:
    guild = request.guild()
    member = guild.members.get(request.id("member"))
    if member is None:
        raise Fault(404, '"member": there is no such member in this guild')
    changes.set_roles(request.hub, guild, member, request.roles(guild))
    return {"id": str(member.user_id)}


def _archive_thread(request: Request) -> JsonObject:
    thread = _thread(request)
    changes.archive_thread(request.hub, thread, request.boolean("archived", True), request.boolean("locked"))
    return {"id": str(thread.id)}


def _set_dms(request: Request) -> JsonObject:
    person = request.person()
    person.takes_dms = request.boolean("open")
    return {"id": str(person.id)}


def _thread(request: Request) -> Channel:
    channel = request.any_channel()
    if channel.type not in THREADS:
        raise Fault(400, '"channel" must be a thread')
    return channel


_ACTIONS: dict[str, Callable[[Request], JsonObject]] = {
    "create_guild": _create_guild,
    "create_member": _create_member,
    "create_members": _create_members,
    "create_channel": _create_channel,
    "create_thread": _create_thread,
    "delete_channel": _delete_channel,
    "delete_message": _delete_message,
    "set_overwrite": _set_overwrite,
    "create_role": _create_role,
    "set_role_permissions": _set_role_permissions,
    "set_roles": _set_roles,
    "archive_thread": _archive_thread,
    "set_dms": _set_dms,
}
