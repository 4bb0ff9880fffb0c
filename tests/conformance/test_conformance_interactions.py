"""discord-facts §1: the interaction lifecycle."""

import asyncio
from email.utils import parsedate_to_datetime

import pytest

EPHEMERAL, LOADING, V2 = 64, 128, 32768
CARD = [
    {"type": 10, "content": "Question"},
    {"type": 1, "components": [{"type": 2, "style": 1, "label": "A", "custom_id": "a"}]},
]


async def card(wire):
    return (await wire.send({"flags": V2, "components": CARD})).body["id"]


async def test_first_answer_must_arrive_within_three_seconds(wire):
    """§1 "First answer must arrive within 3 s of the event, else the token dies (10062 on a late answer)"."""
    in_time = await wire.slash()
    await wire.pass_time(2.9)
    assert (await wire.answer(in_time, 4, {"content": "hi"})).status == 204

    late = await wire.slash()
    await wire.pass_time(3)
    answer = await wire.answer(late, 4, {"content": "hi"})
    assert (answer.status, answer.body["code"]) == (404, 10062)
    assert (await wire.control("GET", f"interactions/{late['id']}"))["state"] == "failed"


async def test_unknown_interactions_and_wrong_tokens_are_10062(wire):
    """§11 "10062 404 too late or already used up"."""
    interaction = await wire.slash()
    for wrong in ({**interaction, "id": "1"}, {**interaction, "token": "wrong"}):
        answer = await wire.answer(wrong, 4, {"content": "hi"})
        assert (answer.status, answer.body["code"]) == (404, 10062)


