"""discord-facts §2: messages, their limits, nonces, edits and mentions."""

import io

import pytest

PNG = ("a.png", b"\x89PNG\r\n\x1a\n")
EMBED = {"title": "T"}


def embeds(count, **fields):
    return {"embeds": [{**EMBED, **fields}] * count}


ACCEPTED = {
    "content of 2000": {"content": "x" * 2000},
    "ten embeds": embeds(10),
    "embed title 256, description 4096": embeds(1, title="x" * 256, description="x" * 4096),
    "25 fields": embeds(1, fields=[{"name": "n", "value": "v"}] * 25),
    "field name 256, value 1024": embeds(1, fields=[{"name": "x" * 256, "value": "x" * 1024}]),
    "6000 over all embeds": {"embeds": [{"description": "x" * 3000}] * 2},
    "texts are trimmed before counting": {"embeds": [{"description": "x" * 3000 + " " * 100}] * 2},
    "nonce of 25": {"content": "x", "nonce": "n" * 25},
    "poll": {
        "poll": {"question": {"text": "Q"}, "answers": [{"poll_media": {"text": "A"}}], "duration": 24.0}
    },
    "suppress notifications": {"content": "x", "flags": 4096},
}

REFUSED = {
    "content of 2001": ({"content": "x" * 2001}, ("content",)),
    "content that is no text": ({"content": 5}, ("content",)),
    "eleven embeds": (embeds(11), ("embeds",)),
    "embed title 257": (embeds(1, title="x" * 257), ("embeds", "0", "title")),
    "embed description 4097": (embeds(1, description="x" * 4097), ("embeds", "0", "description")),
    "26 fields": (embeds(1, fields=[{"name": "n", "value": "v"}] * 26), ("embeds", "0", "fields")),
    "field name 257": (
        embeds(1, fields=[{"name": "x" * 257, "value": "v"}]),
        ("embeds", "0", "fields", "0", "name"),
    ),
    "field value 1025": (
        embeds(1, fields=[{"name": "n", "value": "x" * 1025}]),
        ("embeds", "0", "fields", "0", "value"),
    ),
    "empty field value": (
        embeds(1, fields=[{"name": "n", "value": ""}]),
        ("embeds", "0", "fields", "0", "value"),
    ),
    "footer 2049": (embeds(1, footer={"text": "x" * 2049}), ("embeds", "0", "footer", "text")),
    "author 257": (embeds(1, author={"name": "x" * 257}), ("embeds", "0", "author", "name")),
    "6001 over all embeds": (
        {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]},
        ("embeds",),
    ),
    "an empty embed": ({"embeds": [{}]}, ("embeds", "0", "description")),
    "embed picture that was not uploaded": (
        embeds(1, image={"url": "attachment://a.png"}),
        ("embeds", "0", "image", "url"),
    ),
    "nonce of 26": ({"content": "x", "nonce": "n" * 26}, ("nonce",)),
    "four stickers": ({"content": "x", "sticker_ids": ["1", "2", "3", "4"]}, ("sticker_ids",)),
    "the ephemeral flag": ({"content": "x", "flags": 64}, ("flags",)),
    "parse users and a users list": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        ("allowed_mentions", "users"),
    ),
    "101 users": (
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
        ("allowed_mentions", "users"),
    ),
    "an unknown parse": (
        {"content": "x", "allowed_mentions": {"parse": ["all"]}},
        ("allowed_mentions", "parse", "0"),
    ),
    "poll answer of 56": (
        {"poll": {"question": {"text": "Q"}, "answers": [{"poll_media": {"text": "x" * 56}}]}},
        ("poll", "answers", "0", "poll_media", "text"),
    ),
    "poll question of 301": (
        {"poll": {"question": {"text": "x" * 301}, "answers": [{"poll_media": {"text": "A"}}]}},
        ("poll", "question", "text"),
    ),
    "eleven poll answers": (
        {"poll": {"question": {"text": "Q"}, "answers": [{"poll_media": {"text": "A"}}] * 11}},
        ("poll", "answers"),
    ),
    "a poll of 769 hours": (
        {"poll": {"question": {"text": "Q"}, "answers": [{"poll_media": {"text": "A"}}], "duration": 769}},
        ("poll", "duration"),
    ),
}


