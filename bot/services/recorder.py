"""The recorder: the one task that writes, in the order in which presses and transitions arrived.

Presses that come while a commit runs are written together by the next one (group commit, no timer): durability
costs almost nothing, and nobody hears "saved" before it is on disk. What fails in a batch is tried again alone, so
that one bad item harms no other. The recorder decides nothing: the core does, inside the transaction.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from bot.core.refusals import NotOnTheTable, Refusal, ShuttingDown
from bot.core.round import Decision, Press, Response, TurnState, confirm, respond
from bot.core.scoring import points, ruling
from bot.ports import Clock, Posting, made_at
from bot.store import messages, quizzes, responses, rounds
from bot.store.database import Database, Tx
from bot.store.responses import Addressed, Written

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

BATCH = 1_000
"""The most items one transaction takes; a limit on its length, not on what may wait."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press as it comes from outside, addressed by what its message carries.

    `channel_id` and `message_id` are those of the public message pressed; both None where the press comes from
    a private card.
    """

    token: str
    number: int
    press: Press
    name: str
    channel_id: int | None
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a press, committed."""

    decision: Decision
    turn: Addressed


@dataclass(slots=True)
class _Item:
    done: asyncio.Future[Any]
    pressed: Pressed | None = None
    write: Callable[[Tx], Awaitable[Any]] | None = None


class Recorder:
    """Takes presses and transitions; `run` is its task."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._waiting: list[_Item] = []
        self._arrived = asyncio.Event()
        self._closing = False
        self._busy = False

    @property
    def idle(self) -> bool:
        """Tell whether everything received is committed."""
        return not self._busy and not self._waiting

    async def respond(self, pressed: Pressed) -> Recorded:
        """Record a press and return once it is committed.

        Raises:
            Refusal: the press does not count, and why.
        """
        return await self._put(_Item(self._future(), pressed=pressed))

    async def write(self, write: Callable[[Tx], Awaitable[_T]]) -> _T:
        """Run a transition in its place among the presses, in a transaction; what it raises rolls it back."""
        return await self._put(_Item(self._future(), write=write))

    async def _put(self, item: _Item) -> Any:
        if self._closing:
            raise ShuttingDown
        self._waiting.append(item)
        self._arrived.set()
        # Shielded: who waits may be cancelled, what was received is recorded all the same.
        return await asyncio.shield(item.done)

    def _future(self) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        # A caller that was cancelled never asks for the outcome; that alone is no fault worth a log line.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        return future

    async def run(self) -> None:
        """Write what arrives until `close`; one transaction at a time."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                self._busy = True
                await self._record(batch)
                self._busy = False
            if self._closing:
                return

    async def close(self) -> None:
        """Take nothing more; `run` returns when what was received is committed."""
        self._closing = True
        self._arrived.set()

    async def _record(self, batch: Sequence[_Item]) -> None:
        try:
            outcomes = await self._commit(batch)
        except Exception as fault:
            if len(batch) == 1:
                _log.exception("a write failed")
                _settle(batch[0], fault)
                return
            _log.warning("a batch of %d failed, trying each alone: %r", len(batch), fault)
            for item in batch:
                await self._record([item])
            return
        for item, outcome in zip(batch, outcomes, strict=True):
            _settle(item, outcome)

    async def _commit(self, batch: Sequence[_Item]) -> list[Any]:
        outcomes: list[Any] = []
        async with self._database.writing() as tx:
            for group in _groups(batch):
                if group[0].write is None:
                    outcomes.extend(await self._decide(tx, [item.pressed for item in group if item.pressed]))
                else:
                    outcomes.append(await _attempt(tx, group[0].write, alone=len(batch) == 1))
        return outcomes

    async def _decide(self, tx: Tx, presses: Sequence[Pressed]) -> list[Recorded | Refusal]:
        """Decide presses in the order of their ids and write those that change something."""
        now = self._clock.now()
        turns = await responses.read_addressed(tx, {(one.token, one.number) for one in presses})
        keys = [
            (turns[one.token, one.number].turn.id, one.press.member)
            for one in presses
            if (one.token, one.number) in turns
        ]
        earlier = await responses.read_earlier(tx, keys)
        outcomes: dict[int, Recorded | Refusal] = {}
        written: dict[tuple[int, int], Written] = {}
        for place, one in sorted(enumerate(presses), key=lambda pair: pair[1].press.interaction):
            try:
                turn = turns.get((one.token, one.number))
                if turn is None:
                    raise NotOnTheTable(ended=False)
                turn = turns[one.token, one.number] = await _check_message(tx, turn, one)
                key = turn.turn.id, one.press.member
                decision = respond(one.token, turn.turn, one.press, earlier.get(key), now)
            except Refusal as refusal:
                outcomes[place] = refusal
                continue
            if decision.write:
                earlier[key] = decision.response
                written[key] = await _written(tx, turn, one, decision.response, now)
            outcomes[place] = Recorded(decision, turn)
        await responses.write_responses(tx, list(written.values()), now)
        return [outcomes[place] for place in range(len(presses))]


