"""The ground a house stands on: its file, its clock and its messenger, which outlive the process and its successors.

Here a process dies where a test wants it, between two commits or in the middle of a request, and another is started
on the same file; and members press what lies on the table.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sqlalchemy import event
from sqlalchemy.util import await_only

from bot.core.cards import LateCard, QuestionCard, Receipt
from bot.core.quiz import Kind, Quiz
from bot.services.rounds import Started
from bot.store.database import open_database
from tests.support.fake_messenger import FakeMessenger, Message
from tests.support.faults import Faults, for_ever
from tests.support.held_clock import HeldClock
from tests.support.house import (
    BEGIN,
    CHANNEL,
    GUILD,
    HOST,
    House,
    make_quiz,
    make_version,
    open_house,
    pressed,
)

_T = TypeVar("_T")

ELSEWHERE = CHANNEL + 1
MAYA, ADA, KEREM = 101, 102, 103
KEYS = {1: frozenset({1}), 2: frozenset({0, 2}), 3: frozenset({1})}
"""The right options of the quiz, as written, by turn."""
QUIZ = make_quiz(
    "light",
    make_version("Which colour?", key=[*KEYS[1]]),
    make_version("Which waves?", key=[*KEYS[2]], kind=Kind.MULTIPLE),
    make_version("Is it fast?", key=[*KEYS[3]], kind=Kind.TRUE_FALSE, options=2),
)
QUIET_LOOKS = 30
LOOKS = 200_000
MOVES = 5_000


class Killed(Exception):
    """The process died before it could answer."""


class Ground:
    """A file, a clock and a messenger, with the process that works with them now."""

    def __init__(self, folder: Path, *quizzes: Quiz) -> None:
        self.path = folder / "etut.db"
        self.clock = HeldClock(BEGIN)
        self.messenger = FakeMessenger(self.clock)
        self.faults = Faults(self.messenger)
        self.commits = 0
        """How many transactions were committed, by all processes."""
        self.die_at_commits: set[int] = set()
        """The process dies before it makes one of these commits."""
        self._quizzes = quizzes or (QUIZ,)
        self._house: House | None = None
        self._stuck = False

    @property
    def house(self) -> House:
        assert self._house is not None, "no process is running"
        return self._house

    async def open(self) -> None:
        """Start a process; its shard connects, and everything begins."""
        self.faults.died = self._stuck = False
        if not self.path.exists():
            self.path.write_bytes(await _migrated())
        self._house = await open_house(self.path, self.clock, self.messenger)
        event.listen(self.house.database._writer.sync_engine, "commit", self._committing)
        await self._guarded(self.house.start(*self._quizzes))
        await self.settle()

    def _committing(self, _: Any) -> None:
        self.commits += 1
        if self.faults.died or self.commits in self.die_at_commits:
            self.faults.died = self._stuck = True
            await_only(for_ever())

    async def kill(self) -> None:
        """End the process as SIGKILL does, with everything it was doing."""
        self.faults.died = True  # nothing is committed or sent from now on
        for _ in range(LOOKS):
            # To cancel a statement half-way would only trouble the driver, and changes nothing of what is on disk.
            reading = self.house.database._reader.sync_engine.pool.checkedout()
            if not reading and (self._stuck or not self.house.busy()):
                break
            await asyncio.sleep(0.001)
        house, self._house = self.house, None
        await house.kill()

    async def restart(self, away: timedelta = timedelta(0)) -> None:
        """Kill the process, let time pass, and start another, until one survives its start."""
        for _ in range(5):
            await self.kill()
            self.clock.set(self.clock.now() + away)
            await self.open()
            if not self.faults.died:
                return
        raise AssertionError("no process survives its start")

    # Time.

    async def settle(self) -> None:
        """Return when everything waits for time, or the process has died."""
        quiet = 0
        for _ in range(LOOKS):
            busy = not self.faults.died and self.house.busy()
            # A database works in threads of its own: to look without a pause would only keep them from it.
            await asyncio.sleep(0.001 if busy else 0)
            quiet = 0 if busy else quiet + 1
            if quiet == QUIET_LOOKS:
                return
        raise AssertionError("something is always under way")

    async def _guarded(self, work: Coroutine[Any, Any, _T]) -> _T | None:
        """Wait for work of the process as long as it lives."""
        task = asyncio.create_task(work)
        for _ in range(LOOKS):
            if task.done():
                return task.result()
            if self.faults.died:
                return None
            await asyncio.sleep(0.001)
        raise AssertionError("this does not come to its end")

    async def move(self, until: datetime) -> bool:
        """Move to the next instant somebody waits for, but not beyond `until`; False when that is reached."""
        upcoming = self.clock.next()
        self.clock.set(until if upcoming is None else min(upcoming, until))
        await self.settle()
        return self.clock.now() < until and not self.faults.died

    async def advance(self, seconds: float) -> None:
        """Let time pass, from one wait to the next, as long as the process lives."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await self.settle()
        for _ in range(MOVES):
            if not await self.move(until):
                return
        raise AssertionError("time does not come to its end")

    async def until(self, done: Callable[[], bool], within: timedelta = timedelta(hours=1)) -> None:
        """Let time pass until something holds, or the process has died."""
        limit = self.clock.now() + within
        await self.settle()
        for _ in range(MOVES):
            if done() or self.faults.died:
                return
            going_on = await self.move(limit)
            assert going_on or done() or self.faults.died, f"not so within {within}"
        raise AssertionError("time does not come to its end")

    async def jump(self, by: timedelta) -> None:
        """Let time pass at once, as for a computer that slept."""
        self.clock.set(self.clock.now() + by)
        await self.settle()

    # People.

    async def during(self, work: Awaitable[_T]) -> _T:
        """Return what work gives, moving time while it waits.

        Raises:
            Killed: the process has died meanwhile.
        """
        task = asyncio.ensure_future(work)
        await self.until(task.done)
        if not task.done():
            raise Killed
        return task.result()

    async def begin(
        self, channel: int = CHANNEL, questions: int | None = None, ref: str = QUIZ.ref
    ) -> Started:
        """Start a round."""
        return await self.during(self.house.begin(ref, channel, questions))

    async def stop(self, channel: int = CHANNEL) -> None:
        """Stop the round of a channel now."""
        await self.during(self.house.stop(HOST, channel))
        await self.settle()

    def on_table(self, channel: int = CHANNEL) -> Message | None:
        """Find the newest message that shows an open question."""
        standing = reversed(self.messenger.standing(channel))
        return next((one for one in standing if isinstance(one.card, QuestionCard)), None)

    async def answer(
        self, member: int, answer: frozenset[int], channel: int = CHANNEL, at: datetime | None = None
    ) -> Receipt | LateCard:
        """Press the options, as written, on what lies on the table of a channel; return the reply."""
        message = self.on_table(channel)
        assert message is not None
        return await self.answer_on(message, member, answer, at)

    async def answer_on(
        self, message: Message, member: int, answer: frozenset[int], at: datetime | None = None
    ) -> Receipt | LateCard:
        """Press the options, as written, on a message that was posted as a question; return the reply."""
        assert isinstance(message.first, QuestionCard)
        places = frozenset(message.first.shown.places_shown(answer))
        press = pressed(message, member, places, at or self.clock.now())
        return await self.during(self.house.rounds.respond(GUILD, press))


_files: list[bytes] = []


async def _migrated() -> bytes:
    """Return an empty database with its tables; it is made once, since every test begins with it."""
    if not _files:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "etut.db"
            await (await open_database(f"sqlite:///{path}")).close()
            _files.append(path.read_bytes())
    return _files[0]
