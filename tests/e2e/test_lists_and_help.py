"""/quiz list with its pages, search and cards, and /help by what one may do, also in a direct message."""

from pathlib import Path

import pytest

from tests.support.reading import answer, button, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e


def many_quizzes(folder: Path, count: int) -> Path:
    """Write small quizzes with numbered titles."""
    folder.mkdir()
    for number in range(1, count + 1):
        text = (
            f"format: 1\nid: numbered-{number:02}\n"
            f"title: {{en: Numbered {number:02}, tr: Sayılı {number:02}}}\nlanguage: en\ntags: [counting]\n"
            "questions:\n  - id: one\n    stem: How many?\n    options:\n"
            "      - {text: one, correct: true}\n      - {text: two}\n"
        )
        (folder / f"{number:02}.yaml").write_text(text, "utf-8")
    return folder


async def test_a_long_list_has_pages_and_opens_quizzes(bare_table: Table) -> None:
    table = bare_table
    await table.start_bot(QUIZ_DIR=str(many_quizzes(table.folder / "own", 12)))
    ada, kerem = table.people["Ada"], table.people["Kerem"]
    first = answer(await ada.slash("quiz list"))
    assert words(first).startswith("### Quizzes · page 1 of 2\n**Activation Recomputation Quiz**\n")
    assert labels(first) == [*["Open"] * 10, "◀ Previous", "Next ▶"]
    second = answer(await ada.press(first, "Next ▶"))
    assert second["id"] == first["id"]
    assert words(second).startswith("### Quizzes · page 2 of 2\n")
    assert labels(second) == [*["Open"] * 4, "◀ Previous", "Next ▶"]
    # Every quiz stands in the list once.
    titles = [line for page in (first, second) for line in words(page).splitlines() if line.startswith("**")]
    assert len(titles) == len(set(titles)) == 14
    assert words(answer(await ada.press(second, "◀ Previous"))) == words(first)
    assert "Quizzes" not in await kerem.says()

    found = answer(await kerem.slash("quiz list", search="sayılı 07"))
    assert words(found).startswith("### “sayılı 07” için quizler\n**Sayılı 07**\n")
    assert labels(found) == ["Aç"]
    narrowed = answer(await ada.slash("quiz list", search="counting"))
    assert "“counting” · page 1 of 2" in words(narrowed)
    assert "“counting” · page 2 of 2" in words(answer(await ada.press(narrowed, "Next ▶")))


async def test_a_search_without_a_hit_leads_back_to_all(table: Table) -> None:
    ada = table.people["Ada"]
    nothing = answer(await ada.slash("quiz list", search="*nothing*:like it"))
    assert words(nothing) == (
        "### Quizzes for “\\*nothing\\* like it”\nNothing found. A single word of the title or a topic finds the most."
    )
    every = answer(await ada.press(nothing, "All quizzes"))
    assert words(every).startswith("### Quizzes\n")
    assert labels(every) == ["Open"] * 4


async def test_a_quizmaster_starts_a_quiz_from_its_card(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    listed = answer(await maya.slash("quiz list", search="all kinds"))
    card = answer(await maya.press(listed, "Open"))
    assert card["id"] == listed["id"]
    assert words(card) == (
        "## All Kinds\n-# 3 questions · English and Turkish\n"
        "-# 1 question has no right answer entered: it is asked, but not scored."
    )
    assert labels(card) == ["Start here", "All quizzes"]
    started = reply(await maya.press(card, "Start here"))
    assert started.startswith("Started: All Kinds, 3 questions.\n[To the first question](")
    assert await table.messages("Which are prime?")
    assert reply(await maya.press(card, "Start here")).startswith(
        "A quiz is already running in this channel."
    )

    listed = answer(await ada.slash("quiz list", search="all kinds"))
    assert labels(answer(await ada.press(listed, "Open"))) == ["All quizzes"]


async def test_who_has_lost_the_right_cannot_start_from_a_card_opened_before(table: Table) -> None:
    maya = table.people["Maya"]
    card = answer(await maya.press(answer(await maya.slash("quiz list", search="light")), "Open"))
    await table.change_world("set_roles", member=maya.id, roles=[])
    assert reply(await maya.press(card, "Start here")).startswith("Only quizmasters may start a quiz here")
    assert await table.messages() == []


async def test_a_quiz_that_is_no_longer_loaded_is_gone_from_an_old_list(table: Table) -> None:
    maya = table.people["Maya"]
    listed = answer(await maya.slash("quiz list", search="light"))
    card = answer(await maya.press(answer(await maya.slash("quiz list", search="light")), "Open"))
    await table.stop_bot()
    await table.start_bot(QUIZ_DIR="")
    gone = "This quiz is no longer here. /quiz list shows what there is."
    assert reply(await maya.press(listed, "Open")) == gone
    assert reply(await maya.press(card, "Start here")) == gone


async def test_help_says_what_one_may_do(table: Table) -> None:
    maya, ada, kerem = (table.people[one] for one in ("Maya", "Ada", "Kerem"))
    for_ada = answer(await ada.slash("help"))
    assert "A question appears in the channel; press the letter of your answer." in words(for_ada)
    assert "Quizzes are started by quizmasters: members with the right to manage events." in words(for_ada)
    for_maya = answer(await maya.slash("help"))
    assert "You are a quizmaster: `/quiz start` begins a quiz in this channel" in words(for_maya)
    for_kerem = answer(await kerem.slash("help"))
    assert words(for_kerem).startswith("## Etüt: birlikte çalışmak için quizler\n")
    assert "Quizleri quiz yetkilileri başlatır: “Etkinlikleri Yönet” izni olan üyeler." in words(for_kerem)
    listed = answer(await kerem.press(for_kerem, "Quizleri gör"))
    assert "**Işık ve Gölge Quizi**" in words(listed)


async def test_help_and_the_list_work_in_a_direct_message_and_start_nothing(table: Table) -> None:
    maya = table.people["Maya"]
    assert set(await maya.menu("dm")) == {"help"}
    told = answer(await maya.slash("help", channel="dm"))
    listed = answer(await maya.press(told, "See the quizzes"))
    card = answer(await maya.press(listed, "Open"))
    assert words(card).startswith("## Activation Recomputation Quiz\n")
    assert labels(card) == ["All quizzes"]
    assert button(card, "All quizzes")