async def test_the_token_lives_fifteen_minutes(wire):
    """§1 "Token lives 15 min"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "hi"})
    await wire.pass_time(15 * 60)
    assert (
        await wire.webhook("PATCH", interaction, "/messages/@original", {"content": "still"})
    ).status == 200
    await wire.pass_time(1)
    answer = await wire.webhook("PATCH", interaction, "/messages/@original", {"content": "too late"})
    assert (answer.status, answer.body["code"]) == (401, 50027)


async def test_exactly_one_first_answer(wire):
    """§1 "Exactly one first answer. A second gives HTTP 400, code 40060"."""
    interaction = await wire.slash()
    assert (await wire.answer(interaction, 4, {"content": "one"})).status == 204
    second = await wire.answer(interaction, 4, {"content": "two"})
    assert (second.status, second.body["code"]) == (400, 40060)
    assert [one["content"] for one in await wire.seen()] == ["one"]


async def test_a_refused_answer_leaves_the_interaction_open(wire):
    """§1 "Exactly one first answer": a form that was refused was none."""
    interaction = await wire.slash()
    assert (await wire.answer(interaction, 4, {"content": "x" * 2001})).body["code"] == 50035
    assert (await wire.answer(interaction, 4, {"content": "x"})).status == 204


async def test_callback_answers_204_or_with_a_body(wire):
    """§1 "needs no bot authorisation; 204, or 200 with a body when ?with_response=true"."""
    assert (await wire.answer(await wire.slash(), 4, {"content": "hi"})).status == 204
    interaction = await wire.slash()
    answer = await wire.answer(interaction, 4, {"content": "hi", "flags": EPHEMERAL}, with_response=True)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    head = answer.body["interaction"]
    assert (head["id"], head["type"], head["response_message_ephemeral"]) == (interaction["id"], 2, True)
    assert answer.body["resource"]["type"] == 4
    assert answer.body["resource"]["message"]["id"] == head["response_message_id"]


@pytest.mark.parametrize("kind", [1, 6, 7, 8, 10, 12, 13, 99])
async def test_a_command_takes_only_message_defer_and_modal(wire, kind):
    """§1 table of callback types: 4, 5 and 9 for a command."""
    interaction = await wire.slash()
    answer = await wire.answer(interaction, kind, {"content": "hi"})
    assert (answer.status, answer.body["code"]) == (400, 50035)


async def test_a_component_may_edit_its_message_now(wire):
    """§1 "7 edit the source message now: component"."""
    message_id = await card(wire)
    interaction = await wire.press(message_id, "a")
    assert interaction["message"]["id"] == message_id
    assert interaction["message"]["components"][1]["components"][0]["custom_id"] == "a"
    assert (
        await wire.answer(interaction, 7, {"components": [{"type": 10, "content": "Closed"}]})
    ).status == 204
    assert (await wire.seen())[-1]["components"][0]["content"] == "Closed"


async def test_a_component_may_be_acknowledged_silently_and_edited_later(wire):
    """§1 "6 silent ack, edit the source message later"."""
    message_id = await card(wire)
    interaction = await wire.press(message_id, "a")
    assert (await wire.answer(interaction, 6)).status == 204
    edited = await wire.webhook(
        "PATCH", interaction, "/messages/@original", {"components": [{"type": 10, "content": "Later"}]}
    )
    assert (edited.status, edited.body["id"]) == (200, message_id)


async def test_autocomplete_takes_at_most_25_choices_and_nothing_else(wire):
    """§1 "8 autocomplete result, ≤ 25 choices: autocomplete only"."""
    option = {"type": 3, "name": "q", "description": "Quiz", "autocomplete": True}
    await wire.commands({"name": "find", "description": "Find", "options": [option]})

    async def ask(kind, data):
        gateway = await wire.gateway()
        await gateway.ready()
        request = {"member": wire.members["Ada"], "channel": wire.channels["general"], "command": "find"}
        asking = asyncio.create_task(
            wire.control("POST", "autocomplete", **request, options={"q": "pr"}, focused="q")
        )
        event = await gateway.event("INTERACTION_CREATE")
        assert event["data"]["options"] == [{"type": 3, "name": "q", "value": "pr", "focused": True}]
        answer = await wire.answer(event, kind, data)
        await wire.pass_time(3)
        await gateway.close()
        return answer, await asking

    answer, shown = await ask(8, {"choices": [{"name": "Pruning", "value": "p"}]})
    assert (answer.status, shown) == (204, {"choices": [{"name": "Pruning", "value": "p"}], "state": "done"})
    answer, shown = await ask(8, {"choices": [{"name": f"{n}", "value": "p"} for n in range(26)]})
    assert (answer.body["code"], shown["state"]) == (50035, "failed")
    answer, _ = await ask(8, {"choices": [{"name": "x" * 101, "value": "p"}]})
    assert answer.body["code"] == 50035
    answer, _ = await ask(8, {"choices": [{"name": "x", "value": "p" * 101}]})
    assert answer.body["code"] == 50035
    answer, _ = await ask(4, {"content": "no"})
    assert answer.body["code"] == 50035


async def test_a_modal_must_be_the_first_answer_and_never_answers_a_modal(wire):
    """§1 "9 open a modal: command, component; not modal submit" and "after any defer it is too late"."""
    modal = {"title": "T", "custom_id": "m", "components": [TEXT_FIELD]}
    deferred = await wire.slash()
    await wire.answer(deferred, 5)
    assert (await wire.answer(deferred, 9, modal)).body["code"] == 40060

    opener = await wire.press(await card(wire), "a")
    assert (await wire.answer(opener, 9, modal)).status == 204
    gateway = await wire.gateway()
    await gateway.ready()
    fields = {"member": wire.members["Ada"], "interaction": opener["id"], "values": {"text": "Merhaba"}}
    await wire.control("POST", "submit", **fields)
    submitted = await gateway.event("INTERACTION_CREATE")
    assert submitted["type"] == 5
    assert submitted["data"]["components"][0]["component"]["value"] == "Merhaba"
    # A modal opened from a component carries its message and may edit it.
    assert submitted["message"]["id"] == opener["message"]["id"]
    assert (await wire.answer(submitted, 9, modal)).body["code"] == 50035
    assert (
        await wire.answer(submitted, 7, {"components": [{"type": 10, "content": "Thanks"}]})
    ).status == 204


TEXT_FIELD = {
    "type": 18,
    "label": "Say",
    "component": {"type": 4, "style": 1, "custom_id": "text", "required": True},
}


async def test_a_modal_from_a_command_has_no_message_to_edit(wire):
    """§1 table: 6 and 7 for "component (and a modal opened from a component)"."""
    opener = await wire.slash()
    await wire.answer(opener, 9, {"title": "T", "custom_id": "m", "components": [TEXT_FIELD]})
    gateway = await wire.gateway()
    await gateway.ready()
    fields = {"member": wire.members["Ada"], "interaction": opener["id"], "values": {"text": "x"}}
    await wire.control("POST", "submit", **fields)
    submitted = await gateway.event("INTERACTION_CREATE")
    assert "message" not in submitted
    for kind in (6, 7):
        assert (await wire.answer(submitted, kind, {"content": "x"})).body["code"] == 50035
    assert (await wire.answer(submitted, 4, {"content": "x"})).status == 204


@pytest.mark.parametrize(
    ("flags", "status"), [(0, 204), (EPHEMERAL, 204), (V2, 400), (4, 400), (EPHEMERAL | V2, 400)]
)
async def test_a_deferral_takes_no_flag_but_ephemeral(wire, flags, status):
    """§1 "Type 5 accepts no flag but EPHEMERAL (64)"."""
    assert (await wire.answer(await wire.slash(), 5, {"flags": flags})).status == status


async def test_a_v2_message_is_deferred_and_gets_its_flag_in_the_edit(wire):
    """§1 "For a V2 message: defer, then set IS_COMPONENTS_V2 in the edit of @original"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 5, {"flags": EPHEMERAL})
    (waiting,) = await wire.seen()
    assert waiting["flags"] == EPHEMERAL | LOADING
    assert waiting["interaction"]["state"] == "thinking"
    await wire.webhook("PATCH", interaction, "/messages/@original", {"flags": V2, "components": CARD})
    (filled,) = await wire.seen()
    assert filled["flags"] == EPHEMERAL | V2
    assert filled["interaction"] == {
        "name": "/ping",
        "user": {"id": wire.members["Ada"], "name": "Ada"},
        "state": "done",
    }


