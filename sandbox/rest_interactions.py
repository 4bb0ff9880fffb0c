"""The routes an interaction is answered by: the callback, and the messages behind its token. None of them
asks for the bot's token; the interaction's own is the secret.
"""

from sandbox import payloads_messages, posts
from sandbox.component_tree import completed
from sandbox.forms import Form
from sandbox.http import NO_CONTENT, Answer, Call, Route
from sandbox.hub import Hub
from sandbox.interactions import Callback, Interaction, Kind
from sandbox.mentions import ONLY_USERS
from sandbox.posts import Manner
from sandbox.refusals import Faults, bad_form, refuse
from sandbox.rules_commands import STRING, check_choice
from sandbox.rules_messages import ANSWER_FLAGS, MOST_FLAGS
from sandbox.rules_modals import check_modal
from sandbox.wire import JsonObject, as_object, objects_in
from sandbox.world import EPHEMERAL, LOADING, Message, Origin

COMMAND_ANSWER = 20
CALLBACK_TYPES = (1, 4, 5, 6, 7, 8, 9, 12)


async def answer(call: Call) -> Answer:
    """Take the first answer to an interaction."""
    interaction = call.hub.interactions.awaiting_first_answer(call.id("interaction"), call.params["token"])
    form = call.form()
    faults = Faults()
    kind = Form(form, faults).choice("type", CALLBACK_TYPES, required=True)
    faults.check()
    if kind is None or kind not in interaction.allowed_callbacks():
        raise bad_form(
            "type", "INTERACTION_CALLBACK_TYPE_INVALID", "This interaction cannot be answered this way"
        )
    message = _carry_out(call, interaction, kind, as_object(form.get("data")) or {})
    call.hub.interactions.answer(interaction, kind)
    if not call.flag("with_response"):
        return NO_CONTENT
    return Answer(_callback_response(call.hub, interaction, message))


def _carry_out(call: Call, interaction: Interaction, kind: int, data: JsonObject) -> Message | None:
    if kind == Callback.MESSAGE:
        message = _send(call, interaction, data, path=("data",))
        interaction.original_id = message.id
        return message
    if kind == Callback.DEFERRED_MESSAGE:
        message = _defer(call.hub, interaction, data)
        interaction.original_id = message.id
        return message
    if kind in (Callback.DEFERRED_UPDATE, Callback.UPDATE):
        source = _source(call.hub, interaction)
        interaction.original_id = source.id
        if kind == Callback.UPDATE:
            posts.edit(call.hub, source, data, call.uploads, ONLY_USERS)
        return source
    if kind == Callback.AUTOCOMPLETE:
        interaction.choices = _checked_choices(interaction, data)
        return None
    faults = Faults()
    check_modal(Form(data, faults, ("data",)))
    faults.check()
    interaction.modal = {**data, "components": completed(objects_in(data.get("components")))}
    return None


def _send(call: Call, interaction: Interaction, data: JsonObject, path: tuple[str, ...] = ()) -> Message:
    hub = call.hub
    channel = hub.world.channels.get(interaction.channel_id)
    if channel is None:
        raise refuse(10003)
    private = bool((Form(data, Faults()).integer("flags", 0, MOST_FLAGS) or 0) & EPHEMERAL)
    manner = Manner(
        hub.world.bot_id,
        ANSWER_FLAGS,
        ONLY_USERS,
        kind=COMMAND_ANSWER if interaction.kind is Kind.COMMAND else 0,
        origin=_origin(interaction),
        ephemeral_for=interaction.user_id if private else None,
        path=path,
    )
    message = posts.create(hub, channel, data, call.uploads, manner)
    interaction.message_ids.append(message.id)
    return message


def _defer(hub: Hub, interaction: Interaction, data: JsonObject) -> Message:
    faults = Faults()
    form = Form(data, faults, ("data",))
    flags = form.integer("flags", 0, MOST_FLAGS) or 0
    if flags & ~EPHEMERAL:
        form.fault("flags", "MESSAGE_FLAGS_INVALID", "A deferral takes no flag but EPHEMERAL")
    faults.check()
    channel = hub.world.channels.get(interaction.channel_id)
    if channel is None:
        raise refuse(10003)
    message = Message(
        hub.clock.snowflake(),
        interaction.channel_id,
        hub.world.bot_id,
        hub.clock.now(),
        kind=COMMAND_ANSWER if interaction.kind is Kind.COMMAND else 0,
        flags=flags | LOADING,
        origin=_origin(interaction),
        ephemeral_for=interaction.user_id if flags & EPHEMERAL else None,
    )
    interaction.message_ids.append(message.id)
    posts.put(hub, channel, message)
    return message


