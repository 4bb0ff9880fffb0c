"""/quiz stop in the middle: what was asked counts, the rest was never asked."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.reading import Json, answer, deadline, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e


async def test_stopped_in_a_turn_it_is_revealed_and_counts(table: Table) -> None:
    maya, ada, kerem, tom = (table.people[one] for one in ("Maya", "Ada", "Kerem", "Tom"))
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    await kerem.press(question, "A")
    await table.advance(7)
    stopped_at = table.now
    assert reply(await maya.slash("quiz stop")) == (
        "Stopped: Light and Shadow Quiz. The results so far follow in the channel."
    )
    revealed = await table.again(question)
    assert "**B** · light · ✅ right answer" in words(revealed)
    assert labels(revealed) == []
    assert table.now == stopped_at
    result = await table.message("🏁")
    assert table.now <= stopped_at + timedelta(seconds=8)
    assert words(result) == (
        "## 🏁 Light and Shadow Quiz\n2 took part · average 0.5 of 1\n**Podium**\n🥇 Ada · 1 of 1\n"
        "-# The quiz was stopped early, after 1 question."
    )
    await table.advance(120)
    assert len(await table.messages()) == 2
    assert "Your points: 1 of 1 · your rank: 1 of 2" in reply(await ada.press(result, "My result"))
    mistakes = answer(await kerem.press(result, "Review my mistakes"))
    assert "### Yanlış 1/1 · Soru 1/2" in words(mistakes)
    assert reply(await tom.press(result, "Review my mistakes")).startswith("You did not take part")


async def test_a_press_made_before_the_stop_counts_and_one_made_after_it_does_not(table: Table) -> None:
    """The turn closes at the instant in the stop's own id, whatever reaches the bot first."""
    maya, ada, kerem = (table.people[one] for one in ("Maya", "Ada", "Kerem"))
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    table.gateway.hold_answers()
    in_time = await ada.press_blindly(question, "B")
    table.sandbox.clock.advance(timedelta(milliseconds=5))
    stop: Json = {"member": maya.id, "channel": table.channel, "command": "quiz stop", "options": {}}
    await table.post("slash", stop)
    table.sandbox.clock.advance(timedelta(milliseconds=5))
    too_late = await kerem.press_blindly(question, "B")
    table.gateway.let_go()

    async def answered() -> bool:
        both = [await table.interaction(one) for one in (in_time, too_late)]
        return all(one["state"] == "done" for one in both)

    await table.until(answered)
    assert reply(await table.interaction(in_time)).startswith("Saved: B")
    assert reply(await table.interaction(too_late)).startswith("Süre doldu (")
    assert "1 took part · average 1 of 1" in words(await table.message("🏁"))


async def test_stopped_while_a_reveal_stands_the_result_follows_at_once(table: Table) -> None:
    maya = table.people["Maya"]
    await maya.slash("quiz start", quiz="activation-recomputation", questions=3)
    revealed = await table.message("✅ right answer")
    await table.advance(5)
    await maya.slash("quiz stop")
    (result,) = await table.messages("🏁")
    assert "Nobody took part this time." in words(result)
    assert "-# The quiz was stopped early, after 1 question." in words(result)
    assert words(await table.again(revealed)) == words(revealed)
    assert len(await table.messages()) == 2


async def test_after_a_stop_nothing_is_sealed_and_the_channel_is_free(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light")
    await ada.press(await table.message("What is faster?"), "A")
    await maya.slash("quiz stop")
    result = await table.message("🏁")
    assert "Mistake 1 of 1" in reply(await ada.press(result, "Review my mistakes"))
    elsewhere = table.channels["general"]
    assert reply(await maya.slash("quiz start", channel=elsewhere, quiz="light")).startswith(
        "Started: Light and Shadow Quiz, 2 questions.\n[To the first"
    )
    assert reply(await maya.slash("quiz start", quiz="kinds")).startswith("Started: All Kinds, 3 questions.")


async def test_stopping_twice_stops_once(table: Table) -> None:
    maya = table.people["Maya"]
    await maya.slash("quiz start", quiz="light")
    await table.message("What is faster?")
    assert reply(await maya.slash("quiz stop")).startswith("Stopped: ")
    assert reply(await maya.slash("quiz stop")) == "No quiz is running in this channel."
    await table.message("🏁")
    await table.advance(60)
    assert len(await table.messages("🏁")) == 1


async def test_stopped_in_turkish(turkish_table: Table) -> None:
    table = turkish_table
    deniz, kerem = table.people["Deniz"], table.people["Kerem"]
    await deniz.slash("quiz start", quiz="light")
    question = await table.message("Hangisi daha hızlıdır?")
    await kerem.press(question, "B")
    closes = datetime.fromtimestamp(deadline(question), UTC)
    assert reply(await deniz.slash("quiz stop")) == (
        "Bitirildi: Işık ve Gölge Quizi. Buraya kadarki sonuçlar kanala geliyor."
    )
    result = await table.message("🏁")
    assert table.now < closes
    assert words(result) == (
        "## 🏁 Işık ve Gölge Quizi\n1 kişi katıldı · ortalama 1/1\n**Dereceye girenler**\n🥇 Kerem · 1/1\n"
        "-# Quiz erken bitirildi. Sorulan soru: 1"
    )
