"""Rounds and their turns in the store; what a round does with them is the core's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from bot.core.quiz import Text
from bot.core.round import RoundState, Turn, TurnState
from bot.core.scoring import Correction, Verdict
from bot.store.database import Tx
from bot.store.tables import corrections, log, rounds, turns

_UNREVEALED = (TurnState.PENDING.value, TurnState.OPEN.value, TurnState.CLOSED.value)


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round without its turns."""

    id: int
    token: str
    mode: str
    guild: int | None
    channel_id: int
    host: int
    titles: tuple[Text, ...]
    language: str
    state: RoundState
    end_reason: str | None
    next_at: datetime | None
    due_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn of a round about to start."""

    question: int
    version_id: int
    order: tuple[int, ...]
    seconds: int | None


class ChannelTaken(Exception):
    """A live round already plays in the channel."""


async def create_round(
    tx: Tx,
    *,
    token: str,
    guild: int | None,
    channel_id: int,
    host: int,
    titles: Sequence[Text],
    language: str,
    seed: int,
    asked: Sequence[NewTurn],
    now: datetime,
) -> int:
    """Write a live round with all its turns, due at once; return its id.

    Raises:
        ChannelTaken: the constraint says that a live round already plays in the channel.
    """
    row: dict[str, Any] = {
        "token": token,
        "mode": "live",
        "guild": guild,
        "channel_id": channel_id,
        "host": host,
        "titles": [dict(title) for title in titles],
        "language": language,
        "state": RoundState.PLAYING.value,
        "feedback": "turn",
        "locks": False,
        "scoring": {},
        "settings": {},
        "seed": seed,
        "created_at": now,
        "due_at": now,
    }
    try:
        result = await tx.execute(insert(rounds).values(row).returning(rounds.c.id))
    except IntegrityError as fault:
        raise ChannelTaken from fault
    round_id = result.scalar_one()
    await tx.execute(
        insert(turns),
        [
            {
                "round_id": round_id,
                "number": number,
                "question_id": turn.question,
                "version_id": turn.version_id,
                "option_order": list(turn.order),
                "state": TurnState.PENDING.value,
                "epoch": 0,
                "seconds": turn.seconds,
                "extended": False,
            }
            for number, turn in enumerate(asked, start=1)
        ],
    )
    return round_id


async def read_round(tx: Tx, round_id: int) -> StoredRound:
    """Return a round by its id."""
    return _round((await tx.execute(select(rounds).where(rounds.c.id == round_id))).one())


async def find_round(tx: Tx, token: str) -> StoredRound | None:
    """Find a round by the token in its messages."""
    row = (await tx.execute(select(rounds).where(rounds.c.token == token))).first()
    return None if row is None else _round(row)


async def find_open_round(tx: Tx, channel_id: int) -> StoredRound | None:
    """Find the live round that plays in a channel."""
    # A literal, not a parameter: only so can SQLite use the partial index.
    live = rounds.c.mode == literal("live", literal_execute=True)
    query = select(rounds).where(rounds.c.channel_id == channel_id, live, rounds.c.ended_at.is_(None))
    row = (await tx.execute(query)).first()
    return None if row is None else _round(row)


async def read_turns(tx: Tx, round_id: int) -> list[Turn]:
    """Return the turns of a round in order."""
    query = select(turns).where(turns.c.round_id == round_id).order_by(turns.c.number)
    return [turn_of(row) for row in await tx.execute(query)]


async def open_turns(tx: Tx) -> list[tuple[StoredRound, Turn]]:
    """Return every open turn with its round."""
    query = (
        select(turns)
        .join(rounds, rounds.c.id == turns.c.round_id)
        .where(rounds.c.ended_at.is_(None), turns.c.state == TurnState.OPEN.value)
    )
    found = [(row.round_id, turn_of(row)) for row in (await tx.execute(query)).all()]
    return [(await read_round(tx, round_id), turn) for round_id, turn in found]


async def write_turn(tx: Tx, turn: Turn) -> None:
    """Write what a transition changed of a turn."""
    await tx.execute(
        update(turns)
        .where(turns.c.id == turn.id)
        .values(
            state=turn.state.value,
            epoch=turn.epoch,
            opened_at=turn.opened_at,
            closes_at=turn.closes_at,
            closed_at=turn.closed_at,
            revealed_at=turn.revealed_at,
            extended=turn.extended,
        )
    )


async def write_round(tx: Tx, round_id: int, **changes: Any) -> None:
    """Write columns of a round by name."""
    await tx.execute(update(rounds).where(rounds.c.id == round_id).values(**changes))


async def due_rounds(tx: Tx, now: datetime, limit: int = 500) -> list[int]:
    """Return the rounds whose task must act, longest due first."""
    query = select(rounds.c.id).where(rounds.c.due_at <= now).order_by(rounds.c.due_at).limit(limit)
    return list((await tx.execute(query)).scalars())


async def next_due(tx: Tx, after: datetime) -> datetime | None:
    """Return the earliest instant after the given one at which a round must act."""
    query = select(func.min(rounds.c.due_at)).where(rounds.c.due_at > after)
    return (await tx.execute(query)).scalar_one()


async def paused_since(tx: Tx, round_id: int) -> datetime | None:
    """Return since when a round has been waiting for a right it lost."""
    return (await tx.execute(select(rounds.c.paused_at).where(rounds.c.id == round_id))).scalar_one()


async def wake_unfinished(tx: Tx, now: datetime) -> int:
    """Make every round that has something left to do due now; return how many."""
    due = update(rounds).where(rounds.c.due_at.is_not(None)).values(due_at=now)
    return (await tx.execute(due)).rowcount


async def unrevealed_questions(tx: Tx, guild: int | None) -> dict[int, int]:
    """Return the questions open or unrevealed in any round of a server, each with a round it stands in."""
    query = (
        select(turns.c.question_id, turns.c.round_id)
        .join(rounds, rounds.c.id == turns.c.round_id)
        .where(rounds.c.guild == guild, rounds.c.ended_at.is_(None), turns.c.state.in_(_UNREVEALED))
    )
    return {row.question_id: row.round_id for row in await tx.execute(query)}


async def last_asked(tx: Tx, guild: int | None, question_ids: Iterable[int]) -> Mapping[int, datetime]:
    """Return when each question was last put on the table in a server."""
    query = (
        select(turns.c.question_id, func.max(turns.c.opened_at).label("asked"))
        .join(rounds, rounds.c.id == turns.c.round_id)
        .where(turns.c.question_id.in_(list(question_ids)), rounds.c.guild == guild)
        .group_by(turns.c.question_id)
    )
    return {row.question_id: row.asked for row in await tx.execute(query) if row.asked is not None}


async def read_corrections(
    tx: Tx, guild: int | None, version_ids: Iterable[int]
) -> dict[int, list[Correction]]:
    """Return a server's standing corrections of versions, oldest first."""
    query = (
        select(corrections)
        .where(
            corrections.c.guild == guild,
            corrections.c.version_id.in_(list(version_ids)),
            corrections.c.undone_at.is_(None),
        )
        .order_by(corrections.c.id)
    )
    found: dict[int, list[Correction]] = {}
    for row in await tx.execute(query):
        found.setdefault(row.version_id, []).append(Correction(Verdict(row.kind), frozenset(row.options)))
    return found


async def note(
    tx: Tx, now: datetime, guild: int | None, member: int | None, action: str, **facts: object
) -> None:
    """Append to the log who started, stopped, changed or corrected what."""
    row = {"at": now, "guild": guild, "member": member, "action": action, "facts": facts}
    await tx.execute(insert(log).values(row))


def turn_of(row: Row[Any]) -> Turn:
    """Return the turn of a row of `turns`."""
    return Turn(
        id=row.id,
        number=row.number,
        question=row.question_id,
        version_id=row.version_id,
        order=tuple(row.option_order),
        seconds=row.seconds,
        state=TurnState(row.state),
        epoch=row.epoch,
        opened_at=row.opened_at,
        closes_at=row.closes_at,
        closed_at=row.closed_at,
        revealed_at=row.revealed_at,
        extended=row.extended,
    )


def _round(row: Row[Any]) -> StoredRound:
    return StoredRound(
        id=row.id,
        token=row.token,
        mode=row.mode,
        guild=row.guild,
        channel_id=row.channel_id,
        host=row.host,
        titles=tuple(row.titles),
        language=row.language,
        state=RoundState(row.state),
        end_reason=row.end_reason,
        next_at=row.next_at,
        due_at=row.due_at,
        created_at=row.created_at,
    )
