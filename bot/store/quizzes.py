"""Quizzes, questions and their immutable versions in the store."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, or_, select, update

from bot.core.quiz import Kind, Option, Quiz, Text, Version, fingerprint
from bot.store.database import Tx
from bot.store.tables import question_versions, questions, quizzes


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question of a quiz with its newest version."""

    id: int
    ref: str
    version_id: int
    version: Version


@dataclass(frozen=True, slots=True)
class StoredQuiz:
    """A quiz without its questions. `guild` is None for a quiz that every server sees."""

    id: int
    guild: int | None
    ref: str
    title: Text
    description: Text
    language: str
    tags: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Saved:
    """What storing a quiz changed, in questions; `archived` are those that are no longer in it."""

    quiz_id: int
    new: int = 0
    changed: int = 0
    same: int = 0
    archived: int = 0


async def save_quiz(tx: Tx, guild: int | None, quiz: Quiz, digest: str, now: datetime) -> Saved:
    """Store a quiz by its id: new versions where the contents changed, none where they did not."""
    facts = {
        "title": dict(quiz.title),
        "description": dict(quiz.description),
        "language": quiz.language,
        "tags": list(quiz.tags),
        "digest": digest,
        "archived_at": None,
    }
    stored = await find_quiz(tx, guild, quiz.ref, archived=True, own=True)
    if stored is None:
        row = {"guild": guild, "ref": quiz.ref, "practice_open": True, "created_at": now, **facts}
        result = await tx.execute(insert(quizzes).values(row).returning(quizzes.c.id))
        quiz_id = result.scalar_one()
    else:
        quiz_id = stored.id
        await tx.execute(update(quizzes).where(quizzes.c.id == quiz_id).values(facts))
    return await _save_questions(tx, quiz_id, quiz, now)


async def _save_questions(tx: Tx, quiz_id: int, quiz: Quiz, now: datetime) -> Saved:
    known = {
        row.ref: row
        for row in await tx.execute(
            select(questions, question_versions.c.fingerprint, question_versions.c.number)
            .join(question_versions, question_versions.c.id == questions.c.version_id)
            .where(questions.c.quiz_id == quiz_id)
        )
    }
    new = changed = same = 0
    for position, question in enumerate(quiz.questions):
        row = known.pop(question.ref, None)
        if row is None:
            new += 1
            facts = {"quiz_id": quiz_id, "ref": question.ref, "position": position, "created_at": now}
            result = await tx.execute(insert(questions).values(facts).returning(questions.c.id))
            question_id, number = result.scalar_one(), 1
        elif row.fingerprint != fingerprint(question.version):
            changed += 1
            question_id, number = row.id, row.number + 1
        else:
            same += 1
            if row.position != position or row.archived_at is not None:
                moved = update(questions).where(questions.c.id == row.id)
                await tx.execute(moved.values(position=position, archived_at=None))
            continue
        version_id = await _add_version(tx, question_id, number, question.version, now)
        await tx.execute(
            update(questions)
            .where(questions.c.id == question_id)
            .values(version_id=version_id, position=position, archived_at=None)
        )
    gone = [row.id for row in known.values() if row.archived_at is None]
    await tx.execute(update(questions).where(questions.c.id.in_(gone)).values(archived_at=now))
    return Saved(quiz_id, new, changed, same, len(gone))


async def _add_version(tx: Tx, question_id: int, number: int, version: Version, now: datetime) -> int:
    result = await tx.execute(
        insert(question_versions)
        .values(
            question_id=question_id,
            number=number,
            kind=version.kind.value,
            content=_content(version),
            key=None if version.key is None else sorted(version.key),
            options=len(version.options),
            fingerprint=fingerprint(version),
            created_at=now,
        )
        .returning(question_versions.c.id)
    )
    return result.scalar_one()


