"""Rounds and the death of the process: nothing is lost, nothing is posted or counted twice.

The bot kills itself with SIGKILL at a named point (tests/support/child.py), or the test kills it; then it is started
again, and the round is played to its end as if nothing had been.
"""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.people import Person
from tests.support.reading import Json, answer, deadline, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e

AWAY = "The bot was away: 15 seconds more"
POINTS = [
    "claimed-question:1",
    "sent-question:1",
    "committed-press:1",
    "committed-press:2",
    "writing-closed:1",
    "writing-revealed:1",
    "before-reveal-edit:1",
    "after-reveal-edit:1",
    "claimed-question:2",
    "sent-question:2",
    "writing-revealed:2",
    "before-reveal-edit:2",
    "claimed-other:1",
    "sent-other:1",
]


def ends_at(question: Json) -> datetime:
    return datetime.fromtimestamp(deadline(question), UTC)


def next_second(instant: datetime) -> datetime:
    """Return the whole second at which a deadline set for an instant stands."""
    return instant if instant.microsecond == 0 else instant.replace(microsecond=0) + timedelta(seconds=1)


async def press(person: Person, question: Json, label: str) -> str:
    """Press, and once more if no receipt came, as a member would; return the receipt."""
    pressed = await person.press(question, label)
    if pressed["state"] != "done":
        pressed = await person.press(question, label)
    return reply(pressed)


async def posted(table: Table) -> list[str]:
    """Return the ids of the messages that were made for the bot's posts, in order, each as often as it was made."""
    posts = await table.sent("POST", f"/channels/{table.channel}/messages")
    made = dict.fromkeys(one["answer"]["id"] for one in posts if one["status"] == 200)
    return list(made)


async def check_channel(table: Table, questions: int, *, took_part: int) -> Json:
    """Check that each question and the result stand in the channel once, in order, and revealed; return the result."""
    result = await table.message("🏁")
    await table.advance(60)
    standing = await table.messages()
    assert [one["id"] for one in standing] == await posted(table)
    headings = [words(one).splitlines()[0] for one in standing]
    numbered = [f"### Question {number} of {questions}" for number in range(1, questions + 1)]
    assert headings == [*numbered, "## 🏁 Light and Shadow Quiz"]
    for one in standing[:-1]:
        assert "✅ right answer" in words(one)
        assert labels(one) == []
    assert (
        words(standing[-1])
        .splitlines()[1]
        .startswith(f"{took_part} took part" if took_part else "Nobody took part")
    )
    return result


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_any_step_the_round_goes_on(bare_table: Table, point: str) -> None:
    table = bare_table
    await table.start_bot(kill=point, revive=True)
    maya, ada, kerem, tom = (table.people[name] for name in ("Maya", "Ada", "Kerem", "Tom"))
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    ends = ends_at(question)
    assert ends == table.now + timedelta(seconds=20)
    assert (await press(ada, question, "B")).startswith(("Saved: B, ", "Still B"))
    assert (await press(kerem, question, "A")).startswith(("Cevabın kaydedildi: A, ", "Cevabın hâlâ A"))
    await table.advance_to(ends)
    assert (await press(tom, question, "B")).startswith("Saved: B, ")
    await table.advance(1.5)
    assert "✅ right answer · 67% (2)" in words(await table.again(question))

    second = await table.message("What is darker?")
    assert ends_at(second) == next_second(table.now + timedelta(seconds=20))
    assert (await press(ada, second, "B")).startswith("Saved: B, ")
    result = await check_channel(table, 2, took_part=3)
    assert table.deaths == 1
    assert words(result) == (
        "## 🏁 Light and Shadow Quiz\n3 took part · average 1 of 2\n**Podium**\n🥇 Ada · 2 of 2\n🥈 Tom · 1 of 2"
    )
    assert "Your points: 1 of 2 · your rank: 2 of 3" in reply(await tom.press(result, "My result"))
    assert "Puanın: 0/2 · sıran: 3/3" in reply(await kerem.press(result, "My result"))


