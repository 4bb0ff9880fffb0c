"""The library on a real database: what a changed file changes in it, and how a quiz is found again."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.quiz import Kind, Option, Question, Quiz, Version
from bot.core.refusals import NoSuchQuiz
from bot.services.library import Library
from bot.services.recorder import Recorder
from bot.store import quizzes
from bot.store.database import Database, open_database
from tests.support.held_clock import HeldClock

BEGIN = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)
GUILD, ELSEWHERE = 22, 23


def version(
    stem: str = "What is it?", key: frozenset[int] | None = frozenset({0}), *, pin: bool = False
) -> Version:
    options = (Option({"en": "This"}, {}), Option({"en": "That"}, {"en": "No."}, pin))
    return Version(Kind.SINGLE, {"en": stem}, options, key, {"en": "Because."}, {})


def question(ref: str, of: Version | None = None) -> Question:
    return Question(ref, of or version(f"What is {ref}?"))


def quiz(ref: str, *questions: Question, tags: tuple[str, ...] = (), **title: str) -> Quiz:
    asked = questions or (question("only"),)
    return Quiz(ref, title or {"en": ref.title()}, {"en": "About it."}, "en", tags, asked)


LIGHT = quiz("light", question("first"), question("second"), question("third"))
PRUNING = quiz("pruning", tags=("sparsity",), en="Structured Pruning Quiz", tr="Yapısal Budama Quizi")
MEMORY = quiz("memory", tags=("training",), en="Activation Recomputation Quiz", tr="Işık ve Bellek Quizi")


@dataclass
class Shelf:
    """A library with its database."""

    library: Library
    database: Database
    recorder: Recorder
    clock: HeldClock

    async def load(self, *shipped: Quiz) -> int:
        """Load the quizzes of files, a minute after whatever came before."""
        self.clock.set(self.clock.now() + timedelta(minutes=1))
        return await self.library.load(shipped)

    async def asked(self, ref: str) -> dict[str, int]:
        """Return the questions of a quiz in their order, each with the id of its newest version."""
        found = await self.library.find(GUILD, ref)
        return {one.ref: one.version_id for one in found.questions}

    async def titles(self, typed: str) -> list[str]:
        """Return the ids of the quizzes offered for what was typed."""
        return [one.ref for one in await self.library.suggest(GUILD, typed)]

    async def save(self, guild: int, of: Quiz) -> None:
        """Store a quiz of one server."""
        await self.recorder.write(lambda tx: quizzes.save_quiz(tx, guild, of, "", self.clock.now()))


@pytest_asyncio.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    clock = HeldClock(BEGIN)
    database = await open_database(f"sqlite:///{tmp_path / 'etut.db'}")
    recorder = Recorder(database, clock)
    writing = asyncio.create_task(recorder.run())
    yield Shelf(Library(database, recorder, clock), database, recorder, clock)
    await recorder.close()
    await writing
    await database.close()


# What a file changes ---------------------------------------------------------------------------------------------


async def test_loading_the_same_files_again_changes_nothing(shelf: Shelf) -> None:
    assert await shelf.load(LIGHT, PRUNING) == 2
    before = await shelf.asked("light")
    assert list(before) == ["first", "second", "third"]
    assert await shelf.load(LIGHT, PRUNING) == 0
    assert await shelf.asked("light") == before


@pytest.mark.parametrize(
    "changed",
    [
        version("What is it now?"),
        version(key=frozenset({1})),
        version(key=None),
        version(pin=True),
        replace(version(), explanation={"en": "Because of that."}),
        replace(version(), stem={"en": "What is it?", "tr": "Bu nedir?"}),
        replace(version(), markdown=True),
    ],
    ids=["text", "key", "key missing", "pin", "explanation", "language", "markdown"],
)
async def test_a_changed_question_is_a_new_version_and_the_old_one_stays(
    shelf: Shelf, changed: Version
) -> None:
    await shelf.load(quiz("light", question("first", version()), question("second")))
    before = await shelf.asked("light")
    assert await shelf.load(quiz("light", question("first", changed), question("second"))) == 1
    after = await shelf.asked("light")
    assert after["second"] == before["second"]
    assert after["first"] != before["first"]
    assert await shelf.library.version(before["first"]) == version()
    assert await shelf.library.version(after["first"]) == changed


async def test_white_space_and_composed_letters_make_no_new_version(shelf: Shelf) -> None:
    await shelf.load(quiz("light", question("first", version("Ne gördün?"))))
    before = await shelf.asked("light")
    assert await shelf.load(quiz("light", question("first", version("Ne go\u0308rdu\u0308n?  \n")))) == 0
    assert await shelf.asked("light") == before


async def test_another_order_is_another_order_of_the_same_versions(shelf: Shelf) -> None:
    await shelf.load(LIGHT)
    before = await shelf.asked("light")
    assert await shelf.load(replace(LIGHT, questions=LIGHT.questions[::-1])) == 1
    after = await shelf.asked("light")
    assert list(after) == ["third", "second", "first"]
    assert after == before


async def test_a_title_changes_without_new_versions(shelf: Shelf) -> None:
    await shelf.load(LIGHT)
    before = await shelf.asked("light")
    assert await shelf.load(replace(LIGHT, title={"en": "Shadow"}, tags=("optics",), language="tr")) == 1
    found = await shelf.library.find(GUILD, "optics")
    assert (found.quiz.title, found.quiz.tags, found.quiz.language) == ({"en": "Shadow"}, ("optics",), "tr")
    assert await shelf.asked("light") == before


async def test_a_question_that_left_comes_back_as_the_one_it_was(shelf: Shelf) -> None:
    await shelf.load(LIGHT)
    before = await shelf.asked("light")
    first, _, third = LIGHT.questions
    assert await shelf.load(replace(LIGHT, questions=(first, third))) == 1
    assert list(await shelf.asked("light")) == ["first", "third"]
    assert await shelf.load(LIGHT) == 1
    assert await shelf.asked("light") == before


async def test_a_question_that_comes_back_changed_has_a_new_version_of_the_same_question(
    shelf: Shelf,
) -> None:
    await shelf.load(LIGHT)
    before = await shelf.library.find(GUILD, "light")
    first, second, third = LIGHT.questions
    await shelf.load(replace(LIGHT, questions=(first, third)))
    await shelf.load(replace(LIGHT, questions=(first, replace(second, version=version("Anew?")), third)))
    after = await shelf.library.find(GUILD, "light")
    assert [one.id for one in after.questions] == [one.id for one in before.questions]
    same = [
        now.version_id == then.version_id for now, then in zip(after.questions, before.questions, strict=True)
    ]
    assert same == [True, False, True]


async def test_a_version_is_new_even_where_an_older_one_was_the_same(shelf: Shelf) -> None:
    one, other = quiz("light", question("first")), quiz("light", question("first", version("Other?")))
    await shelf.load(one)
    oldest = await shelf.asked("light")
    await shelf.load(other)
    await shelf.load(one)
    assert (await shelf.asked("light"))["first"] != oldest["first"]
    assert await shelf.load(one) == 0


async def test_a_quiz_whose_file_is_gone_is_archived_and_its_questions_stay_readable(shelf: Shelf) -> None:
    await shelf.load(LIGHT, PRUNING)
    before = await shelf.asked("light")
    number = (await shelf.library.find(GUILD, "light")).quiz.id
    assert await shelf.load(PRUNING) == 1
    assert await shelf.load(PRUNING) == 0
    assert await shelf.titles("") == ["pruning"]
    with pytest.raises(NoSuchQuiz):
        await shelf.library.find(GUILD, "light")
    with pytest.raises(NoSuchQuiz):
        await shelf.library.by_id(GUILD, number)
    with pytest.raises(NoSuchQuiz):
        await shelf.library.card(GUILD, number, may_start=True)
    # A round that plays it goes on.
    assert (await shelf.library.version(before["first"])).stem == {"en": "What is first?"}
    assert await shelf.load(LIGHT, PRUNING) == 1
    assert await shelf.asked("light") == before
    assert (await shelf.library.find(GUILD, "light")).quiz.id == number


# How it is found again -------------------------------------------------------------------------------------------


async def test_a_quiz_is_found_by_its_id_and_by_words_in_any_language_and_letters(shelf: Shelf) -> None:
    await shelf.load(LIGHT, PRUNING, MEMORY)
    for named in (
        "pruning",
        "budama",
        "BUDAMA",
        "Structured Pruning Quiz",
        "quiz structured",
        "SPARSITY",
        "yapisal",
    ):
        assert (await shelf.library.find(GUILD, named)).quiz.ref == "pruning", named
    for named in ("ışık", "ISIK", "Işık", "işik", "isik"):
        assert (await shelf.library.find(GUILD, named)).quiz.ref == "memory", named


@pytest.mark.parametrize("named", ["quiz", "", "no such", "budama pruning light"])
async def test_words_that_fit_none_or_several_choose_nothing(shelf: Shelf, named: str) -> None:
    await shelf.load(LIGHT, PRUNING, MEMORY)
    with pytest.raises(NoSuchQuiz) as refused:
        await shelf.library.find(GUILD, named)
    assert refused.value.name == named


async def test_a_whole_title_or_id_wins_over_titles_that_contain_it(shelf: Shelf) -> None:
    await shelf.load(quiz("a", en="Light"), quiz("b", en="Light and Shadow"), quiz("light-and", en="Third"))
    assert (await shelf.library.find(GUILD, "LIGHT")).quiz.ref == "a"
    assert (await shelf.library.find(GUILD, "light-and")).quiz.ref == "light-and"


async def test_a_server_sees_everybodys_quizzes_and_its_own(shelf: Shelf) -> None:
    await shelf.load(LIGHT)
    await shelf.save(GUILD, quiz("ours", en="Ours"))
    await shelf.save(GUILD, quiz("light", question("mine"), en="Our Light"))
    assert await shelf.titles("") == ["light", "ours", "light"]
    assert [one.ref for one in await shelf.library.suggest(ELSEWHERE, "")] == ["light"]
    assert [one.ref for one in await shelf.library.suggest(None, "")] == ["light"]
    # Its own stands before everybody's.
    assert list(await shelf.asked("light")) == ["mine"]
    assert (await shelf.library.find(ELSEWHERE, "light")).quiz.title == {"en": "Light"}
    ours = await shelf.library.find(GUILD, "ours")
    with pytest.raises(NoSuchQuiz):
        await shelf.library.by_id(ELSEWHERE, ours.quiz.id)
    # What comes from files leaves it alone.
    await shelf.load(PRUNING)
    assert sorted(await shelf.titles("")) == ["light", "ours", "pruning"]


async def test_suggestions_are_no_more_than_discord_takes(shelf: Shelf) -> None:
    await shelf.load(*(quiz(f"quiz-{number:02}") for number in range(30)))
    assert len(await shelf.titles("quiz")) == 25
    assert await shelf.titles("29") == ["quiz-29"]


async def test_the_list_has_ten_rows_a_page_and_no_page_beyond_its_ends(shelf: Shelf) -> None:
    await shelf.load(*(quiz(f"quiz-{number:02}") for number in range(23)))

    async def page(number: int, search: str = "") -> tuple[list[str], int, int]:
        card = await shelf.library.page(GUILD, number, search)
        return [row.ref for row in card.rows], card.page, card.pages

    names = [f"quiz-{number:02}" for number in range(23)]
    assert await page(0) == (names[:10], 0, 3)
    assert await page(1) == (names[10:20], 1, 3)
    assert await page(2) == (names[20:], 2, 3)
    assert await page(99) == (names[20:], 2, 3)
    assert await page(-1) == (names[:10], 0, 3)
    assert await page(2, "quiz-1") == (names[10:20], 0, 1)
    assert await page(0, "nothing like it") == ([], 0, 1)


async def test_a_row_tells_what_there_is(shelf: Shelf) -> None:
    both = replace(version(), stem={"en": "What?", "tr": "Ne?"})
    german = Version(Kind.TRUE_FALSE, {"de": "So?"}, (Option({}, {}),) * 2, frozenset({0}), {}, {})
    keyless = version("Who knows?", None)
    asked = (question("one"), question("two", both), question("three", german), question("four", keyless))
    await shelf.load(quiz("light", *asked, tags=("optics",)))
    found = await shelf.library.find(GUILD, "light")
    card = await shelf.library.card(GUILD, found.quiz.id, may_start=False)
    assert (card.quiz.ref, card.quiz.questions, card.quiz.tags) == ("light", 4, ("optics",))
    assert card.quiz.languages == ("de", "en")  # no question is complete in Turkish
    assert (card.keyless, card.may_start) == (1, False)
