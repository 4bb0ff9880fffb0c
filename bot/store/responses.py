"""Responses in the store: read and written by the recorder in batches, settled when a turn is revealed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, or_, select, tuple_, update

from bot.core.quiz import Version
from bot.core.round import Response, Turn
from bot.core.scoring import Ruling, points
from bot.ports import Posting
from bot.store.database import Tx
from bot.store.messages import MessageKind, find_newest
from bot.store.rounds import turn_of
from bot.store.tables import members, participants, responses, rounds, turns
from bot.store.upsert import upsert

_CONDITIONS = 500
"""How many conditions one query joins by OR; SQLite takes no more than a thousand."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """The turn that a press is addressed to, with what the decision and the reply need of its round."""

    turn: Turn
    round_id: int
    token: str
    guild: int | None
    channel_id: int
    ended: bool
    total: int
    message: Posting | None


@dataclass(frozen=True, slots=True)
class Written:
    """A response to be written, with whose and where."""

    turn_id: int
    round_id: int
    guild: int | None
    member: int
    name: str
    response: Response
    settled_at: datetime | None
    points: int | None


@dataclass(frozen=True, slots=True)
class Given:
    """A response as it is read back. `points` is None where it was not scored."""

    turn_id: int
    member: int
    answer: frozenset[int]
    points: int | None


def canonical(answer: frozenset[int]) -> str:
    """Return an answer as it is stored: places as written, ascending, "0,2"."""
    return ",".join(str(place) for place in sorted(answer))


def places(canonical_answer: str) -> frozenset[int]:
    """Read a stored answer."""
    return frozenset(int(place) for place in canonical_answer.split(",") if place)


async def read_addressed(tx: Tx, addresses: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Addressed]:
    """Return the turns of presses by round token and turn number; unknown ones are left out."""
    wanted = list(addresses)
    siblings = turns.alias()
    count = select(func.count()).where(siblings.c.round_id == rounds.c.id).scalar_subquery()
    query = (
        select(
            turns,
            rounds.c.token,
            rounds.c.guild,
            rounds.c.channel_id,
            rounds.c.ended_at,
            count.label("total"),
        )
        .join(rounds, rounds.c.id == turns.c.round_id)
        .where(rounds.c.token.in_({token for token, _ in wanted}))
        .where(tuple_(rounds.c.token, turns.c.number).in_(wanted))
    )
    rows = (await tx.execute(query)).all()
    posted = await find_newest(tx, MessageKind.QUESTION, [row.id for row in rows])
    return {
        (row.token, row.number): Addressed(
            turn_of(row),
            row.round_id,
            row.token,
            row.guild,
            row.channel_id,
            row.ended_at is not None,
            row.total,
            posted.get(row.id),
        )
        for row in rows
    }


async def read_earlier(tx: Tx, keys: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Response]:
    """Return the responses there are for pairs of turn and member."""
    by_turn: dict[int, list[int]] = {}
    for turn_id, member in keys:
        by_turn.setdefault(turn_id, []).append(member)
    found: dict[tuple[int, int], Response] = {}
    asked = list(by_turn.items())
    for first in range(0, len(asked), _CONDITIONS):
        wanted = or_(
            *(
                and_(responses.c.turn_id == turn_id, responses.c.member.in_(them))
                for turn_id, them in asked[first : first + _CONDITIONS]
            )
        )
        for row in await tx.execute(select(responses).where(wanted)):
            response = Response(places(row.answer), row.interaction_id, row.answered_at)
            found[row.turn_id, row.member] = response
    return found


async def write_responses(tx: Tx, written: Sequence[Written], now: datetime) -> None:
    """Write responses, that their members take part, and the names they go by now."""
    if not written:
        return
    rows = [
        {
            "turn_id": one.turn_id,
            "member": one.member,
            "guild": one.guild,
            "answer": canonical(one.response.answer),
            "interaction_id": one.response.interaction,
            "answered_at": one.response.answered_at,
            "state": "locked",
            "settled_at": one.settled_at,
            "points": one.points,
        }
        for one in written
    ]
    await upsert(tx, responses, rows, keep=("guild",))
    taking_part = {(one.round_id, one.member): {"joined_at": one.response.answered_at} for one in written}
    await upsert(
        tx,
        participants,
        [{"round_id": round_id, "member": member, **row} for (round_id, member), row in taking_part.items()],
        keep=("joined_at",),
    )
    named = {(one.guild, one.member): one.name for one in written if one.guild is not None}
    await upsert(
        tx,
        members,
        [
            {"guild": guild, "member": member, "name": name[:64], "seen_at": now}
            for (guild, member), name in named.items()
        ],
    )


async def settle_turn(tx: Tx, turn: Turn, version: Version, ruled: Ruling, now: datetime) -> None:
    """Settle what was answered in a turn: from now its members may know, and boards may count it."""
    unsettled = and_(responses.c.turn_id == turn.id, responses.c.settled_at.is_(None))
    answers = (await tx.execute(select(responses.c.answer).where(unsettled).distinct())).scalars().all()
    for answer in answers:
        worth = points(version, ruled, places(answer))
        settled = update(responses).where(unsettled, responses.c.answer == answer)
        await tx.execute(settled.values(settled_at=now, points=worth, state="locked"))


async def settle_void(tx: Tx, turn_id: int, now: datetime) -> None:
    """Settle without points what was answered in a turn that was lost."""
    unsettled = and_(responses.c.turn_id == turn_id, responses.c.settled_at.is_(None))
    await tx.execute(update(responses).where(unsettled).values(settled_at=now, points=None, state="locked"))


async def count_answered(tx: Tx, turn_id: int) -> int:
    """Return how many members have answered a turn."""
    query = select(func.count()).where(responses.c.turn_id == turn_id)
    return (await tx.execute(query)).scalar_one()


async def count_answers(tx: Tx, turn_id: int) -> dict[frozenset[int], tuple[int, int | None]]:
    """Return how often each answer was given to a revealed turn, with the points it got."""
    query = (
        select(responses.c.answer, responses.c.points, func.count().label("times"))
        .where(responses.c.turn_id == turn_id, responses.c.settled_at.is_not(None))
        .group_by(responses.c.answer, responses.c.points)
    )
    return {places(row.answer): (row.times, row.points) for row in await tx.execute(query)}


async def round_totals(tx: Tx, round_id: int) -> dict[int, int]:
    """Return the points, in thousandths, of every member with a settled response in a round."""
    query = (
        select(responses.c.member, func.coalesce(func.sum(responses.c.points), 0).label("points"))
        .join(turns, turns.c.id == responses.c.turn_id)
        .where(turns.c.round_id == round_id, responses.c.settled_at.is_not(None))
        .group_by(responses.c.member)
    )
    return {row.member: row.points for row in await tx.execute(query)}


async def member_responses(tx: Tx, round_id: int, member: int) -> dict[int, Given]:
    """Return a member's settled responses in a round by turn."""
    query = (
        select(responses)
        .join(turns, turns.c.id == responses.c.turn_id)
        .where(
            turns.c.round_id == round_id, responses.c.member == member, responses.c.settled_at.is_not(None)
        )
    )
    return {row.turn_id: _given(row) for row in await tx.execute(query)}


async def find_own(tx: Tx, turn_id: int, member: int) -> frozenset[int] | None:
    """Find what a member has chosen in a turn, settled or not: their own choice is theirs to see."""
    query = select(responses.c.answer).where(responses.c.turn_id == turn_id, responses.c.member == member)
    answer = (await tx.execute(query)).scalar_one_or_none()
    return None if answer is None else places(answer)


def _given(row: Row[Any]) -> Given:
    return Given(row.turn_id, row.member, places(row.answer), row.points)
