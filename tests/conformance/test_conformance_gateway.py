"""discord-facts §12: the gateway."""

import pytest

GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 9, 1 << 12


async def press_somewhere(wire):
    """Let Ada use /ping; returns the interaction's id."""
    if not (await wire.call("GET", f"/applications/{wire.app}/commands")).body:
        await wire.commands({"name": "ping", "description": "Ping"})
    fields = {
        "member": wire.members["Ada"],
        "channel": wire.channels["general"],
        "command": "ping",
        "options": {},
    }
    return (await wire.control("POST", "slash", **fields))["interaction"]


async def test_hello_and_heartbeats(wire):
    """§12 "Op 10 Hello → heartbeat every `heartbeat_interval` ms, op 11 ack"."""
    gateway = await wire.gateway()
    assert gateway.hello["op"] == 10
    assert gateway.hello["d"]["heartbeat_interval"] > 1000
    await gateway.write(1, None)
    assert (await gateway.read())["op"] == 11


async def test_ready_names_user_guilds_session_and_shard(wire):
    """§12 and discordpy-notes §9: READY's fields; a guild is unavailable until its GUILD_CREATE."""
    gateway = await wire.gateway()
    ready = await gateway.ready()
    assert (ready["v"], ready["user"]["id"], ready["shard"]) == (10, wire.app, [0, 1])
    assert ready["guilds"] == [{"id": wire.guild, "unavailable": True}]
    assert ready["resume_gateway_url"].startswith(f"ws://127.0.0.1:{wire.sandbox.port}/gateway")
    assert ready["application"] == {"id": wire.app, "flags": 0}
    guild = await gateway.event("GUILD_CREATE")
    assert (guild["name"], guild["preferred_locale"], "COMMUNITY" in guild["features"]) == (
        "Study hall",
        "en-US",
        True,
    )
    assert {one["name"] for one in guild["channels"]} == set(wire.channels)


async def test_guild_create_lists_only_the_bot(wire):
    """§12 "Without GUILD_PRESENCES, GUILD_CREATE lists only the bot and voice users as members"."""
    gateway = await wire.gateway()
    await gateway.ready()
    guild = await gateway.event("GUILD_CREATE")
    assert [one["user"]["id"] for one in guild["members"]] == [wire.app]
    assert guild["member_count"] == len(wire.members)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"token": "wrong"}, 4004),
        ({"token": ""}, 4004),
        ({"shard": [1, 1]}, 4010),
        ({"shard": [0]}, 4010),
        ({"intents": -1}, 4013),
        ({"intents": None}, 4013),
        ({"intents": 1 << 1}, 4014),
        ({"intents": 1 << 8}, 4014),
        ({"intents": 1 << 15}, 4014),
    ],
)
async def test_a_wrong_identify_closes_for_good(wire, change, code):
    """§12 "Final close codes: 4004, 4010, 4011, 4012, 4013, 4014" and the privileged intents."""
    gateway = await wire.gateway()
    await gateway.identify(**change)
    assert await gateway.closing() == code


async def test_a_wrong_version_closes_for_good(wire):
    """§12 "Final close codes: … 4012"."""
    gateway = await wire.gateway(version=5)
    assert await gateway.closing() == 4012


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ('{"op": 99, "d": null}', 4001),
        ("not json", 4002),
        ("[]", 4002),
        ('{"op": 3, "d": {}}', 4003),
        ('{"op": 1, "d": null, "pad": "' + "x" * 4096 + '"}', 4002),
    ],
)
async def test_bad_payloads_close_the_connection(wire, payload, code):
    """§12 "Outgoing payload ≤ 4096 bytes (4002)" and the close codes for what cannot be understood."""
    gateway = await wire.gateway()
    await gateway.socket.send_str(payload)
    assert await gateway.closing() == code


async def test_identifying_twice_closes_the_connection(wire):
    """§12: a connection identifies once (4005)."""
    gateway = await wire.gateway()
    await gateway.ready()
    await gateway.identify()
    assert await gateway.closing() == 4005


async def test_more_than_120_sends_a_minute_close_the_connection(wire):
    """§12 "120 sends / 60 s per connection (4008)"."""
    gateway = await wire.gateway()
    for _ in range(121):
        await gateway.write(1, None)
    assert await gateway.closing() == 4008