async def test_ephemeral_messages_are_seen_by_the_invoking_user_only(wire):
    """§1 "Visible to the invoking user only; not fetchable or editable through /channels (10008 otherwise)"."""
    interaction = await wire.slash()
    answer = await wire.answer(interaction, 4, {"content": "hush", "flags": EPHEMERAL}, with_response=True)
    message_id = answer.body["resource"]["message"]["id"]
    assert [one["content"] for one in await wire.seen("Ada")] == ["hush"]
    assert await wire.seen("Deniz") == []
    path = f"/channels/{wire.channels['general']}/messages"
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        refused = await wire.call(method, f"{path}/{message_id}", body)
        assert (refused.status, refused.body["code"]) == (404, 10008)
    assert (await wire.call("GET", path)).body == []
    assert (await wire.webhook("GET", interaction, "/messages/@original")).body["content"] == "hush"
    assert (await wire.webhook("GET", interaction, f"/messages/{message_id}")).body["flags"] == EPHEMERAL


async def test_ephemeral_can_never_change(wire):
    """§1 "Ephemeral is fixed by the first answer/defer and can never change"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "hush", "flags": EPHEMERAL})
    await wire.webhook("PATCH", interaction, "/messages/@original", {"content": "loud?", "flags": 0})
    assert await wire.seen("Deniz") == []


async def test_buttons_of_an_ephemeral_message_work_for_its_member_at_any_age(wire):
    """§1 "Visible to the invoking user only"; each press brings a fresh token, which can edit the message (type 7)."""
    interaction = await wire.slash()
    data = {"flags": EPHEMERAL | V2, "components": CARD}
    answer = await wire.answer(interaction, 4, data, with_response=True)
    message_id = answer.body["resource"]["message"]["id"]
    await wire.pass_time(3600)
    fields = {"member": wire.members["Deniz"], "message": message_id, "custom_id": "a"}
    await wire.control("POST", "press", expect=404, **fields)
    press = await wire.press(message_id, "a", "Ada")
    assert press["message"]["flags"] == EPHEMERAL | V2
    assert (await wire.answer(press, 7, {"components": [{"type": 10, "content": "Done"}]})).status == 204
    assert (await wire.seen("Ada"))[-1]["components"][0]["content"] == "Done"


async def test_a_follow_up_after_a_deferral_fills_the_deferred_message(wire):
    """§1 "Right after a type-5 defer, POST fills the deferred message and ignores your ephemeral flag"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 5)
    first = await wire.webhook("POST", interaction, "", {"content": "filled", "flags": EPHEMERAL})
    second = await wire.webhook("POST", interaction, "", {"content": "more", "flags": EPHEMERAL})
    assert first.body["flags"] == 0
    assert [one["content"] for one in await wire.seen("Deniz")] == ["filled"]
    assert [one["content"] for one in await wire.seen("Ada")] == ["filled", "more"]
    assert second.body["flags"] == EPHEMERAL
    assert second.body["channel_id"] == wire.channels["general"]


