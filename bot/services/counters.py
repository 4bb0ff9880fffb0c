"""How many have answered, on the open question: edited every few seconds at most, never who and never what.

A counter is a courtesy: it is dropped whenever anything else needs the message. One edit is made after half the time
even without answers, since a deleted message is noticed only by an edit.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.core.round import Turn
from bot.ports import Clock, Urgency

_log = logging.getLogger(__name__)

PAUSE = timedelta(seconds=5)
"""The least time between two counters of one message; Discord allows five edits in five seconds for a whole channel."""

Redraw = Callable[[int, int, Urgency], Awaitable[None]]


class Counters:
    """One short task for each open turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._answered: dict[int, asyncio.Event] = {}

    @property
    def counting(self) -> int:
        """Tell how many turns have a counter."""
        return len(self._tasks)

    def plan(self, round_id: int, turn: Turn, redraw: Redraw) -> None:
        """Count for an open turn until it is stopped; once for each turn."""
        if turn.id in self._tasks or turn.closes_at is None or turn.opened_at is None:
            return
        self._answered[turn.id] = asyncio.Event()
        counting = self._count(round_id, turn, turn.opened_at, turn.closes_at, redraw)
        task = asyncio.create_task(counting, name=f"counter {turn.id}")
        self._tasks[turn.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(turn.id, None))

    def note(self, turn_id: int) -> None:
        """Note that one more member has answered."""
        answered = self._answered.get(turn_id)
        if answered is not None:
            answered.set()

    async def stop(self, turn_id: int) -> None:
        """Send no counter any more. One whose request is on its way is finished by the messenger, in its order."""
        self._answered.pop(turn_id, None)
        task = self._tasks.get(turn_id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        """Stop all counters."""
        for turn_id in list(self._tasks):
            await self.stop(turn_id)

    async def _count(
        self, round_id: int, turn: Turn, opened_at: datetime, closes_at: datetime, redraw: Redraw
    ) -> None:
        answered = self._answered[turn.id]
        half = opened_at + (closes_at - opened_at) / 2
        drawn_at = opened_at
        while self._clock.now() < closes_at:
            await self._until_answered(answered, half if drawn_at < half else closes_at)
            await self._clock.sleep_until(drawn_at + PAUSE)
            drawn_at = self._clock.now()
            if drawn_at >= closes_at:
                return
            answered.clear()
            try:
                await redraw(round_id, turn.number, Urgency.COUNTER)
            except Exception as fault:
                _log.info("counter of turn %d was not drawn: %r", turn.id, fault)

    async def _until_answered(self, answered: asyncio.Event, at: datetime) -> None:
        sleeping = asyncio.create_task(self._clock.sleep_until(at), name="counter sleeps")
        waiting = asyncio.create_task(answered.wait(), name="counter listens")
        try:
            await asyncio.wait({sleeping, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waiting.cancel()