async def test_interactions_need_no_intent(wire):
    """§12 "INTERACTION_CREATE is sent without any intent and carries member, roles, permissions"."""
    gateway = await wire.gateway()
    await gateway.ready(intents=0)
    interaction_id = await press_somewhere(wire)
    event = await gateway.event("INTERACTION_CREATE")
    assert event["id"] == interaction_id
    assert {"roles", "permissions", "user"} <= event["member"].keys()


async def test_events_need_their_intents(wire):
    """§12 "GUILDS (1) is enough": messages come only to who asked for them."""
    few, many = await wire.gateway(), await wire.gateway()
    await few.ready(intents=1)
    await many.ready(intents=1 | GUILD_MESSAGES)
    sent = (await wire.send({"content": "x"})).body["id"]
    made = await wire.control("POST", "world", action="create_channel", name="new", type=0)
    event = await many.event("MESSAGE_CREATE")
    assert (event["id"], event["guild_id"], event["content"]) == (sent, wire.guild, "x")
    assert event["member"]["joined_at"]
    for gateway in (few, many):
        payload = await gateway.read()
        while payload["t"] != "CHANNEL_CREATE":
            assert payload["t"] != "MESSAGE_CREATE"
            payload = await gateway.read()
        assert payload["d"]["id"] == made["id"]


async def test_contents_come_with_own_mentioned_and_direct_messages_only(wire):
    """§12 "its own and mentioned/DM messages arrive with content anyway"."""
    gateway = await wire.gateway()
    await gateway.ready(intents=1 | GUILD_MESSAGES | DIRECT_MESSAGES)

    async def hear(channel, content):
        await wire.control("POST", "send", member=wire.members["Ada"], channel=channel, content=content)
        return (await gateway.event("MESSAGE_CREATE"))["content"]

    general = wire.channels["general"]
    assert await hear(general, "secret") == ""
    assert await hear(general, f"<@{wire.app}> hello") == f"<@{wire.app}> hello"
    assert await hear("dm", "private") == "private"


async def test_ephemeral_messages_never_come_over_the_gateway(wire):
    """§1 "Visible to the invoking user only"."""
    gateway = await wire.gateway()
    await gateway.ready(intents=1 | GUILD_MESSAGES)
    await press_somewhere(wire)
    interaction = await gateway.event("INTERACTION_CREATE")
    await wire.answer(interaction, 4, {"content": "hush", "flags": 64})
    marker = (await wire.send({"content": "marker"})).body["id"]
    assert (await gateway.event("MESSAGE_CREATE"))["id"] == marker


async def test_shards_hear_their_guilds(wire):
    """§12 "shard = (guild_id >> 22) % n; DMs go to shard 0"."""
    deniz = wire.members["Deniz"]
    guilds = [wire.guild]
    for number in range(3):
        await wire.pass_time(0.003)
        made = await wire.control("POST", "world", action="create_guild", name=f"G{number}", owner=deniz)
        guilds.append(made["id"])
    shards = [await wire.gateway() for _ in range(2)]
    seen = []
    for number, gateway in enumerate(shards):
        ready = await gateway.ready(shard=[number, 2])
        assert ready["shard"] == [number, 2]
        ids = [one["id"] for one in ready["guilds"]]
        assert all((int(one) >> 22) % 2 == number for one in ids)
        seen += ids
    assert sorted(seen) == sorted(guilds)
    await wire.commands({"name": "ping", "description": "Ping"})
    await wire.control("POST", "slash", member=deniz, channel="dm", command="ping", options={})
    assert (await shards[0].event("INTERACTION_CREATE"))["context"] == 1


async def resume(wire, session, seq):
    gateway = await wire.gateway()
    await gateway.write(6, {"token": "sandbox-token", "session_id": session, "seq": seq})
    return gateway


async def test_a_dropped_client_resumes_and_hears_what_it_missed(wire):
    """§12 "Resume with `resume_gateway_url`, session_id, seq"."""
    gateway = await wire.gateway()
    session = (await gateway.ready())["session_id"]
    await gateway.event("GUILD_CREATE")
    await wire.control("POST", "gateway", action="drop")
    await gateway.closing()
    missed = [await press_somewhere(wire) for _ in range(2)]
    again = await resume(wire, session, gateway.seq)
    assert [(await again.event("INTERACTION_CREATE"))["id"] for _ in missed] == missed
    assert await again.event("RESUMED") == {}
    later = await press_somewhere(wire)
    assert (await again.event("INTERACTION_CREATE"))["id"] == later


