"""The scheduler: what is due is handed over once, in order, in time, and whatever fails."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.scheduler import AT_ONCE, BUSY_SLEEP, LONGEST_SLEEP, RETRY, Scheduler
from tests.support.held_clock import HeldClock

BEGIN = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TURNS = 20
"""More turns of the loop than anything here needs between two waits."""


class Fault(Exception):
    """What a test lets fail."""


class Plan:
    """Work with its due instants in a dict; acts end at once, or when a test says so."""

    def __init__(self, clock: HeldClock) -> None:
        self.clock = clock
        self.at: dict[int, datetime] = {}
        self.acted: list[tuple[int, datetime]] = []
        self.at_work: set[int] = set()
        self.held: dict[int, asyncio.Event] = {}
        self.faulty: set[int] = set()
        self.look_fails = False

    async def due(self, now: datetime) -> list[int]:
        if self.look_fails:
            raise Fault
        return sorted((one for one, at in self.at.items() if at <= now), key=lambda one: self.at[one])

    async def next_due(self, after: datetime) -> datetime | None:
        return min((at for at in self.at.values() if at > after), default=None)

    async def act(self, number: int) -> None:
        assert number not in self.at_work, "two tasks act for one"
        self.acted.append((number, self.clock.now()))
        self.at_work.add(number)
        try:
            if number in self.held:
                await self.held[number].wait()
            if number in self.faulty:
                raise Fault
            self.at.pop(number, None)
        finally:
            self.at_work.discard(number)

    def hold(self, *numbers: int) -> None:
        self.held |= {number: asyncio.Event() for number in numbers}

    def let_go(self, number: int) -> None:
        self.held.pop(number).set()

    def times(self, number: int) -> list[timedelta]:
        """Return when something acted, counted from the beginning."""
        return [at - BEGIN for one, at in self.acted if one == number]


class Stage:
    """A scheduler that runs, with time that tests move."""

    def __init__(self) -> None:
        self.clock = HeldClock(BEGIN)
        self.plan = Plan(self.clock)
        self.looks: list[timedelta] = []
        self.tick_fails = False
        self.scheduler = Scheduler(self.clock, self.plan, self._tick)

    async def _tick(self) -> None:
        self.looks.append(self.clock.now() - BEGIN)
        if self.tick_fails:
            raise Fault

    def put(self, *numbers: int, at: datetime = BEGIN) -> None:
        """Make something due, and say so."""
        self.plan.at |= dict.fromkeys(numbers, at)
        self.scheduler.wake()

    async def settle(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def advance(self, by: timedelta) -> None:
        until = self.clock.now() + by
        await self.settle()
        while (upcoming := self.clock.next()) is not None and upcoming <= until:
            self.clock.set(upcoming)
            await self.settle()
        self.clock.set(until)
        await self.settle()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    stage = Stage()
    running = asyncio.create_task(stage.scheduler.run())
    yield stage
    running.cancel()
    for held in stage.plan.held.values():
        held.set()
    await asyncio.wait([running])
    await stage.scheduler.close()


async def test_what_is_due_acts_at_its_instant_and_the_longest_due_first(stage: Stage) -> None:
    stage.put(1, at=BEGIN + 7 * SECOND)
    stage.put(2, at=BEGIN - SECOND)
    stage.put(3, at=BEGIN - 2 * SECOND)
    await stage.advance(6 * SECOND)
    assert [number for number, _ in stage.plan.acted] == [3, 2]
    await stage.advance(10 * SECOND)
    assert stage.plan.times(1) == [7 * SECOND]


async def test_woken_it_looks_at_once_for_what_came_up_since(stage: Stage) -> None:
    await stage.advance(SECOND)
    stage.put(1, at=BEGIN + 2 * SECOND)
    await stage.advance(SECOND)
    assert stage.plan.times(1) == [2 * SECOND]


async def test_idle_it_looks_now_and_then_and_more_often_while_anything_is_planned(stage: Stage) -> None:
    await stage.advance(2 * LONGEST_SLEEP)
    assert stage.looks == [0 * SECOND, LONGEST_SLEEP, 2 * LONGEST_SLEEP]
    stage.looks.clear()
    stage.put(1, at=BEGIN + timedelta(days=1))
    await stage.advance(3 * BUSY_SLEEP)
    gaps = [later - earlier for earlier, later in zip(stage.looks, stage.looks[1:], strict=False)]
    assert gaps == [BUSY_SLEEP] * 3


async def test_one_task_acts_for_a_round_however_often_it_is_due(stage: Stage) -> None:
    stage.plan.hold(1)
    stage.put(1)
    await stage.settle()
    joined = asyncio.create_task(stage.scheduler.act_now(1))
    stage.scheduler.wake()
    await stage.advance(20 * SECOND)
    assert stage.plan.times(1) == [0 * SECOND]
    assert stage.scheduler.acting == 1
    stage.plan.let_go(1)
    await stage.settle()
    assert joined.done()
    assert stage.scheduler.acting == 0


async def test_who_waits_for_an_act_may_be_cancelled_but_not_the_act(stage: Stage) -> None:
    stage.plan.hold(1)
    waiting = asyncio.create_task(stage.scheduler.act_now(1))
    await stage.settle()
    waiting.cancel()
    await stage.settle()
    assert waiting.cancelled()
    assert stage.plan.at_work == {1}
    stage.plan.let_go(1)
    await stage.settle()
    assert stage.scheduler.acting == 0


async def test_only_so_many_act_at_once_and_the_end_of_one_lets_the_next_in(stage: Stage) -> None:
    everybody = range(AT_ONCE + 3)
    stage.plan.hold(*everybody)
    for number in everybody:
        stage.put(number, at=BEGIN - (AT_ONCE + 3 - number) * SECOND)
    await stage.settle()
    assert stage.plan.at_work == set(range(AT_ONCE))
    stage.plan.let_go(5)
    await stage.settle()
    assert AT_ONCE in stage.plan.at_work
    assert len(stage.plan.at_work) == AT_ONCE


async def test_a_fault_in_one_delays_no_other_and_is_tried_again_later(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.plan.faulty = {1}
    stage.put(1, 2)
    stage.put(3, at=BEGIN + 2 * SECOND)
    await stage.advance(3 * SECOND)
    stage.scheduler.wake()
    await stage.settle()
    assert stage.plan.times(1) == [0 * SECOND]
    assert stage.plan.times(2) == [0 * SECOND]
    assert stage.plan.times(3) == [2 * SECOND]
    stage.plan.faulty.clear()
    await stage.advance(RETRY)
    assert stage.plan.times(1) == [0 * SECOND, RETRY]
    assert stage.plan.at == {}
    assert "round 1 failed to act" in caplog.text


def _fail_to_read(stage: Stage, fails: bool) -> None:
    stage.plan.look_fails = fails


def _fail_to_tick(stage: Stage, fails: bool) -> None:
    stage.tick_fails = fails


@pytest.mark.parametrize("fail", [_fail_to_read, _fail_to_tick])
async def test_a_look_that_fails_is_survived(stage: Stage, fail: Callable[[Stage, bool], None]) -> None:
    fail(stage, True)
    stage.put(1)
    await stage.settle()
    assert stage.plan.acted == []
    fail(stage, False)
    await stage.advance(RETRY)
    assert stage.plan.times(1) == [RETRY]


async def test_what_is_done_on_the_side_may_fail_and_is_told_in_the_log(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[int] = []

    async def fail() -> None:
        raise Fault

    async def succeed() -> None:
        done.append(1)

    stage.scheduler.spawn(fail(), "the first")
    stage.scheduler.spawn(succeed(), "the second")
    await stage.settle()
    assert done == [1]
    assert "the first failed" in caplog.text
    assert stage.scheduler.acting == 0


async def test_closing_lets_what_acts_come_to_its_end(stage: Stage) -> None:
    stage.plan.hold(1)
    stage.put(1)
    await stage.settle()
    closing = asyncio.create_task(stage.scheduler.close())
    await stage.settle()
    assert not closing.done()
    stage.plan.let_go(1)
    await closing
    assert stage.plan.at == {}