async def archive_missing(tx: Tx, refs: Iterable[str], now: datetime) -> int:
    """Archive the quizzes from files whose file is gone; return how many."""
    gone = (
        update(quizzes)
        .where(quizzes.c.guild.is_(None), quizzes.c.archived_at.is_(None), quizzes.c.ref.not_in(list(refs)))
        .values(archived_at=now, digest="")
    )
    return (await tx.execute(gone)).rowcount


async def digests(tx: Tx) -> Mapping[str, str]:
    """Return the digest of every quiz that comes from a file, by its id."""
    rows = await tx.execute(select(quizzes.c.ref, quizzes.c.digest).where(quizzes.c.guild.is_(None)))
    return {row.ref: row.digest for row in rows}


async def list_quizzes(tx: Tx, guild: int | None) -> list[StoredQuiz]:
    """Return the quizzes that a server sees: everybody's and its own, oldest first."""
    rows = await tx.execute(
        select(quizzes)
        .where(or_(quizzes.c.guild.is_(None), quizzes.c.guild == guild), quizzes.c.archived_at.is_(None))
        .order_by(quizzes.c.id)
    )
    return [_quiz(row) for row in rows]


async def find_quiz(
    tx: Tx, guild: int | None, ref: str, *, archived: bool = False, own: bool = False
) -> StoredQuiz | None:
    """Find a quiz by its id as a server sees it: its own before everybody's; with `own`, only its own."""
    seen = quizzes.c.guild.is_(None) if guild is None else quizzes.c.guild == guild
    if guild is not None and not own:
        seen = or_(quizzes.c.guild.is_(None), seen)
    query = select(quizzes).where(quizzes.c.ref == ref, seen).order_by(quizzes.c.guild.is_(None))
    if not archived:
        query = query.where(quizzes.c.archived_at.is_(None))
    row = (await tx.execute(query.limit(1))).first()
    return None if row is None else _quiz(row)


async def quiz_questions(tx: Tx, quiz_ids: Sequence[int]) -> dict[int, list[StoredQuestion]]:
    """Return the questions of quizzes in quiz order, each with its newest version."""
    rows = await tx.execute(
        select(questions.c.quiz_id, questions.c.ref, questions.c.id.label("asked"), question_versions)
        .join(question_versions, question_versions.c.id == questions.c.version_id)
        .where(questions.c.quiz_id.in_(quiz_ids), questions.c.archived_at.is_(None))
        .order_by(questions.c.quiz_id, questions.c.position)
    )
    found: dict[int, list[StoredQuestion]] = {quiz_id: [] for quiz_id in quiz_ids}
    for row in rows:
        found[row.quiz_id].append(StoredQuestion(row.asked, row.ref, row.id, _version(row)))
    return found


async def read_versions(tx: Tx, ids: Iterable[int]) -> dict[int, Version]:
    """Return versions by their id."""
    query = select(question_versions).where(question_versions.c.id.in_(list(ids)))
    return {row.id: _version(row) for row in await tx.execute(query)}


def _quiz(row: Row[Any]) -> StoredQuiz:
    return StoredQuiz(
        row.id, row.guild, row.ref, row.title, row.description, row.language, tuple(row.tags), row.digest
    )


def _content(version: Version) -> dict[str, Any]:
    return {
        "stem": dict(version.stem),
        "options": [
            {"text": dict(option.text), "feedback": dict(option.feedback), "pin": option.pin}
            for option in version.options
        ],
        "explanation": dict(version.explanation),
        "source": dict(version.source),
        "markdown": version.markdown,
    }


def _version(row: Row[Any]) -> Version:
    content = row.content
    return Version(
        kind=Kind(row.kind),
        stem=content["stem"],
        options=tuple(
            Option(option["text"], option["feedback"], option["pin"]) for option in content["options"]
        ),
        key=None if row.key is None else frozenset(row.key),
        explanation=content["explanation"],
        source=content["source"],
        markdown=content["markdown"],
    )
