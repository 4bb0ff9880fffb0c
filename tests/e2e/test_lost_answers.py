"""When REST takes a request and its answer never arrives: nothing is done twice, and nothing is given up."""

from collections import Counter
from datetime import timedelta

import pytest

from tests.support.reading import deadline, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e


def lose_answers(table: Table) -> None:
    """Break the connections on which answers are held, and let everything through again."""
    table.rest.cut()
    table.rest.let_go()
    table.rest.mend()


async def test_a_post_whose_answer_was_lost_is_sent_again_and_stands_once(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light")
    await table.message("✅ right answer")
    table.rest.hold_answers()
    table.move(table.now + timedelta(seconds=8))

    async def posted() -> bool:
        return bool(await table.messages("What is darker?"))

    await table.until(posted)
    lose_answers(table)
    await table.advance(1)
    (second,) = await table.messages("What is darker?")
    bodies = [one["body"] for one in await table.sent("POST", f"/channels/{table.channel}/messages")]
    nonces = Counter(body["nonce"] for body in bodies)
    assert sorted(nonces.values()) == [1, 2]
    assert all(body["enforce_nonce"] for body in bodies)
    assert deadline(second) - table.now.timestamp() > 18
    assert reply(await ada.press(second, "B")).startswith("Saved: B")
    assert "1 took part" in words(await table.message("🏁"))
    assert len(await table.messages()) == 3


async def test_a_reveal_whose_answer_was_lost_is_drawn_again(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    await table.advance(20)
    table.rest.hold_answers()
    table.move(table.now + timedelta(seconds=1.5))

    async def drawn() -> bool:
        return "✅ right answer" in words(await table.again(question))

    await table.until(drawn)
    lose_answers(table)
    assert "1 took part · average 1 of 1" in words(await table.message("🏁"))
    assert len(await table.messages()) == 2


async def test_a_receipt_that_was_lost_locks_nobody_out(table: Table) -> None:
    table.complaints_expected = True
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    table.rest.hold_answers()
    pressed = await ada.press_blindly(question, "A")

    async def receipted() -> bool:
        return (await table.interaction(pressed))["state"] == "done"

    await table.until(receipted)
    lose_answers(table)
    await table.settle()
    assert reply(await ada.press(question, "A")) == "Still A ✔"
    assert reply(await ada.press(question, "B")) == "Changed: A → B"
    assert "1 took part · average 1 of 1" in words(await table.message("🏁"))
