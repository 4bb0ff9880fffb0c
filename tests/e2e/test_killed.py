"""Rounds and the death of the process: nothing is lost, nothing is posted or counted twice.

The bot kills itself with SIGKILL at a named point (tests/support/child.py), or the test kills it; then it is started
again and the round is played to its end.
"""

import re
from datetime import UTC, datetime

import pytest

from tests.support.table import Json, Table, reply, words

pytestmark = pytest.mark.e2e

POINTS = [
    "claimed-question:1",
    "claimed-question:2",
    "sent-question:1",
    "sent-question:2",
    "writing-closed:1",
    "writing-revealed:1",
    "before-reveal-edit:1",
    "after-reveal-edit:1",
    "writing-revealed:2",
    "claimed-other:1",
    "sent-other:1",
]


def deadline_of(message: Json) -> datetime:
    return datetime.fromtimestamp(int(re.findall(r"<t:(\d+):R>", words(message))[0]), UTC)


async def play_on(table: Table) -> None:
    """Let time pass until the result is there, starting the bot again whenever it has died."""
    for _ in range(400):
        if table.bot is not None and not table.bot.alive:
            await table.bot_dies()
        if table.bot is None:
            await table.start_bot()
        if await table.messages("took part"):
            return
        await table.advance(1)
    raise AssertionError("the round does not end")


async def check_channel(table: Table, questions: int) -> None:
    """Check that each question and the result stand in the channel once, and as they should at the end."""
    shown = [words(message) for message in await table.messages()]
    numbers = [re.findall(r"Question (\d)", text) for text in shown]
    assert [number for found in numbers for number in found] == [str(one + 1) for one in range(questions)]
    assert all("right answer" in text for text in shown[:questions])
    assert "took part" in shown[-1]
    assert len(shown) == questions + 1


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_a_step_of_the_round(bare_table: Table, point: str) -> None:
    table = bare_table
    await table.start_bot(kill=point)
    maya, ada, kerem = (table.people[name] for name in ("Maya", "Ada", "Kerem"))
    await maya.slash("quiz start", quiz="structured-pruning", questions=2)
    before: list[Json] = await table.messages("Question 1")
    if not table.bot or not table.bot.alive:
        await table.bot_dies()
        await table.start_bot()
    await table.advance(1)
    (question,) = await table.messages("Question 1")
    if before:
        assert question["id"] == before[0]["id"]
        assert [part for part in words(question).split("\n") if "**" in part] == [
            part for part in words(before[0]).split("\n") if "**" in part
        ]
    receipts = {ada.name: reply(await ada.press(question, "B")), kerem.name: reply(await kerem.press(question, "C"))}
    assert receipts["Ada"].startswith("Saved: B")
    await play_on(table)
    await check_channel(table, 2)
    assert "2 took part" in words((await table.messages("took part"))[0])
    result = (await table.messages("took part"))[0]
    for person, letter in ((ada, "B"), (kerem, "C")):
        # A wrong answer is told by its letter in the mistakes, a right one by its absence there.
        mine = reply(await person.press(result, "My result"))
        assert re.search(r"\*\*1\*\* (✅|✖)", mine), (letter, mine)
        assert re.search(r"\*\*2\*\* –", mine)


async def test_killed_between_commit_and_receipt_the_answer_counts_once(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="committed-press:2")
    maya, ada, kerem = (table.people[name] for name in ("Maya", "Ada", "Kerem"))
    await maya.slash("quiz start", quiz="structured-pruning", questions=1)
    (question,) = await table.messages("Question 1")
    assert reply(await ada.press(question, "A")).startswith("Saved: A")
    lost = await kerem.press(question, "B")
    assert lost["state"] != "done"
    await table.bot_dies()
    await table.advance(5)
    await table.start_bot()
    assert reply(await kerem.press(question, "B")) == "Cevabın hâlâ B ✔"
    await play_on(table)
    await check_channel(table, 1)
    assert "2 took part" in words((await table.messages("took part"))[0])


async def test_killed_while_a_question_is_open_it_keeps_its_deadline(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="activation-recomputation", questions=1)
    (question,) = await table.messages("Question 1")
    await ada.press(question, "A")
    await table.kill_bot()
    await table.advance(4)
    await table.start_bot()
    await table.advance(1)
    (same,) = await table.messages("Question 1")
    assert same["id"] == question["id"]
    assert deadline_of(same) == deadline_of(question)
    assert reply(await ada.press(same, "B")) == "Changed: A → B"
    await table.advance_to(deadline_of(question))
    assert not await table.messages("right answer")
    await table.advance(1.5)
    assert await table.messages("right answer")


@pytest.mark.parametrize("away_s", [60, 20 * 60])
async def test_a_deadline_missed_while_the_bot_was_down_is_made_good(table: Table, away_s: int) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="activation-recomputation", questions=1)
    (question,) = await table.messages("Question 1")
    await table.kill_bot()
    await table.advance(away_s)
    await table.start_bot()
    back = table.now
    await table.settle()
    (extended,) = await table.messages("The bot was away: 15 seconds more")
    assert extended["id"] == question["id"]
    assert (deadline_of(extended) - back).total_seconds() == 15
    assert reply(await ada.press(extended, "A")).startswith("Saved: A")
    await table.advance(17)
    assert await table.messages("right answer")
    await play_on(table)
    await check_channel(table, 1)


async def test_killed_twice_the_time_is_given_once(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=1)
    await table.messages("Question 1")
    await table.kill_bot()
    await table.advance(60)
    await table.start_bot()
    await table.settle()
    (extended,) = await table.messages("The bot was away")
    await table.kill_bot()
    await table.advance(60)
    await table.start_bot()
    await table.advance(2)
    assert await table.messages("right answer")
    assert deadline_of(extended)


async def test_killed_while_a_reveal_stands_the_next_question_comes_when_it_should(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=2)
    revealed = await table.message("right answer")
    await table.kill_bot()
    await table.advance(3)
    await table.start_bot()
    await table.message("Question 2 of 2")
    (same,) = await table.messages("Question 1")
    assert words(same) == words(revealed)
    await play_on(table)
    await check_channel(table, 2)


@pytest.mark.parametrize(
    ("point", "branch"), [("sent-question:1", "adopted"), ("claimed-question:1", "claimed anew")]
)
async def test_after_longer_than_nonces_live_nothing_is_posted_twice(
    bare_table: Table, point: str, branch: str
) -> None:
    table = bare_table
    await table.start_bot(kill=point)
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=1)
    await table.bot_dies()
    before = await table.messages("Question 1")
    assert len(before) == (1 if branch == "adopted" else 0)
    await table.advance(20 * 60)
    await table.start_bot()
    await table.settle()
    (question,) = await table.messages("Question 1")
    if before:
        assert question["id"] == before[0]["id"]
    assert (deadline_of(question) - table.now).total_seconds() >= 15
    assert reply(await table.people["Ada"].press(question, "A")).startswith("Saved: A")
    await play_on(table)
    await check_channel(table, 1)


async def test_a_press_on_an_unconfirmed_question_counts(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="sent-question:1")
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=1)
    await table.bot_dies()
    (question,) = await table.messages("Question 1")
    await table.start_bot()
    assert reply(await table.people["Ada"].press(question, "A")).startswith("Saved: A")
    await play_on(table)
    await check_channel(table, 1)