def _origin(interaction: Interaction) -> Origin:
    return Origin(
        interaction.id,
        int(interaction.kind),
        interaction.user_id,
        interaction.command,
        interaction.source_message_id,
    )


def _source(hub: Hub, interaction: Interaction) -> Message:
    message = hub.world.messages.get(interaction.channel_id, {}).get(interaction.source_message_id or 0)
    if message is None:
        raise refuse(10008)
    return message


def _checked_choices(interaction: Interaction, data: JsonObject) -> list[JsonObject]:
    typed = [one for one in _flat(objects_in(interaction.data.get("options"))) if one.get("focused")]
    kind = int(typed[0]["type"]) if typed else STRING
    faults = Faults()
    choices = Form(data, faults, ("data",)).children("choices", most=25)
    for choice in choices:
        check_choice(choice, kind)
    faults.check()
    return [choice.data for choice in choices]


def _flat(options: list[JsonObject]) -> list[JsonObject]:
    found: list[JsonObject] = []
    for option in options:
        found += [option, *_flat(objects_in(option.get("options")))]
    return found


def _callback_response(hub: Hub, interaction: Interaction, message: Message | None) -> JsonObject:
    head: JsonObject = {"id": str(interaction.id), "type": int(interaction.kind)}
    payload: JsonObject = {"interaction": head}
    if message is not None:
        head["response_message_id"] = str(message.id)
        head["response_message_loading"] = bool(message.flags & LOADING)
        head["response_message_ephemeral"] = bool(message.flags & EPHEMERAL)
        head["channel_id"] = str(message.channel_id)
    if message is not None and interaction.callback_type in (Callback.MESSAGE, Callback.UPDATE):
        shown = payloads_messages.message(hub, message)
        payload["resource"] = {"type": interaction.callback_type, "message": shown}
    return payload


async def follow_up(call: Call) -> Answer:
    """Send a further message; right after a deferral it fills the deferred one instead."""
    interaction = _answered(call)
    data = call.form()
    original = _held(call.hub, interaction, interaction.original_id)
    if (
        original is not None
        and original.flags & LOADING
        and interaction.callback_type == Callback.DEFERRED_MESSAGE
    ):
        posts.edit(call.hub, original, data, call.uploads, ONLY_USERS)
        return Answer(payloads_messages.message(call.hub, original))
    return Answer(payloads_messages.message(call.hub, _send(call, interaction, data)))


async def get_answer(call: Call) -> Answer:
    """Show a message made through the interaction."""
    return Answer(payloads_messages.message(call.hub, _message(call, _answered(call))))


async def edit_answer(call: Call) -> Answer:
    """Edit a message made through the interaction, or its source message."""
    message = _message(call, _answered(call))
    posts.edit(call.hub, message, call.form(), call.uploads, ONLY_USERS)
    return Answer(payloads_messages.message(call.hub, message))


async def delete_answer(call: Call) -> Answer:
    """Delete a message made through the interaction."""
    posts.delete(call.hub, _message(call, _answered(call)))
    return NO_CONTENT


def _answered(call: Call) -> Interaction:
    if call.id("webhook") != call.hub.world.bot_id:
        raise refuse(10015)
    return call.hub.interactions.answered(call.params["token"])


def _message(call: Call, interaction: Interaction) -> Message:
    named = call.params.get("message")
    wanted = interaction.original_id if named is None else call.id("message")
    reachable = {*interaction.message_ids, interaction.original_id, interaction.source_message_id}
    found = _held(call.hub, interaction, wanted) if wanted in reachable else None
    if found is None:
        raise refuse(10008)
    return found


def _held(hub: Hub, interaction: Interaction, message_id: int | None) -> Message | None:
    return hub.world.messages.get(interaction.channel_id, {}).get(message_id or 0)


_TOKEN = "/webhooks/{webhook}/{token}"  # noqa: S105 (a path)
ROUTES = [
    Route("POST", "/interactions/{interaction}/{token}/callback", answer, open=True),
    Route("POST", _TOKEN, follow_up, open=True),
    Route("GET", f"{_TOKEN}/messages/@original", get_answer, open=True),
    Route("PATCH", f"{_TOKEN}/messages/@original", edit_answer, open=True),
    Route("DELETE", f"{_TOKEN}/messages/@original", delete_answer, open=True),
    Route("GET", f"{_TOKEN}/messages/{{message}}", get_answer, open=True),
    Route("PATCH", f"{_TOKEN}/messages/{{message}}", edit_answer, open=True),
    Route("DELETE", f"{_TOKEN}/messages/{{message}}", delete_answer, open=True),
]
