"""The scheduler: it wakes when something is due, hands each thing to one task, and no fault stops it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from bot.scheduler import AT_ONCE, LONGEST_SLEEP, RETRY, Scheduler
from tests.support.held_clock import HeldClock

BEGIN = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
LOOKS = 50


class Diary:
    """Work that is due by a table, as the store has it; an act takes its entry out and notes when it began."""

    def __init__(self, clock: HeldClock) -> None:
        self.clock = clock
        self.entries: dict[int, datetime] = {}
        self.acted: list[tuple[int, float]] = []
        self.together = 0
        self.most_together = 0
        self.hold: dict[int, asyncio.Event] = {}
        self.faults: dict[int, int] = {}
        self.blind = 0

    def enter(self, number: int, seconds: float) -> None:
        self.entries[number] = BEGIN + timedelta(seconds=seconds)

    async def due(self, now: datetime) -> list[int]:
        if self.blind:
            self.blind -= 1
            raise OSError("the store cannot be read")
        return sorted((one for one, at in self.entries.items() if at <= now), key=self.entries.__getitem__)

    async def next_due(self, after: datetime) -> datetime | None:
        return min((at for at in self.entries.values() if at > after), default=None)

    async def act(self, number: int) -> None:
        self.acted.append((number, (self.clock.now() - BEGIN).total_seconds()))
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        try:
            if number in self.hold:
                await self.hold[number].wait()
            if self.faults.get(number, 0):
                self.faults[number] -= 1
                raise RuntimeError("a fault of the act")
            self.entries.pop(number, None)
        finally:
            self.together -= 1


class Desk:
    """A scheduler at work on a diary, with time that tests move."""

    def __init__(self) -> None:
        self.clock = HeldClock(BEGIN)
        self.diary = Diary(self.clock)
        self.looks: list[float] = []
        self.scheduler = Scheduler(self.clock, self.diary, self._tick)
        self._running: asyncio.Task[None] | None = None

    async def _tick(self) -> None:
        self.looks.append((self.clock.now() - BEGIN).total_seconds())

    def start(self) -> None:
        self._running = asyncio.create_task(self.scheduler.run())

    async def settle(self) -> None:
        for _ in range(LOOKS):
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Let time pass, from one wait to the next."""
        target = self.clock.now() + timedelta(seconds=seconds)
        await self.settle()
        while (upcoming := self.clock.next()) is not None and upcoming <= target:
            self.clock.set(upcoming)
            await self.settle()
        self.clock.set(target)

    async def close(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])
        closing = asyncio.create_task(self.scheduler.close())
        await self.settle()
        for event in self.diary.hold.values():
            event.set()
        await closing


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.close()


async def test_what_is_due_is_done_at_its_instant(desk: Desk) -> None:
    for number, seconds in ((1, 0.0), (2, 7.25), (3, 100.0)):
        desk.diary.enter(number, seconds)
    desk.start()
    await desk.advance(200)
    assert desk.diary.acted == [(1, 0.0), (2, 7.25), (3, 100.0)]


async def test_what_fell_due_while_nobody_looked_is_done_at_once_longest_due_first(desk: Desk) -> None:
    for number, seconds in ((1, -5.0), (2, -500.0), (3, -50.0)):
        desk.diary.enter(number, seconds)
    desk.start()
    await desk.settle()
    assert [number for number, _ in desk.diary.acted] == [2, 3, 1]


async def test_it_wakes_for_what_is_told_to_be_due_earlier(desk: Desk) -> None:
    desk.start()
    await desk.advance(3)
    desk.diary.enter(1, 3)
    desk.scheduler.wake()
    desk.diary.enter(2, 4.5)
    await desk.advance(10)
    assert desk.diary.acted == [(1, 3.0), (2, 4.5)]


async def test_told_while_it_looks_it_looks_again(desk: Desk) -> None:
    """What is entered just after the diary was read must not wait for the next look."""
    read = desk.diary.next_due

    async def late_entry(after: datetime) -> datetime | None:
        upcoming = await read(after)
        if not desk.diary.acted:
            desk.diary.enter(1, 0)
            desk.scheduler.wake()
        return upcoming

    desk.diary.next_due = late_entry
    desk.start()
    await desk.settle()
    assert desk.diary.acted == [(1, 0.0)]


