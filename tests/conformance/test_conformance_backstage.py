"""What the page's backstage needs of the control interface: wishes for the bot's process, news of the clock, the end of
the log, and who may do what in a channel."""

import asyncio

import pytest

from sandbox import supervision

RUNNING = {"supervised": True, "state": "running", "wanted": "running"}


async def live(wire):
    url = f"{wire.base.replace('http', 'ws')}/control/live?member={wire.members['Ada']}"
    return await wire.http.ws_connect(url)


async def report(wire, state, wait=0):
    return (await wire.control("POST", "bot/state", state=state, wait=wait))["wanted"]


async def supervised(wire):
    async with asyncio.timeout(5):
        while not (await wire.control("GET", "bot"))["supervised"]:
            pass


async def test_nothing_can_be_wished_where_nobody_runs_the_bot(wire):
    expected = {"supervised": False, "state": None, "wanted": "running"}
    assert await wire.control("GET", "bot") == expected
    for action in ("kill", "start", "dance"):
        answer = await wire.control("POST", "bot", expect=400, action=action)
        assert len(answer["error"]) > 10


async def test_a_supervisor_hears_at_once_what_is_wished_and_tells_what_became_of_it(wire):
    async with await live(wire) as page:
        assert await report(wire, "running") == "running"
        assert await page.receive_json(timeout=5) == {"type": "world"}
        assert await wire.control("GET", "bot") == RUNNING
        asking = asyncio.create_task(report(wire, "running", wait=30))
        await wire.control("GET", "bot")
        wished = await wire.control("POST", "bot", action="kill")
        assert wished == {"supervised": True, "state": "running", "wanted": "stopped"}
        assert await page.receive_json(timeout=5) == {"type": "world"}
        assert await asyncio.wait_for(asking, 5) == "stopped"
        asking = asyncio.create_task(report(wire, "stopped", wait=30))
        assert await page.receive_json(timeout=5) == {"type": "world"}
        assert (await wire.control("GET", "bot"))["state"] == "stopped"
        await wire.control("POST", "bot", action="start")
        assert await asyncio.wait_for(asking, 5) == "running"


async def test_a_wish_lasts_until_it_is_carried_out(wire):
    await report(wire, "running")
    await wire.control("POST", "bot", action="kill")
    assert await report(wire, "running", wait=30) == "stopped"
    assert await report(wire, "running", wait=30) == "stopped"


async def test_only_the_newest_question_is_kept_waiting(wire):
    first = asyncio.create_task(report(wire, "running", wait=30))
    await supervised(wire)
    second = asyncio.create_task(report(wire, "running", wait=30))
    assert await asyncio.wait_for(first, 5) == "running"
    await wire.control("POST", "bot", action="kill")
    assert await asyncio.wait_for(second, 5) == "stopped"


async def test_a_supervisor_that_stays_away_is_forgotten_with_what_was_wished(wire, monkeypatch):
    monkeypatch.setattr(supervision, "PATIENCE_S", 0.01)
    async with await live(wire) as page:
        await report(wire, "running")
        assert await page.receive_json(timeout=5) == {"type": "world"}
        assert await page.receive_json(timeout=5) == {"type": "world"}
    assert await wire.control("GET", "bot") == {"supervised": False, "state": None, "wanted": "running"}


async def test_a_supervisor_that_waits_does_not_keep_the_sandbox_from_ending(wire):
    asking = asyncio.create_task(report(wire, "running", wait=30))
    await supervised(wire)
    await asyncio.wait_for(wire.sandbox.stop(), 5)
    assert await asking == "running"


async def test_what_a_supervisor_says_is_refused_in_words_or_left_out_of_the_log(wire):
    await report(wire, "running")
    assert await wire.control("POST", "bot/state", expect=400, state="asleep")
    assert not [one for one in await wire.control("GET", "log") if "bot/state" in one["path"]]


@pytest.mark.parametrize(
    "move",
    [
        {"action": "advance", "by": 5},
        {"action": "set", "to": "2026-03-01T21:00:00Z"},
        {"action": "release"},
        {"action": "hold"},
    ],
)
async def test_idle_pages_hear_that_the_clock_was_moved(wire, move):
    async with await live(wire) as page:
        await wire.control("POST", "clock", **move)
        assert await page.receive_json(timeout=5) == {"type": "world"}


async def test_the_log_is_read_from_its_end(wire):
    for number in range(5):
        await wire.send({"content": str(number)})
    last = await wire.control("GET", "log", after=-2)
    assert [one["body"] for one in last] == [{"content": "3"}, {"content": "4"}]
    everything = await wire.control("GET", "log")
    assert await wire.control("GET", "log", after=-1000) == everything


async def test_the_world_tells_what_the_bot_may_do_in_a_channel(wire):
    async def quiz_night():
        channels = (await wire.control("GET", "world"))["guilds"][0]["channels"]
        return next(one for one in channels if one["name"] == "quiz-night")

    send = 1 << 11
    before = await quiz_night()
    assert before["overwrites"] == []
    assert int(before["bot_permissions"]) & send
    await wire.overwrite("quiz-night", wire.app, deny=send)
    denied = await quiz_night()
    assert denied["overwrites"] == [{"id": wire.app, "allow": "0", "deny": str(send)}]
    assert not int(denied["bot_permissions"]) & send