async def test_sequence_numbers_go_on_after_a_resume(wire):
    """§12 "Resume with …, session_id, seq": numbers never repeat within a session."""
    gateway = await wire.gateway()
    session = (await gateway.ready())["session_id"]
    await gateway.event("GUILD_CREATE")
    before = gateway.seq
    await gateway.close(code=4000)
    await press_somewhere(wire)
    again = await resume(wire, session, before)
    await again.event("INTERACTION_CREATE")
    assert again.seq == before + 1


@pytest.mark.parametrize(
    "case", ["unknown", "left with 1000", "left with 1001", "dropped for good", "too late"]
)
async def test_some_sessions_cannot_be_resumed(wire, case):
    """§12 "Op 9 with d=false → identify anew. Close by client with 1000/1001 ends the session"."""
    gateway = await wire.gateway()
    session = (await gateway.ready())["session_id"]
    if case == "unknown":
        session = "0" * 32
    elif case == "dropped for good":
        await wire.control("POST", "gateway", action="drop_no_resume")
    elif case == "too late":
        await gateway.close(code=4000)
        await wire.pass_time(3600)
    else:
        await gateway.close(code=int(case[-4:]))
    again = await resume(wire, session, gateway.seq)
    payload = await again.read()
    assert (payload["op"], payload["d"]) == (9, False)
    await again.ready()


async def test_a_wrong_token_cannot_resume(wire):
    """§12 "Final close codes: 4004"."""
    gateway = await wire.gateway()
    await gateway.write(6, {"token": "wrong", "session_id": "x", "seq": 0})
    assert await gateway.closing() == 4004


async def test_a_seq_from_the_future_is_refused(wire):
    """§12 "Resume with …, seq": 4007 for one that was never sent."""
    gateway = await wire.gateway()
    session = (await gateway.ready())["session_id"]
    await gateway.close(code=4000)
    again = await resume(wire, session, 10_000)
    assert await again.closing() == 4007


async def test_the_gateway_can_ask_to_reconnect_and_end_sessions(wire):
    """§12 "Op 9 with d=false → identify anew", and op 7."""
    gateway = await wire.gateway()
    session = (await gateway.ready())["session_id"]
    await gateway.event("GUILD_CREATE")
    await wire.control("POST", "gateway", action="reconnect")
    assert (await gateway.read())["op"] == 7
    await wire.control("POST", "gateway", action="invalid_session")
    payload = await gateway.read()
    assert (payload["op"], payload["d"]) == (9, False)
    # The connection stays and may identify again; the old session is gone.
    assert (await gateway.ready())["session_id"] != session


async def test_every_session_of_a_token_hears_everything(wire):
    """§12 "Events may come zero, one or many times": two copies of a bot both get them (and §1: one gets 40060)."""
    first, second = await wire.gateway(), await wire.gateway()
    await first.ready()
    await second.ready()
    await press_somewhere(wire)
    heard = [await one.event("INTERACTION_CREATE") for one in (first, second)]
    assert heard[0]["id"] == heard[1]["id"]
    assert [(await wire.answer(one, 4, {"content": "x"})).status for one in heard] == [204, 400]


async def test_the_page_learns_whether_the_bot_is_there(wire):
    """The control contract: bot.online."""
    assert (await wire.control("GET", "world"))["bot"]["online"] is False
    gateway = await wire.gateway()
    await gateway.ready()
    assert (await wire.control("GET", "world"))["bot"]["online"] is True


async def test_gateway_addresses(wire):
    """§12 "`max_concurrency` identifies per 5 s": /gateway and /gateway/bot."""
    assert (await wire.call("GET", "/gateway", token=None)).body["url"].startswith("ws://127.0.0.1")
    bot = (await wire.call("GET", "/gateway/bot")).body
    assert (bot["shards"], bot["session_start_limit"]["max_concurrency"]) == (1, 1)
