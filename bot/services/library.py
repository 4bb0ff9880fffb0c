"""The library: quizzes from files loaded into the store, and found again by people who search."""

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bot.core.cards import QuizCard, QuizListCard, QuizRow
from bot.core.quiz import Quiz, Version, fingerprint
from bot.core.refusals import NoSuchQuiz
from bot.core.search import fold, matches
from bot.ports import Clock
from bot.services.recorder import Recorder
from bot.store import quizzes
from bot.store.database import Database, Tx
from bot.store.quizzes import StoredQuestion, StoredQuiz

_log = logging.getLogger(__name__)

PAGE = 10
"""Rows on a page of a list."""
_REMEMBERED = 5_000


@dataclass(frozen=True, slots=True)
class Found:
    """A quiz with its questions."""

    quiz: StoredQuiz
    questions: tuple[StoredQuestion, ...]


class Library:
    """Quizzes as a server sees them."""

    def __init__(self, database: Database, recorder: Recorder, clock: Clock) -> None:
        self._database = database
        self._recorder = recorder
        self._clock = clock
        self._versions: dict[int, Version] = {}

    async def load(self, shipped: Sequence[Quiz]) -> int:
        """Store the quizzes from files: new versions of what changed, the rest archived; return how many differ."""

        async def store(tx: Tx) -> int:
            now = self._clock.now()
            known = await quizzes.digests(tx)
            changed = 0
            for quiz in shipped:
                digest = _digest(quiz)
                if known.get(quiz.ref) == digest:
                    continue
                saved = await quizzes.save_quiz(tx, None, quiz, digest, now)
                changed += 1
                _log.info(
                    "quiz %s: %d new, %d changed, %d same, %d archived",
                    quiz.ref,
                    saved.new,
                    saved.changed,
                    saved.same,
                    saved.archived,
                )
            return changed + await quizzes.archive_missing(tx, [quiz.ref for quiz in shipped], now)

        return await self._recorder.write(store)

    async def find(self, guild: int | None, name: str) -> Found:
        """Return the quiz that a person named by its id, or by words that fit one quiz only.

        Raises:
            NoSuchQuiz: none fits, or several do.
        """
        async with self._database.reading() as tx:
            quiz = await quizzes.find_quiz(tx, guild, name)
            if quiz is None:
                fitting = [one for one in await quizzes.list_quizzes(tx, guild) if _fits(one, name)]
                exact = [
                    one for one in fitting if fold(name) in {fold(title) for title in one.title.values()}
                ]
                fitting = exact or fitting
                if len(fitting) != 1:
                    raise NoSuchQuiz(name)
                quiz = fitting[0]
            found = await quizzes.quiz_questions(tx, [quiz.id])
        return Found(quiz, tuple(found[quiz.id]))

    async def suggest(self, guild: int | None, typed: str, limit: int = 25) -> list[StoredQuiz]:
        """Return the quizzes that fit what has been typed so far."""
        async with self._database.reading() as tx:
            seen = await quizzes.list_quizzes(tx, guild)
        return [quiz for quiz in seen if _fits(quiz, typed)][:limit]

    async def page(self, guild: int | None, page: int, search: str) -> QuizListCard:
        """Return a page of the quizzes that a server sees."""
        async with self._database.reading() as tx:
            fitting = [quiz for quiz in await quizzes.list_quizzes(tx, guild) if _fits(quiz, search)]
            pages = max(1, -(-len(fitting) // PAGE))
            page = min(max(page, 0), pages - 1)
            shown = fitting[page * PAGE : (page + 1) * PAGE]
            asked = await quizzes.quiz_questions(tx, [quiz.id for quiz in shown])
        return QuizListCard(tuple(_row(quiz, asked[quiz.id]) for quiz in shown), page, pages, search)

    async def card(self, guild: int | None, quiz_id: int, *, may_start: bool) -> QuizCard:
        """Return one quiz of the list.

        Raises:
            NoSuchQuiz: it is no longer there for this server.
        """
        found = await self.by_id(guild, quiz_id)
        keyless = sum(question.version.key is None for question in found.questions)
        return QuizCard(_row(found.quiz, found.questions), keyless, may_start)

    async def by_id(self, guild: int | None, quiz_id: int) -> Found:
        """Return a quiz of the list by its number in the store.

        Raises:
            NoSuchQuiz: it is no longer there for this server.
        """
        async with self._database.reading() as tx:
            quiz = next((one for one in await quizzes.list_quizzes(tx, guild) if one.id == quiz_id), None)
            if quiz is None:
                raise NoSuchQuiz("")
            asked = await quizzes.quiz_questions(tx, [quiz_id])
        return Found(quiz, tuple(asked[quiz_id]))

    async def versions(self, ids: Sequence[int]) -> dict[int, Version]:
        """Return versions by id; they never change, so they are remembered."""
        missing = [one for one in ids if one not in self._versions]
        if missing:
            async with self._database.reading() as tx:
                read = await quizzes.read_versions(tx, missing)
            if len(self._versions) + len(read) > _REMEMBERED:
                self._versions = {one: self._versions[one] for one in ids if one in self._versions}
            self._versions.update(read)
        return {one: self._versions[one] for one in ids}

    async def version(self, version_id: int) -> Version:
        """Return one version by id."""
        return (await self.versions([version_id]))[version_id]


def _fits(quiz: StoredQuiz, typed: str) -> bool:
    return matches(typed, quiz.ref, *quiz.title.values(), *quiz.tags)


def _row(quiz: StoredQuiz, asked: Sequence[StoredQuestion]) -> QuizRow:
    offered = [question.version.languages() for question in asked]
    languages = sorted(frozenset[str]().union(*offered))
    return QuizRow(quiz.id, quiz.ref, quiz.title, quiz.description, len(asked), tuple(languages), quiz.tags)


def _digest(quiz: Quiz) -> str:
    """Return a digest of everything that storing a quiz writes."""
    facts = {**asdict(quiz), "questions": [[one.ref, fingerprint(one.version)] for one in quiz.questions]}
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