@pytest.fixture
async def polls_allowed(wire):
    """§2 "SEND_POLLS needed"."""
    await wire.overwrite("general", wire.bot_role, allow=1 << 49)


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_what_discord_accepts(wire, polls_allowed, body):
    """§2 table of limits: what is just inside them."""
    answer = await wire.send(body)
    assert answer.status == 200, answer.body


@pytest.mark.parametrize(("body", "path"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_discord_refuses(wire, polls_allowed, fields, body, path):
    """§2 table of limits, mentions and polls: what is just outside them is 50035 and names the field."""
    answer = await wire.send(body)
    assert (answer.status, answer.body["code"], answer.body["message"]) == (400, 50035, "Invalid Form Body")
    assert fields(answer.body, *path)


async def test_all_faults_are_told_at_once(wire, fields):
    """§11 "50035: `errors` tree names the field"."""
    answer = await wire.send({"content": "x" * 2001, "nonce": "n" * 26, "embeds": [{"title": "x" * 257}]})
    assert fields(answer.body, "content") == ["BASE_TYPE_MAX_LENGTH"]
    assert fields(answer.body, "nonce")
    assert fields(answer.body, "embeds", "0", "title")


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"content": " \n "}, {"content": None, "embeds": []}])
async def test_a_message_needs_something(wire, body):
    """§2 "A message needs at least one of content, embeds, … (else 50006)"."""
    answer = await wire.send(body)
    assert (answer.status, answer.body["code"]) == (400, 50006)


async def test_a_poll_needs_the_permission(wire):
    """§2 "SEND_POLLS needed"."""
    answer = await wire.send(
        {"poll": {"question": {"text": "Q"}, "answers": [{"poll_media": {"text": "A"}}]}}
    )
    assert (answer.status, answer.body["code"]) == (403, 50013)


async def test_a_nonce_brings_back_the_earlier_message_with_its_old_content(wire):
    """§2 nonce: "unique for the same author in the past few minutes only: then the earlier message comes back"."""
    first = await wire.send({"content": "old", "nonce": "n1", "enforce_nonce": True})
    again = await wire.send({"content": "new", "nonce": "n1", "enforce_nonce": True})
    assert (again.body["id"], again.body["content"], again.body["nonce"]) == (first.body["id"], "old", "n1")
    assert len(await wire.seen()) == 1


async def test_a_nonce_is_forgotten_after_a_few_minutes(wire):
    """§2 nonce: "in the past few minutes only"."""
    body = {"content": "x", "nonce": "n1", "enforce_nonce": True}
    first = await wire.send(body)
    await wire.pass_time(5 * 60)
    assert (await wire.send(body)).body["id"] == first.body["id"]
    await wire.pass_time(1)
    assert (await wire.send(body)).body["id"] != first.body["id"]


async def test_without_enforce_a_nonce_is_only_shown(wire):
    """§2 nonce: "with `enforce_nonce`"."""
    body = {"content": "x", "nonce": "n1"}
    assert (await wire.send(body)).body["id"] != (await wire.send(body)).body["id"]


async def test_first_answers_and_follow_ups_have_no_nonce(wire):
    """§2 "Nothing but messages has a nonce: … follow-ups and first answers made twice exist twice"."""
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "one"})
    for _ in range(2):
        await wire.webhook("POST", interaction, "", {"content": "again"})
    assert [one["content"] for one in await wire.seen()] == ["one", "again", "again"]


async def test_an_edit_changes_only_what_it_names(wire):
    """§2 "Edit: every field optional; null/[] clears"."""
    message = (await wire.send({"content": "text", "embeds": [EMBED]})).body
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    assert message["edited_timestamp"] is None
    edited = (await wire.call("PATCH", path, {"content": "new"})).body
    assert (edited["content"], len(edited["embeds"])) == ("new", 1)
    assert edited["edited_timestamp"] is not None
    assert (await wire.call("PATCH", path, {"content": None})).body["content"] == ""
    assert (await wire.call("PATCH", path, {"embeds": []})).body["code"] == 50006
    assert (await wire.call("GET", path)).body["embeds"] == [{**EMBED, "type": "rich"}]