async def test_a_committed_press_counts_once_though_its_receipt_was_lost(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="committed-press:2")
    maya, ada, kerem = (table.people[name] for name in ("Maya", "Ada", "Kerem"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    assert reply(await ada.press(question, "A")).startswith("Saved: A")
    lost = await kerem.press(question, "B")
    assert lost["state"] != "done"
    await table.bot_dies()
    await table.advance(5)
    await table.start_bot()
    assert reply(await kerem.press(question, "B")) == "Cevabın hâlâ B ✔"
    assert reply(await ada.press(question, "B")) == "Changed: A → B"
    result = await check_channel(table, 1, took_part=2)
    assert "average 1 of 1" in words(result)


async def test_killed_while_a_question_is_open_it_keeps_its_deadline(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await ada.press(question, "A")
    await table.kill_bot()
    await table.advance(4)
    await table.start_bot()
    await table.advance(1)
    same = await table.again(question)
    assert deadline(same) == deadline(question)
    assert AWAY not in words(same)
    assert reply(await ada.press(same, "B")) == "Changed: A → B"
    await table.advance_to(ends_at(question) + timedelta(seconds=1.4))
    assert labels(await table.again(question)) == ["A", "B"]
    await table.advance(0.1)
    assert "✅ right answer" in words(await table.again(question))
    await check_channel(table, 1, took_part=1)


@pytest.mark.parametrize("away_s", [12, 60, 20 * 60, 3 * 24 * 3600])
async def test_time_lost_while_the_bot_was_down_is_given_back(table: Table, away_s: int) -> None:
    maya, ada, tom = (table.people[name] for name in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await tom.press(question, "A")
    await table.kill_bot()
    await table.advance(away_s)
    await table.start_bot()
    extended = await table.again(question)
    assert AWAY in words(extended)
    assert "-# 1 has answered" in words(extended)
    assert ends_at(extended) == table.now + timedelta(seconds=15)
    await table.advance_to(ends_at(extended))
    assert reply(await ada.press(extended, "B")).startswith("Saved: B")
    await table.advance(0.001)
    assert reply(await ada.press(extended, "A")).startswith("Time was up")
    result = await check_channel(table, 1, took_part=2)
    assert "🥇 Ada · 1 of 1" in words(result)


async def test_the_time_is_given_back_once_a_turn(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    for _ in range(2):
        await table.kill_bot()
        await table.advance(60)
        await table.start_bot()
        await table.advance(2)
        question = await table.again(question)
    assert "✅ right answer" in words(question)
    await check_channel(table, 1, took_part=0)


@pytest.mark.parametrize("away_s", [3, 600])
async def test_killed_while_a_reveal_stands_the_next_question_comes_when_it_should(
    table: Table, away_s: int
) -> None:
    await table.people["Maya"].slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    revealed = await table.message("✅ right answer")
    closed_at = table.now
    await table.kill_bot()
    await table.advance(away_s)
    await table.start_bot()
    second = await table.message("What is darker?")
    # The reveal of this question stands 8 s, whatever happens to the bot.
    assert table.now == closed_at + timedelta(seconds=max(8, away_s))
    assert ends_at(second) == next_second(table.now + timedelta(seconds=20))
    assert words(await table.again(question)) == words(revealed)
    await check_channel(table, 2, took_part=0)


async def test_a_question_is_adopted_from_the_history_once_its_nonce_is_forgotten(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="sent-question:1")
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    await table.bot_dies()
    (question,) = await table.messages()
    await table.advance(20 * 60)
    await table.start_bot()
    adopted = await table.again(question)
    assert AWAY in words(adopted)
    assert ends_at(adopted) == table.now + timedelta(seconds=15)
    assert reply(await table.people["Ada"].press(adopted, "B")).startswith("Saved: B")
    await check_channel(table, 1, took_part=1)
    assert len(await posted(table)) == 2


async def test_a_question_seen_but_not_confirmed_has_its_lost_time_back_too(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="sent-question:1")
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    await table.bot_dies()
    (question,) = await table.messages()
    await table.advance(40)  # its nonce is still known, its deadline has passed
    await table.start_bot()
    same = await table.again(question)
    assert AWAY in words(same)
    assert ends_at(same) == table.now + timedelta(seconds=15)
    await check_channel(table, 1, took_part=0)


@pytest.mark.parametrize("away_s", [40, 20 * 60])
async def test_a_question_that_never_went_out_is_posted_once_with_its_full_time(
    bare_table: Table, away_s: int
) -> None:
    table = bare_table
    await table.start_bot(kill="claimed-question:1")
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    await table.bot_dies()
    assert await table.messages() == []
    await table.advance(away_s)
    await table.start_bot()
    (question,) = await table.messages()
    assert ends_at(question) == table.now + timedelta(seconds=20)
    assert AWAY not in words(question)
    assert reply(await table.people["Ada"].press(question, "A")).startswith("Saved: A")
    await check_channel(table, 1, took_part=1)


async def test_a_result_is_adopted_and_not_posted_twice(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(kill="sent-other:1")
    ada = table.people["Ada"]
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    await ada.press(await table.message("What is faster?"), "B")
    await table.advance_until_dead()
    await table.advance(3600)
    await table.start_bot()
    result = await check_channel(table, 1, took_part=1)
    assert "Your points: 1 of 1" in reply(await ada.press(result, "My result"))
    assert await posted(table) == [one["id"] for one in await table.messages()]


async def test_a_press_confirms_the_message_it_was_made_on(table: Table) -> None:
    """The message is up, but its answer never reaches the bot: a press tells it, and after a kill it is known."""
    maya, ada = table.people["Maya"], table.people["Ada"]
    table.rest.hold_answers()
    body = {
        "member": maya.id,
        "channel": table.channel,
        "command": "quiz start",
        "options": {"quiz": "light"},
    }
    await table.post("slash", body)
    await table.until(table.messages)
    (question,) = await table.messages()
    pressed = await ada.press_blindly(question, "B")

    async def receipted() -> bool:
        return (await table.interaction(pressed))["state"] == "done"

    await table.until(receipted)
    assert reply(await table.interaction(pressed)).startswith("Saved: B")
    await table.kill_bot()
    table.rest.let_go()
    await table.advance(4)
    await table.start_bot()
    assert deadline(await table.again(question)) == deadline(question)
    assert answer(await ada.press(question, "B"))
    await check_channel(table, 2, took_part=1)
    # Neither sent again nor looked for: the press had confirmed it.
    posts = await table.sent("POST", f"/channels/{table.channel}/messages")
    assert len(posts) == 3
    assert await table.sent("GET", f"/channels/{table.channel}/messages") == []
