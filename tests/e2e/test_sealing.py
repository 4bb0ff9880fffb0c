"""A question that is on the table somewhere in the server is told nowhere else."""

import pytest

from tests.support.reading import answer, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e

SEALED = "These questions are being asked in another quiz right now. Come back when it is over."


async def test_questions_on_the_table_elsewhere_are_left_out_and_counted(table: Table) -> None:
    maya, deniz = table.people["Maya"], table.people["Deniz"]
    here, elsewhere, third = (table.channels[one] for one in ("quiz-night", "general", "çalışma-odası"))
    await maya.slash("quiz start", channel=here, quiz="activation-recomputation", questions=3)
    started = await maya.slash("quiz start", channel=elsewhere, quiz="activation-recomputation", questions=4)
    assert reply(started).splitlines()[:2] == [
        "Started: Activation Recomputation Quiz, 4 questions.",
        "3 questions are left out, since they are being asked in another channel now.",
    ]
    first = words((await table.messages(channel=here))[0]).splitlines()[1]
    assert first not in words((await table.messages(channel=elsewhere))[0])
    one = await deniz.slash("quiz start", channel=third, quiz="activation-recomputation")
    assert reply(one).splitlines()[:2] == [
        "Başladı: Aktivasyonları Yeniden Hesaplama Quizi, 1 soru.",
        "7 soru dışarıda bırakıldı, çünkü şu anda başka bir kanalda soruluyor.",
    ]


async def test_where_no_question_is_left_the_refusal_leads_to_where_they_are_asked(table: Table) -> None:
    maya, deniz = table.people["Maya"], table.people["Deniz"]
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    link = f"https://discord.com/channels/{table.guild}/{table.channel}/{question['id']}"
    elsewhere = table.channels["general"]
    assert reply(await maya.slash("quiz start", channel=elsewhere, quiz="light")) == (
        f"Every question of this quiz is being asked in another channel right now. [Go there]({link})"
    )
    assert reply(await deniz.slash("quiz start", channel=elsewhere, quiz="light")) == (
        f"Bu quizin bütün soruları şu anda başka bir kanalda soruluyor. [Oraya git]({link})"
    )
    # What is revealed is free again, what is not asked yet is not.
    await table.message("✅ right answer")
    assert reply(await maya.slash("quiz start", channel=elsewhere, quiz="light")).splitlines()[:2] == [
        "Started: Light and Shadow Quiz, 1 question.",
        "1 question is left out, since it is being asked in another channel now.",
    ]


async def test_an_earlier_result_does_not_tell_what_is_being_asked_again(table: Table) -> None:
    """Whoever was right and whoever was wrong read the same, until the reveal."""
    maya, ada, kerem, tom = (table.people[one] for one in ("Maya", "Ada", "Kerem", "Tom"))
    await maya.slash("quiz start", quiz="light")
    for question in ("What is faster?", "What is darker?"):
        asked = await table.message(question)
        await ada.press(asked, "B")
        await tom.press(asked, "A")
    result = await table.message("🏁")
    kept = answer(await tom.press(result, "Review my mistakes"))
    assert "✅" in words(kept)

    elsewhere = table.channels["general"]
    await maya.slash("quiz start", channel=elsewhere, quiz="light")
    for person in (ada, tom):
        mine = answer(await person.press(result, "My result"))
        assert "Your points: 0 of 0" in words(mine)
        assert "**1** 🔒 being asked again · What is faster?\n**2** 🔒 being asked again" in words(mine)
        assert labels(mine) == []
        assert reply(await person.press(result, "Review my mistakes")) == SEALED
    assert reply(await kerem.press(result, "Review my mistakes")).startswith("Bu quize katılmadığın için")
    # Pages that were opened before do not turn to what is sealed now.
    assert reply(await tom.press(kept, "Why?")) == SEALED

    # The first is revealed there, the second is not.
    await table.message("✅ right answer", channel=elsewhere)
    mine = words(answer(await ada.press(result, "My result")))
    assert "Your points: 1 of 1" in mine
    assert "**1** ✅ right" in mine
    assert "**2** 🔒 being asked again" in mine
    assert reply(await ada.press(result, "Review my mistakes")) == SEALED
    assert "Mistake 1 of 1" in reply(await tom.press(result, "Review my mistakes"))
    await table.message("🏁", channel=elsewhere)
    assert "Your points: 2 of 2" in reply(await ada.press(result, "My result"))
    assert reply(await ada.press(result, "Review my mistakes")).startswith("You had everything right.")


async def test_the_answer_behind_a_late_reply_is_sealed_too(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="kinds", questions=1)
    several = await table.message("Which are prime?")
    marking = answer(await ada.press(several, "Choose answers"))
    await table.message("🏁")
    late = answer(await ada.select(marking, "A"))
    assert "**A** · two · ✅ right answer" in reply(await ada.press(late, "Show the answer"))

    elsewhere = table.channels["general"]
    await maya.slash("quiz start", channel=elsewhere, quiz="kinds", questions=3)
    assert await table.messages("Which are prime?", channel=elsewhere)
    assert reply(await ada.press(late, "Show the answer")) == SEALED
    await table.message("✅ right answer", channel=elsewhere)
    assert "✅ right answer" in reply(await ada.press(late, "Show the answer"))


async def test_an_open_question_can_be_found_nowhere_in_the_list(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light")
    await table.message("What is faster?")
    listed = answer(await ada.slash("quiz list", search="light"))
    opened = answer(await ada.press(listed, "Open"))
    for told in ("faster", "✅", "Maxwell"):
        assert told not in words(listed)
        assert told not in words(opened)
