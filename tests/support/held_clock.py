"""A clock that stands still until it is told an instant: the tests own time, in this process or another."""

import asyncio
import heapq
import itertools
from datetime import datetime


class HeldClock:
    """The clock port; `set` moves it and wakes who waited until then."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._order = itertools.count()
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """Return the instant the tests say it is."""
        return self._now

    async def sleep_until(self, instant: datetime) -> None:
        """Return when the tests say it is that late."""
        if instant <= self._now:
            return
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (instant, next(self._order), future))
        await future

    def observe(self, made_at: datetime) -> None:
        """Learn nothing: this clock is told the time."""

    def next(self) -> datetime | None:
        """Return the earliest instant somebody waits for."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def set(self, now: datetime) -> None:
        """Move to an instant."""
        self._now = max(self._now, now)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            future = heapq.heappop(self._sleepers)[2]
            if not future.done():
                future.set_result(None)
