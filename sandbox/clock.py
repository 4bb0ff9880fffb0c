"""The sandbox's time: snowflakes, the 3 seconds, the 15 minutes, nonces and every timestamp come from here.
It runs with the machine's clock until it is held; then time moves only when it is told to. Gateway
heartbeats do not ask it: they stay on real time, as the client's do.
"""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""The instant from which snowflakes count milliseconds."""

MILLISECOND = timedelta(milliseconds=1)

END = EPOCH + 2**42 * MILLISECOND
"""The instant from which snowflakes have no bits left."""


def snowflake_time(snowflake: int) -> datetime:
    """Read the instant a snowflake was made at."""
    return EPOCH + (snowflake >> 22) * MILLISECOND


@dataclass(order=True, slots=True)
class Timer:
    """One call that is planned at an instant."""

    due_at: datetime
    order: int
    call: Callable[[], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Make the call never happen."""
        self.cancelled = True


class Clock:
    """A clock that runs with the machine's, or stands still until it is moved."""

    def __init__(self, held_at: datetime | None = None) -> None:
        self._held_at = held_at
        self._offset = timedelta()
        self._timers: list[Timer] = []
        self._order = itertools.count()
        self._wake: asyncio.TimerHandle | None = None
        self._last_id = 0

    @property
    def held(self) -> bool:
        """Say whether time stands still."""
        return self._held_at is not None

    def now(self) -> datetime:
        """Tell the time, in UTC."""
        return self._held_at if self._held_at is not None else datetime.now(UTC) + self._offset

    def hold(self) -> None:
        """Stop time where it is."""
        self._held_at = self.now()
        self._plan()

    def release(self) -> None:
        """Let time run on from where it stands."""
        if self._held_at is not None:
            self._offset = self._held_at - datetime.now(UTC)
            self._held_at = None
            self._plan()

    def advance(self, by: timedelta) -> None:
        """Move time forward, firing what falls due on the way in order; raises ValueError for a negative span."""
        self.set(self.now() + by)

    def set(self, to: datetime) -> None:
        """Move time to an instant, firing what falls due on the way in order.

        Raises ValueError when an id of a later instant is already out, since ids must go on rising, and beyond END.
        """
        if to >= END:
            raise ValueError(f"ids can tell the time only before {END.isoformat()}")
        if self._last_id and to < snowflake_time(self._last_id):
            raise ValueError(
                f"ids up to {snowflake_time(self._last_id).isoformat()} are out; time cannot go back"
            )
        while self._timers and self._timers[0].due_at <= to:
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._put(max(timer.due_at, min(self.now(), to)))
                timer.call()
        self._put(to)
        self._plan()

    def next_due(self) -> datetime | None:
        """Tell the next instant something is planned for."""
        return min((timer.due_at for timer in self._timers if not timer.cancelled), default=None)

    def snowflake(self) -> int:
        """Make the next id: it holds the time, and is higher than every id before it."""
        wanted = ((self.now() - EPOCH) // MILLISECOND) << 22
        self._last_id = wanted if wanted > self._last_id else self._last_id + 1
        return self._last_id

    def never_below(self, snowflake: int) -> None:
        """Make all further ids higher than this one."""
        self._last_id = max(self._last_id, snowflake)

    def call_at(self, instant: datetime, call: Callable[[], None]) -> Timer:
        """Plan a call; on a running clock this needs the event loop."""
        timer = Timer(instant, next(self._order), call)
        heapq.heappush(self._timers, timer)
        self._plan()
        return timer

    async def sleep_until(self, instant: datetime) -> None:
        """Wait until the clock shows this instant."""
        if self.now() >= instant:
            return
        reached = asyncio.Event()
        timer = self.call_at(instant, reached.set)
        try:
            await reached.wait()
        finally:
            timer.cancel()

    def _put(self, instant: datetime) -> None:
        if self._held_at is not None:
            self._held_at = instant
        else:
            self._offset = instant - datetime.now(UTC)

    def _plan(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        while self._timers and self._timers[0].cancelled:
            heapq.heappop(self._timers)
        if self._timers and not self.held:
            delay = (self._timers[0].due_at - self.now()).total_seconds()
            self._wake = asyncio.get_running_loop().call_later(max(0.0, delay), self._ring)

    def _ring(self) -> None:
        self._wake = None
        while self._timers and self._timers[0].due_at <= self.now():
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                timer.call()
        self._plan()