async def test_follow_ups_can_be_read_edited_and_deleted(wire):
    """§1 "only through /webhooks/{app_id}/{token}/... while the token lives"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "one"})
    message = (await wire.webhook("POST", interaction, "", {"content": "two"})).body
    tail = f"/messages/{message['id']}"
    assert (await wire.webhook("PATCH", interaction, tail, {"content": "2"})).body["content"] == "2"
    assert (await wire.webhook("DELETE", interaction, tail)).status == 204
    assert (await wire.webhook("GET", interaction, tail)).body["code"] == 10008
    assert (await wire.webhook("DELETE", interaction, "/messages/@original")).status == 204
    assert await wire.seen() == []


async def test_before_the_first_answer_there_is_no_webhook(wire):
    """§11 "Webhook that answers 404": nothing can follow what was not answered."""
    interaction = await wire.slash()
    assert (await wire.webhook("POST", interaction, "", {"content": "early"})).body["code"] == 10015
    wrong = await wire.webhook("POST", {"token": "wrong"}, "", {"content": "x"})
    assert (wrong.status, wrong.body["code"]) == (401, 50027)


async def test_a_token_reaches_only_its_own_messages(wire):
    """§1 "only through /webhooks/{app_id}/{token}/...": the token is the secret for what was made with it."""
    other = (await wire.send({"content": "a channel message"})).body["id"]
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "mine"})
    assert (await wire.webhook("PATCH", interaction, f"/messages/{other}", {"content": "x"})).body[
        "code"
    ] == 10008


async def test_a_public_answer_can_be_edited_by_the_channel_route_for_ever(wire):
    """§1 "After 15 minutes the bot can still edit a public response by PATCH /channels/{c}/messages/{m}"."""
    interaction = await wire.slash()
    answer = await wire.answer(interaction, 4, {"content": "public"}, with_response=True)
    await wire.pass_time(24 * 3600)
    path = f"/channels/{wire.channels['general']}/messages/{answer.body['resource']['message']['id']}"
    assert (await wire.call("PATCH", path, {"content": "edited"})).body["content"] == "edited"


async def test_the_payload_tells_who_where_and_in_which_language(wire):
    """§1 "Payload gives locale, guild_locale, member with computed permissions, app_permissions, context, …"."""
    interaction = await wire.slash("Kerem")
    assert (interaction["locale"], interaction["guild_locale"]) == ("tr", "en-US")
    assert interaction["member"]["user"]["id"] == wire.members["Kerem"]
    assert int(interaction["member"]["permissions"]) & 1 << 11
    assert int(interaction["app_permissions"]) & 1 << 11
    assert (interaction["context"], interaction["guild_id"]) == (0, wire.guild)
    assert interaction["authorizing_integration_owners"] == {"0": wire.guild}
    assert interaction["attachment_size_limit"] == 10 * 1024 * 1024
    assert interaction["entitlements"] == []
    assert interaction["version"] == 1
    assert interaction["channel"]["id"] == wire.channels["general"]
    assert "position" in interaction["channel"]


async def test_in_a_direct_message_there_is_a_user_and_no_guild(wire):
    """§1 "user (DM)", "guild_locale (guild only)", "context 1 bot DM"."""
    await wire.commands({"name": "ping", "description": "Ping"})
    gateway = await wire.gateway()
    await gateway.ready()
    await wire.control("POST", "slash", member=wire.members["Elif"], channel="dm", command="ping", options={})
    interaction = await gateway.event("INTERACTION_CREATE")
    assert interaction["user"]["id"] == wire.members["Elif"]
    assert interaction["context"] == 1
    assert not {"member", "guild_id", "guild_locale"} & interaction.keys()


async def test_nothing_is_used_in_an_archived_thread(wire):
    """§1 "no commands or component use in an archived thread; a new message un-archives it unless locked"."""
    await wire.commands({"name": "ping", "description": "Ping"})
    made = await wire.control(
        "POST", "world", action="create_thread", channel=wire.channels["general"], name="A thread"
    )
    wire.channels["thread"] = made["id"]
    message = (await wire.send({"flags": V2, "components": CARD}, "thread")).body["id"]
    await wire.control("POST", "world", action="archive_thread", channel=made["id"], locked=False)
    ada = wire.members["Ada"]
    await wire.control(
        "POST", "slash", expect=400, member=ada, channel=made["id"], command="ping", options={}
    )
    await wire.control("POST", "press", expect=400, member=ada, message=message, custom_id="a")
    await wire.send({"content": "awake"}, "thread")
    await wire.control("POST", "press", member=ada, message=message, custom_id="a")


async def test_interactions_need_no_permission_of_the_bot(wire):
    """§9 "Interaction answers in a guild need none of these for the bot user"."""
    interaction = await wire.slash()
    await wire.overwrite("general", wire.members["Etüt"], deny=1 << 10)
    assert (await wire.send({"content": "x"})).body["code"] == 50001
    assert (await wire.answer(interaction, 4, {"content": "answered"})).status == 204
    assert (await wire.seen())[-1]["content"] == "answered"


async def test_snowflakes_and_the_date_header_come_from_the_same_clock(wire, start):
    """§11 and the Date header: every instant the bot can read is the sandbox's."""
    await wire.pass_time(90)
    first = await wire.send({"content": "one"})
    second = await wire.send({"content": "two"})
    assert int(second.body["id"]) > int(first.body["id"])
    made_ms = (int(first.body["id"]) >> 22) + 1420070400000
    assert made_ms == int(start.timestamp() * 1000) + 90_000
    assert parsedate_to_datetime(first.headers["Date"]).timestamp() * 1000 == made_ms
