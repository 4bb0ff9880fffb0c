"""The scheduler: one guarded task that sleeps to the earliest due instant and hands over what is due.

It claims and hands over, nothing more: each round acts in its own supervised task, one at a time for a round and
bounded in number. What is due stands in the store, so nothing is lost with the process; a fault in one round never
delays another.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Protocol

from bot.ports import Clock

_log = logging.getLogger(__name__)

LONGEST_SLEEP = timedelta(seconds=30)
BUSY_SLEEP = timedelta(seconds=5)
"""While anything is planned we look more often, and leave a fresher trace of being alive."""
AT_ONCE = 256
"""How many rounds act at the same time; the others wait for one to end."""
RETRY = timedelta(seconds=5)


class Work(Protocol):
    """What is scheduled: things with a number that become due and act until they must wait again."""

    async def due(self, now: datetime) -> list[int]:
        """Return what is due, longest due first."""
        ...

    async def next_due(self, after: datetime) -> datetime | None:
        """Return the earliest later instant at which something becomes due."""
        ...

    async def act(self, number: int) -> None:
        """Do what is due until it must wait again, and store until when."""
        ...


class Scheduler:
    """Runs the work of rounds; `run` is its task."""

    def __init__(self, clock: Clock, work: Work, tick: Callable[[], Awaitable[None]]) -> None:
        self._clock = clock
        self._work = work
        self._tick = tick
        self._woken = asyncio.Event()
        self._acting: dict[int, asyncio.Task[None]] = {}
        self._aside: set[asyncio.Task[None]] = set()
        self._not_before: dict[int, datetime] = {}

    @property
    def acting(self) -> int:
        """Tell how many tasks are at work now."""
        return len(self._acting) + len(self._aside)

    def wake(self) -> None:
        """Look again: something may be due earlier than was known."""
        self._woken.set()

    async def act_now(self, number: int) -> None:
        """Let one act at once and return when it must wait again; who waits may be cancelled, the act is not."""
        await asyncio.shield(self._hand_over(number))

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Do something on the side that nobody waits for; a fault in it is logged."""
        task = asyncio.create_task(self._logged(work, name), name=name)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _logged(self, work: Coroutine[Any, Any, None], name: str) -> None:
        try:
            await work
        except Exception:
            _log.exception("%s failed", name)

    async def run(self) -> None:
        """Hand over what is due, for ever."""
        while True:
            self._woken.clear()
            try:
                until = await self._look()
            except Exception:
                _log.exception("the scheduler could not look; trying again")
                until = self._clock.now() + RETRY
            await self._sleep(until)

    async def close(self) -> None:
        """Let what acts now come to its next wait, at most two seconds; what is cut off is taken up on start."""
        tasks = [*self._acting.values(), *self._aside]
        if tasks:
            await asyncio.wait(tasks, timeout=2)
        for task in tasks:
            task.cancel()

    async def _look(self) -> datetime:
        await self._tick()
        now = self._clock.now()
        self._not_before = {number: at for number, at in self._not_before.items() if at > now}
        for number in await self._work.due(now):
            if len(self._acting) >= AT_ONCE:
                break  # the end of any task wakes us
            if number not in self._acting and number not in self._not_before:
                self._hand_over(number)
        upcoming = [at for at in (await self._work.next_due(now), *self._not_before.values()) if at]
        return min([now + (BUSY_SLEEP if upcoming or self._acting else LONGEST_SLEEP), *upcoming])

    def _hand_over(self, number: int) -> asyncio.Task[None]:
        task = self._acting.get(number)
        if task is None:
            task = asyncio.create_task(self._guarded(number), name=f"round {number}")
            self._acting[number] = task
        return task

    async def _guarded(self, number: int) -> None:
        try:
            await self._work.act(number)
        except Exception:
            _log.exception("round %d failed to act; trying again in %s", number, RETRY)
            self._not_before[number] = self._clock.now() + RETRY
        finally:
            del self._acting[number]
            self._woken.set()

    async def _sleep(self, until: datetime) -> None:
        sleeping = asyncio.create_task(self._clock.sleep_until(until), name="scheduler sleeps")
        woken = asyncio.create_task(self._woken.wait(), name="scheduler listens")
        try:
            await asyncio.wait({sleeping, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            woken.cancel()
