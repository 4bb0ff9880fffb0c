"""When the line to the gateway breaks: presses, deadlines and the session, and nobody else is ever called.

The bot reaches the gateway through a relay, while the sandbox names its own address to resume at: a bot that
followed it would not be heard by the relay.
"""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.reading import Json, deadline, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e

AWAY = "The bot was away: 15 seconds more"


def ends_at(question: Json) -> datetime:
    return datetime.fromtimestamp(deadline(question), UTC)


async def greetings(table: Table) -> list[str]:
    """Return how the bot has introduced itself to the gateway, in order."""
    names = ("IDENTIFY", "RESUME")
    return [one["path"] for one in await table.log() if one["dir"] == "gateway-in" and one["path"] in names]


async def check_line(table: Table) -> None:
    """Check that every session came through the relay, and none from elsewhere."""
    assert table.gateway.opened == len(await greetings(table))


async def test_a_resumed_session_delivers_what_was_pressed_meanwhile(table: Table) -> None:
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await table.cut_gateway()
    meanwhile = await ada.press_blindly(question, "B")
    await table.advance(2)
    await table.mend_gateway()
    assert await greetings(table) == ["IDENTIFY", "RESUME"]
    assert reply(await table.interaction(meanwhile)).startswith("Saved: B")
    assert deadline(await table.again(question)) == deadline(question)
    assert reply(await tom.press(question, "A")).startswith("Saved: A")
    assert "2 took part" in words(await table.message("🏁"))
    await check_line(table)


@pytest.mark.parametrize("kept", [True, False])
async def test_a_deadline_that_fell_into_a_break_is_put_off(table: Table, kept: bool) -> None:
    """Whether the session can be resumed (`kept`) or not."""
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await table.advance(5)
    await table.cut_gateway()
    if not kept:
        await table.post("gateway", {"action": "drop_no_resume"})
    await table.advance(60)
    assert "✅" not in words(await table.again(question))  # presses may be on their way
    await table.mend_gateway()
    assert (await greetings(table))[-1] == ("RESUME" if kept else "IDENTIFY")
    extended = await table.again(question)
    assert AWAY in words(extended)
    assert ends_at(extended) == table.now + timedelta(seconds=15)
    assert reply(await ada.press(extended, "B")).startswith("Saved: B")
    await table.advance_to(ends_at(extended) + timedelta(seconds=1.5))
    assert "✅ right answer" in words(await table.again(question))
    assert "🥇 Ada · 1 of 1" in words(await table.message("🏁"))
    await check_line(table)


async def test_little_time_left_on_return_is_made_good(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await table.advance(5)
    await table.cut_gateway()
    await table.advance(8)
    await table.mend_gateway()
    extended = await table.again(question)
    assert AWAY in words(extended)
    assert ends_at(extended) == table.now + timedelta(seconds=15)
    # Once a turn: a second break gives nothing.
    await table.advance(5)
    await table.cut_gateway()
    await table.advance(4)
    await table.mend_gateway()
    assert ends_at(await table.again(question)) == ends_at(extended)


async def test_a_refused_session_begins_anew_at_our_own_gateway(table: Table) -> None:
    """Op 9 false: the library then goes to its default gateway, which must be ours too."""
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await table.post("gateway", {"action": "invalid_session"})

    async def identified_again() -> bool:
        return await greetings(table) == ["IDENTIFY"] * 2

    await table.until(identified_again)
    await table.until(table.is_back)
    await table.settle()
    assert reply(await ada.press(question, "B")).startswith("Saved: B")
    assert deadline(await table.again(question)) == deadline(question)
    assert "1 took part" in words(await table.message("🏁"))
    await check_line(table)


async def test_asked_to_reconnect_the_bot_resumes_and_the_round_goes_on(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await table.post("gateway", {"action": "reconnect"})

    async def resumed() -> bool:
        return await greetings(table) == ["IDENTIFY", "RESUME"]

    await table.until(resumed)
    await table.until(table.is_back)
    await table.settle()
    assert reply(await ada.press(question, "B")).startswith("Saved: B")
    assert deadline(await table.again(question)) == deadline(question)
    await check_line(table)


async def test_a_press_in_time_counts_even_where_it_is_delivered_after_the_reveal(table: Table) -> None:
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await ada.press(question, "A")
    await table.advance_to(ends_at(question))
    table.gateway.hold_answers()
    held = await tom.press_blindly(question, "B")
    result = await table.message("🏁")
    assert "1 took part · average 0 of 1" in words(result)
    table.gateway.let_go()

    async def counted() -> bool:
        return "2 took part · average 0.5 of 1" in words(await table.again(result))

    await table.until(counted)
    await table.settle()
    assert (await table.interaction(held))[
        "state"
    ] == "failed"  # its 3 s were over, and it counts all the same
    assert "Right: 1 of 2" in words(await table.again(question))
    assert "🥇 Tom · 1 of 1" in words(await table.again(result))
    assert "Your points: 1 of 1 · your rank: 1 of 2" in reply(await tom.press(result, "My result"))
    assert len(await table.messages()) == 2


async def test_a_press_delivered_very_late_no_longer_counts(table: Table) -> None:
    maya, tom = table.people["Maya"], table.people["Tom"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    table.gateway.hold_answers()
    await tom.press_blindly(question, "B")
    result = await table.message("🏁")
    await table.advance(16 * 60)
    table.gateway.let_go()
    assert "You did not take part" in reply(await tom.press(result, "My result"))
    assert "Nobody took part this time." in words(await table.again(result))


async def test_the_round_goes_on_by_itself_while_its_reveal_stands(table: Table) -> None:
    """Between questions nothing waits for presses, so a break delays nothing that REST can do."""
    await table.people["Maya"].slash("quiz start", quiz="light")
    await table.message("✅ right answer")
    await table.cut_gateway()
    second = await table.message("What is darker?")
    await table.mend_gateway()
    assert ends_at(await table.again(second)) >= table.now + timedelta(seconds=15)
    await table.message("🏁")