async def test_an_edit_of_attachments_lists_what_stays(wire):
    """§2 "`attachments`, when sent, must list all files to keep plus new ones; left out, all stay"."""
    path = f"/channels/{wire.channels['general']}/messages"
    message = (await wire.call("POST", path, {"content": "x"}, files=[PNG, ("b.txt", b"b")])).body
    first, second = message["attachments"]
    assert (first["filename"], first["size"], second["content_type"]) == ("a.png", len(PNG[1]), "text/plain")
    path += f"/{message['id']}"
    assert len((await wire.call("PATCH", path, {"content": "y"})).body["attachments"]) == 2
    body = {"attachments": [{"id": second["id"]}, {"id": 0, "filename": "c.png", "description": "alt"}]}
    kept = (await wire.call("PATCH", path, body, files=[("c.png", b"c")])).body["attachments"]
    assert [one["filename"] for one in kept] == ["b.txt", "c.png"]
    assert kept[1]["description"] == "alt"
    assert (await wire.call("PATCH", path, {"attachments": []})).body["attachments"] == []


async def test_files_can_be_fetched_from_their_address(wire):
    """§2 attachments: what was uploaded is served."""
    path = f"/channels/{wire.channels['general']}/messages"
    message = (await wire.call("POST", path, {}, files=[PNG])).body
    async with wire.http.get(message["attachments"][0]["url"]) as response:
        assert (response.status, response.content_type, await response.read()) == (200, "image/png", PNG[1])


async def test_ten_attachments_at_most(wire):
    """§2 "10 per message (30015)"."""
    path = f"/channels/{wire.channels['general']}/messages"
    ten = [(f"{n}.txt", b"x") for n in range(10)]
    message = (await wire.call("POST", path, {"content": "x"}, files=ten)).body
    more = await wire.call("PATCH", f"{path}/{message['id']}", {"content": "y"}, files=[("k.txt", b"x")])
    assert (more.status, more.body["code"]) == (400, 30015)
    eleven = await wire.call("POST", path, {"content": "x"}, files=[*ten, ("k.txt", b"x")])
    assert eleven.status == 400


async def test_files_have_a_limit(wire):
    """§2 "10 MiB each by default, checked per file"."""
    path = f"/channels/{wire.channels['general']}/messages"
    file = io.BytesIO(b"x" * (10 * 1024 * 1024 + 1))
    big = await wire.call("POST", path, {"content": "x"}, files=[("a.bin", file)])
    assert (big.status, big.body["code"]) == (413, 40005)


async def test_alt_text_has_a_limit(wire, fields):
    """§2 "alt text 1024"."""
    path = f"/channels/{wire.channels['general']}/messages"
    body = {"attachments": [{"id": 0, "filename": "a.png", "description": "x" * 1025}]}
    answer = await wire.call("POST", path, body, files=[PNG])
    assert fields(answer.body, "attachments", "0", "description")


async def test_only_own_messages_can_be_edited(wire):
    """§11 "50005 403 not our message"."""
    written = await wire.control(
        "POST", "send", member=wire.members["Ada"], channel=wire.channels["general"], content="mine"
    )
    path = f"/channels/{wire.channels['general']}/messages/{written['id']}"
    answer = await wire.call("PATCH", path, {"content": "x"})
    assert (answer.status, answer.body["code"]) == (403, 50005)
    assert (await wire.call("DELETE", path)).body["code"] == 50013
    await wire.overwrite("general", wire.bot_role, allow=1 << 13)
    assert (await wire.call("DELETE", path)).status == 204


async def test_history_is_read_in_pages(wire):
    """§2 and MSG: messages before, after and around an id, newest first, at most 100."""
    sent = [(await wire.send({"content": str(n)})).body["id"] for n in range(6)]
    path = f"/channels/{wire.channels['general']}/messages"

    async def page(query):
        return [one["content"] for one in (await wire.call("GET", path + query)).body]

    assert await page("") == ["5", "4", "3", "2", "1", "0"]
    assert await page("?limit=2") == ["5", "4"]
    assert await page(f"?limit=2&before={sent[3]}") == ["2", "1"]
    assert await page(f"?limit=2&after={sent[1]}") == ["3", "2"]
    assert await page(f"?limit=3&around={sent[2]}") == ["3", "2", "1"]
    assert (await wire.call("GET", path + "?limit=101")).body["code"] == 50035
    assert (await wire.call("GET", path + "?limit=0")).body["code"] == 50035
    assert (await wire.call("GET", f"{path}/{sent[0]}")).body["content"] == "0"