async def test_it_looks_at_least_every_half_minute(desk: Desk) -> None:
    desk.start()
    await desk.advance(300)
    gaps = [later - earlier for earlier, later in pairwise(desk.looks)]
    assert max(gaps) <= LONGEST_SLEEP.total_seconds()
    assert desk.diary.acted == []


async def test_one_thing_is_done_by_one_task_at_a_time(desk: Desk) -> None:
    desk.diary.hold[1] = asyncio.Event()
    desk.diary.enter(1, 0)
    desk.start()
    await desk.advance(60)
    waiting = [asyncio.create_task(desk.scheduler.act_now(1)) for _ in range(3)]
    desk.scheduler.wake()
    await desk.advance(60)
    assert desk.diary.acted == [(1, 0.0)]
    assert not any(task.done() for task in waiting)
    desk.diary.hold[1].set()
    await asyncio.gather(*waiting)
    assert desk.diary.acted == [(1, 0.0)]


async def test_who_waits_for_an_act_may_be_cancelled_the_act_is_not(desk: Desk) -> None:
    desk.diary.hold[1] = asyncio.Event()
    waiting = asyncio.create_task(desk.scheduler.act_now(1))
    await desk.settle()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert desk.scheduler.acting == 1
    desk.diary.hold[1].set()
    await desk.settle()
    assert desk.scheduler.acting == 0


async def test_tasks_are_bounded_and_all_get_their_turn(desk: Desk) -> None:
    everything = range(AT_ONCE + 44)
    for number in everything:
        desk.diary.enter(number, -1)
        desk.diary.hold[number] = asyncio.Event()
    desk.start()
    await desk.settle()
    assert desk.scheduler.acting == AT_ONCE
    for event in desk.diary.hold.values():
        event.set()
    await desk.settle()
    await desk.settle()
    assert sorted(number for number, _ in desk.diary.acted) == list(everything)
    assert desk.diary.most_together == AT_ONCE


async def test_a_fault_delays_nobody_else_and_is_tried_again(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.diary.faults[1] = 2
    for number, seconds in ((1, 0.0), (2, 0.0), (3, 2.0)):
        desk.diary.enter(number, seconds)
    desk.start()
    await desk.advance(60)
    again = RETRY.total_seconds()
    assert [one for one in desk.diary.acted if one[0] != 1] == [(2, 0.0), (3, 2.0)]
    assert [at for number, at in desk.diary.acted if number == 1] == [0.0, again, 2 * again]
    assert caplog.text.count("round 1 failed to act") == 2
    assert desk.diary.entries == {}


async def test_one_that_hangs_delays_nobody_else(desk: Desk) -> None:
    desk.diary.hold[1] = asyncio.Event()
    for number, seconds in ((1, 0.0), (2, 1.0), (3, 90.0)):
        desk.diary.enter(number, seconds)
    desk.start()
    await desk.advance(120)
    assert desk.diary.acted == [(1, 0.0), (2, 1.0), (3, 90.0)]


async def test_a_store_that_cannot_be_read_for_a_while_is_survived(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.diary.blind = 3
    desk.diary.enter(1, 0)
    desk.start()
    await desk.advance(60)
    assert desk.diary.acted == [(1, 3 * RETRY.total_seconds())]
    assert "could not look" in caplog.text


async def test_a_fault_in_what_is_done_on_the_side_is_logged(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise RuntimeError("a fault on the side")

    desk.scheduler.spawn(fail(), "something")
    assert desk.scheduler.acting == 1
    await desk.settle()
    assert desk.scheduler.acting == 0
    assert "something failed" in caplog.text


async def test_closing_lets_an_act_come_to_its_next_wait(desk: Desk) -> None:
    desk.diary.hold[1] = asyncio.Event()
    acting = asyncio.create_task(desk.scheduler.act_now(1))
    await desk.settle()
    closing = asyncio.create_task(desk.scheduler.close())
    await desk.settle()
    desk.diary.hold[1].set()
    await closing
    await acting
    assert acting.done()
    assert not acting.cancelled()
