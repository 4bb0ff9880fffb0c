"""The bot's routes for messages: sending, reading, editing, deleting."""

from datetime import timedelta

from sandbox import access, changes, payloads_messages, permissions, posts
from sandbox.clock import snowflake_time
from sandbox.forms import Form
from sandbox.http import NO_CONTENT, Answer, Call, Route
from sandbox.mentions import ALL
from sandbox.permissions import Permission
from sandbox.posts import Manner
from sandbox.refusals import Faults, bad_form, refuse
from sandbox.rules_messages import SENT_FLAGS
from sandbox.wire import JsonObject, as_object
from sandbox.world import Channel, Message

BULK_DELETE_WITHIN = timedelta(days=14)


async def create_message(call: Call) -> Answer:
    """Send a message."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    access.need_sending(hub, channel)
    data = call.form()
    if call.uploads:
        access.need(hub, channel, Permission.ATTACH_FILES)
    if data.get("poll"):
        access.need(hub, channel, Permission.SEND_POLLS)
    data = _checked_reply(call, channel, data)
    message = posts.create(hub, channel, data, call.uploads, Manner(hub.world.bot_id, SENT_FLAGS, ALL))
    return Answer(payloads_messages.message(hub, message))


def _checked_reply(call: Call, channel: Channel, data: JsonObject) -> JsonObject:
    reference = as_object(data.get("message_reference"))
    if reference is None:
        return data
    faults = Faults()
    form = Form(reference, faults, ("message_reference",))
    message_id = form.snowflake("message_id", required=True)
    faults.check()
    rights = permissions.in_channel(call.hub.world, channel, call.hub.world.bot_id)
    if not rights & Permission.READ_MESSAGE_HISTORY:
        raise refuse(160002)
    if message_id in call.hub.world.messages.get(channel.id, {}):
        return data
    if reference.get("fail_if_not_exists", True):
        raise bad_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return {name: value for name, value in data.items() if name != "message_reference"}


async def list_messages(call: Call) -> Answer:
    """Read messages, newest first; without the right to read history there are none."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    faults = Faults()
    form = Form({name: int(text) if text.isdecimal() else text for name, text in call.query.items()}, faults)
    limit = form.integer("limit", 1, 100)
    before, after, around = form.snowflake("before"), form.snowflake("after"), form.snowflake("around")
    faults.check()
    bits = permissions.in_channel(hub.world, channel, hub.world.bot_id)
    if not bits & Permission.READ_MESSAGE_HISTORY:
        return Answer([])
    public = [one for one in hub.world.messages_in(channel.id) if one.ephemeral_for is None]
    public.sort(key=lambda one: one.id)
    page = _page(public, 50 if limit is None else limit, before, after, around)
    return Answer([payloads_messages.message(hub, one) for one in reversed(page)])


def _page(
    messages: list[Message], limit: int, before: int | None, after: int | None, around: int | None
) -> list[Message]:
    if around is not None:
        older = [one for one in messages if one.id < around][-(limit // 2) :] if limit > 1 else []
        newer = [one for one in messages if one.id >= around][: limit - len(older)]
        return older + newer
    if after is not None:
        return [one for one in messages if one.id > after][:limit]
    if before is not None:
        messages = [one for one in messages if one.id < before]
    return messages[-limit:]


async def get_message(call: Call) -> Answer:
    """Read one message."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    access.need(hub, channel, Permission.READ_MESSAGE_HISTORY)
    message = access.message(hub, channel, call.id("message"))
    return Answer(payloads_messages.message(hub, message))


async def edit_message(call: Call) -> Answer:
    """Edit one of the bot's own messages."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    message = access.message(hub, channel, call.id("message"))
    if message.author_id != hub.world.bot_id:
        raise refuse(50005)
    access.need_awake(channel)
    if call.uploads:
        access.need(hub, channel, Permission.ATTACH_FILES)
    posts.edit(hub, message, call.form(), call.uploads, ALL)
    return Answer(payloads_messages.message(hub, message))


async def delete_message(call: Call) -> Answer:
    """Delete a message: one's own, or any with MANAGE_MESSAGES."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    message = access.message(hub, channel, call.id("message"))
    if message.author_id != hub.world.bot_id:
        access.need(hub, channel, Permission.MANAGE_MESSAGES)
    posts.delete(hub, message)
    return NO_CONTENT


async def bulk_delete(call: Call) -> Answer:
    """Delete 2 to 100 messages that are younger than two weeks."""
    hub = call.hub
    channel = access.channel(hub, call.id("channel"))
    access.need(hub, channel, Permission.MANAGE_MESSAGES)
    faults = Faults()
    listed = Form(call.form(), faults).items("messages", most=100, least=2, required=True)
    faults.check()
    wanted = [int(one) for one in listed]
    oldest = hub.clock.now() - BULK_DELETE_WITHIN
    if any(snowflake_time(one) < oldest for one in wanted):
        raise refuse(50034)
    changes.delete_messages(hub, channel, wanted)
    return NO_CONTENT


async def type_in(call: Call) -> Answer:
    """Show that the bot is typing; nobody sees it here."""
    access.need_sending(call.hub, access.channel(call.hub, call.id("channel")))
    return NO_CONTENT


ROUTES = [
    Route("POST", "/channels/{channel}/messages", create_message),
    Route("GET", "/channels/{channel}/messages", list_messages),
    Route("POST", "/channels/{channel}/messages/bulk-delete", bulk_delete),
    Route("GET", "/channels/{channel}/messages/{message}", get_message),
    Route("PATCH", "/channels/{channel}/messages/{message}", edit_message),
    Route("DELETE", "/channels/{channel}/messages/{message}", delete_message),
    Route("POST", "/channels/{channel}/typing", type_in),
]