async def test_bulk_delete_takes_2_to_100_young_messages(wire):
    """§2 "bulk delete 2-100 ids, none older than 2 weeks"."""
    await wire.overwrite("general", wire.bot_role, allow=1 << 13)
    path = f"/channels/{wire.channels['general']}/messages/bulk-delete"
    old = [(await wire.send({"content": "x"})).body["id"] for _ in range(2)]
    assert (await wire.call("POST", path, {"messages": old[:1]})).body["code"] == 50035
    await wire.pass_time(14 * 24 * 3600 + 1)
    assert (await wire.call("POST", path, {"messages": old})).body["code"] == 50034
    young = [(await wire.send({"content": "x"})).body["id"] for _ in range(2)]
    assert (await wire.call("POST", path, {"messages": young})).status == 204
    assert [one["id"] for one in await wire.seen()] == old


async def test_channel_messages_ping_everything_by_default(wire):
    """§2 mentions: "default in channel messages = everything pings; {"parse": []} silences all"."""
    ada = wire.members["Ada"]
    text = f"<@{ada}> <@&{wire.bot_role}> @everyone"
    await wire.overwrite("general", wire.bot_role, allow=1 << 17)
    loud = (await wire.send({"content": text})).body
    assert ([one["id"] for one in loud["mentions"]], loud["mention_roles"]) == ([ada], [wire.bot_role])
    assert loud["mention_everyone"] is True
    quiet = (await wire.send({"content": text, "allowed_mentions": {"parse": []}})).body
    assert (quiet["mentions"], quiet["mention_roles"], quiet["mention_everyone"]) == ([], [], False)
    chosen = (await wire.send({"content": text, "allowed_mentions": {"users": [ada]}})).body
    assert ([one["id"] for one in chosen["mentions"]], chosen["mention_everyone"]) == ([ada], False)


async def test_interaction_answers_ping_only_users_by_default(wire):
    """§2 mentions: "default in interactions/webhooks = only users"."""
    await wire.overwrite("general", wire.bot_role, allow=1 << 17)
    interaction = await wire.slash()
    data = {"content": f"<@{wire.members['Ada']}> @everyone"}
    answer = await wire.answer(interaction, 4, data, with_response=True)
    message = answer.body["resource"]["message"]
    assert ([one["id"] for one in message["mentions"]], message["mention_everyone"]) == (
        [wire.members["Ada"]],
        False,
    )


async def test_an_edit_parses_mentions_anew(wire):
    """§2 "Edit re-parses mentions with default permissions unless `allowed_mentions` is sent again"."""
    body = {"content": f"<@{wire.members['Ada']}>", "allowed_mentions": {"parse": []}}
    message = (await wire.send(body)).body
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    assert (await wire.call("PATCH", path, {"embeds": [EMBED]})).body["mentions"] != []
    assert (await wire.call("PATCH", path, {"allowed_mentions": {"parse": []}})).body["mentions"] == []


async def test_mentions_count_in_v2_texts_too(wire):
    """§2 "Applies to text in V2 components too"."""
    parts = [{"type": 17, "components": [{"type": 10, "content": f"<@{wire.members['Ada']}>"}]}]
    assert len((await wire.send({"flags": 32768, "components": parts})).body["mentions"]) == 1


async def test_everyone_needs_its_permission(wire):
    """§9 "ping @everyone / unmentionable roles: MENTION_EVERYONE"."""
    message = (await wire.send({"content": f"@everyone <@&{wire.bot_role}>"})).body
    assert (message["mention_everyone"], message["mention_roles"]) == (False, [])


async def test_messages_carry_what_libraries_need(wire):
    """discordpy-notes §9: the fields whose absence breaks the library; exactly application/json."""
    answer = await wire.send({"content": "x"})
    assert answer.headers["Content-Type"] == "application/json"
    needed = {
        "edited_timestamp",
        "tts",
        "mention_everyone",
        "mentions",
        "mention_roles",
        "attachments",
        "embeds",
    }
    assert needed | {"pinned", "type", "timestamp", "author", "flags", "components"} <= answer.body.keys()


async def test_broken_json_is_refused_in_words(wire):
    """§11: a body that cannot be read is 50109."""
    headers = {"Authorization": "Bot sandbox-token", "Content-Type": "application/json"}
    url = f"{wire.base}/api/v10/channels/{wire.channels['general']}/messages"
    async with wire.http.post(url, data=b"{", headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)