async def _check_message(tx: Tx, addressed: Addressed, one: Pressed) -> Addressed:
    """Refuse a press whose message belongs to another turn; take one on an unconfirmed message as its confirmation."""
    posting = addressed.message
    if one.message_id is None or posting is None or posting.message_id == one.message_id:
        return addressed
    if one.message_id in await messages.known_ids(tx, posting):
        return addressed
    if posting.message_id is None and one.channel_id == posting.channel_id and _fits(posting, one):
        await messages.confirm(tx, posting.id, one.message_id)
        confirmed = confirm(addressed.turn, made_at(one.message_id))
        if confirmed is not addressed.turn:
            await rounds.write_turn(tx, confirmed)
        return replace(addressed, turn=confirmed, message=replace(posting, message_id=one.message_id))
    raise NotOnTheTable(ended=False)


def _fits(posting: Posting, one: Pressed) -> bool:
    """Tell whether the press can be on the message of a claim: made after it was claimed."""
    return one.press.at >= posting.claimed_at.replace(microsecond=0)


async def _written(tx: Tx, turn: Addressed, one: Pressed, response: Response, now: datetime) -> Written:
    settled_at, worth = None, None
    if turn.turn.state is TurnState.REVEALED:
        # Made in time, delivered after the reveal: the member may know at once what everybody knows.
        version = (await quizzes.read_versions(tx, [turn.turn.version_id]))[turn.turn.version_id]
        ruled = await rounds.read_corrections(tx, turn.guild, [turn.turn.version_id])
        await messages.note_stale(tx, turn.turn.id, turn.round_id)
        await rounds.write_round(tx, turn.round_id, due_at=now)
        settled_at = now
        worth = points(version, ruling(version, ruled.get(turn.turn.version_id, ())), response.answer)
    return Written(
        turn.turn.id, turn.round_id, turn.guild, one.press.member, one.name, response, settled_at, worth
    )


async def _attempt(tx: Tx, write: Callable[[Tx], Awaitable[Any]], *, alone: bool) -> Any:
    """Run a transition so that what it raises undoes it alone."""
    try:
        async with tx.begin_nested():
            return await write(tx)
    except Refusal as refusal:
        return refusal
    except Exception as fault:
        if alone:
            return fault
        raise


def _groups(batch: Sequence[_Item]) -> list[list[_Item]]:
    """Split a batch into runs of presses and single transitions, in order."""
    groups: list[list[_Item]] = []
    for item in batch:
        if item.write is None and groups and groups[-1][0].write is None:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _settle(item: _Item, outcome: Any) -> None:
    if item.done.done():
        return
    if isinstance(outcome, BaseException):
        item.done.set_exception(outcome)
    else:
        item.done.set_result(outcome)
