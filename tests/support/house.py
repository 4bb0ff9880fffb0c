"""The services on a real database, wired as the app wires them: with a held clock and a messenger made of lists.

A house may be killed as a process is: nothing is drained, what is not committed is lost. Another one is then opened on
what the file held at that moment. Time moves only when nothing is under way.
"""

import asyncio
import itertools
import shutil
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.core.cards import LateCard, QuestionCard, Receipt
from bot.core.quiz import Kind, Option, Question, Quiz, Version
from bot.core.round import Press
from bot.scheduler import Scheduler
from bot.services.counters import Counters
from bot.services.display import Display
from bot.services.library import Library
from bot.services.notes import Notes
from bot.services.play import Play
from bot.services.postbox import Postbox
from bot.services.presence import Presence
from bot.services.recorder import Pressed, Recorder
from bot.services.results import Results
from bot.services.rounds import Rounds, Started
from bot.store.database import Database, Tx, open_database
from tests.support.fake_messenger import FakeMessenger, Message, snowflake
from tests.support.held_clock import HeldClock

BEGIN = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
GUILD, CHANNEL, HOST = 77, 700, 1
QUIET_LOOKS = 30
ENDINGS = 5
LOOKS = 200_000
"""A bound on how long anything may be under way."""
_lives = itertools.count(2)


def make_version(
    stem: str = "Why?", options: int = 4, key: Sequence[int] | None = (0,), **facts: Any
) -> Version:
    """Return a question whose options are numbered from 0."""
    return Version(
        kind=facts.pop("kind", Kind.SINGLE),
        stem={"en": stem, "tr": stem},
        options=tuple(
            Option({"en": f"Option {place}", "tr": f"Seçenek {place}"}, {}) for place in range(options)
        ),
        key=None if key is None else frozenset(key),
        explanation={"en": "Because.", "tr": "Çünkü."},
        source={},
        **facts,
    )


def make_quiz(ref: str = "light", *versions: Version, title: str | None = None, **facts: Any) -> Quiz:
    """Return a quiz of some versions; of two plain questions if none are given."""
    versions = versions or (make_version("First?"), make_version("Second?", key=(1,)))
    return Quiz(
        ref=ref,
        title={"en": title or ref.replace("-", " ").title()},
        description={"en": "About something."},
        language="en",
        tags=facts.get("tags", ()),
        questions=tuple(Question(f"q{place}", version) for place, version in enumerate(versions, start=1)),
    )


class House:
    """Everything that `bot.app` builds but the client. Open it with `open_house`."""

    def __init__(self, database: Database, clock: HeldClock, messenger: FakeMessenger) -> None:
        self.database = database
        self.clock = clock
        self.messenger = messenger
        self.recorder = Recorder(database, clock)
        self.notes = Notes(database, self.recorder)
        self.presence = Presence(self.notes, clock, lambda guild: 0)
        self.library = Library(database, self.recorder, clock)
        self.counters = Counters(clock)
        self.postbox = Postbox(database, self.recorder, messenger, clock)
        self.display = Display(database, self.postbox, messenger, self.library)
        self.play = Play(
            database,
            self.recorder,
            self.postbox,
            messenger,
            self.library,
            self.display,
            self.counters,
            self.presence,
            clock,
        )
        self.scheduler = Scheduler(clock, self.play, self.presence.beat)
        self.rounds = Rounds(
            database,
            self.recorder,
            self.library,
            self.scheduler,
            self.counters,
            self.presence,
            messenger,
            clock,
        )
        self.results = Results(database, self.library)
        self._outside = asyncio.all_tasks()
        self._recording = asyncio.create_task(self.recorder.run(), name="recorder")

    async def start(self, *quizzes: Quiz) -> None:
        """Do what the app does between its building and the first event."""
        if quizzes:
            await self.library.load(quizzes)
        await self.presence.start()
        asyncio.create_task(self.scheduler.run(), name="scheduler")  # noqa: RUF006 - ended with all others
        await self.rounds.came_back(0)

    # Time.

    def busy(self) -> bool:
        """Tell whether anything is read or written."""
        reading = self.database._reader.sync_engine.pool
        writing = self.database._writer.sync_engine.pool
        return bool(reading.checkedout() or writing.checkedout() or not self.recorder.idle)

    async def settle(self) -> None:
        """Return when everything waits for time or for a request that never ends."""
        quiet = 0
        for _ in range(LOOKS):
            # A database works in threads of its own: to look without a pause would only keep them from it.
            await asyncio.sleep(0.001 if self.busy() else 0)
            quiet = 0 if self.busy() else quiet + 1
            if quiet == QUIET_LOOKS:
                return
        raise AssertionError("something is always under way")

    async def advance(self, seconds: float) -> None:
        """Let time pass, from one wait to the next."""
        target = self.clock.now() + timedelta(seconds=seconds)
        await self.settle()
        while (upcoming := self.clock.next()) is not None and upcoming <= target:
            self.clock.set(upcoming)
            await self.settle()
        self.clock.set(target)
        await self.settle()

    async def until(self, met: Callable[[], bool], within: float = 3_600) -> None:
        """Let time pass until something holds."""
        target = self.clock.now() + timedelta(seconds=within)
        await self.settle()
        while not met():
            upcoming = self.clock.next()
            assert upcoming is not None, "nobody waits for anything"
            assert upcoming <= target, f"not within {within} s"
            self.clock.set(upcoming)
            await self.settle()

    # People.

    async def begin(
        self, ref: str = "light", channel: int = CHANNEL, questions: int | None = None
    ) -> Started:
        """Start a round."""
        found = await self.library.find(GUILD, ref)
        return await self.rounds.start(GUILD, channel, HOST, found, questions, "en")

    def press(
        self, message: Message, member: int, place: int, at: datetime | None = None, **facts: Any
    ) -> Pressed:
        """Return a press on a question's message, made now or at an instant; it has not arrived yet."""
        return pressed(message, member, place, at or self.clock.now(), **facts)

    async def answer(
        self, message: Message, member: int, place: int, at: datetime | None = None
    ) -> Receipt | LateCard:
        """Press and return the reply."""
        return await self.rounds.respond(GUILD, self.press(message, member, place, at))

    async def stop(self, member: int = HOST, channel: int = CHANNEL) -> None:
        """Stop the round of a channel now."""
        await self.rounds.stop(channel, member, quizmaster=False, at=self.clock.now())

    async def reading(self, read: Callable[[Tx], Awaitable[Any]]) -> Any:
        """Read from the store."""
        async with self.database.reading() as tx:
            return await read(tx)

    async def rows(self, statement: str) -> list[Any]:
        """Return rows by an SQL statement."""
        async with self.database.reading() as tx:
            return list((await tx.exec_driver_sql(statement)).mappings().all())

    # Its end.

    async def crash(self) -> Path:
        """Die in the midst of whatever is under way; return a file that holds what the disk held at that moment.

        A copy, since the driver's thread would otherwise finish what a dead process cannot.
        """
        source = self.database.path
        copy = source.with_name(f"life-{next(_lives)}.db")
        # The log first: what a checkpoint moves meanwhile is then in both, not in neither.
        for suffix in ("-wal", ""):
            if Path(f"{source}{suffix}").exists():
                shutil.copyfile(f"{source}{suffix}", f"{copy}{suffix}")
        await self.kill()
        return copy

    async def kill(self) -> None:
        """Die as by SIGKILL while nothing is written: nothing is finished, nothing is sent."""
        for task in self._tasks():
            task.cancel()
        # What was cut off in a transaction leaves tasks that give its connection back.
        for _ in range(ENDINGS):
            if mine := self._tasks():
                await asyncio.wait(mine)
        await self.database.close()

    def _tasks(self) -> set[asyncio.Task[Any]]:
        return asyncio.all_tasks() - self._outside - {asyncio.current_task()}

    async def close(self) -> None:
        """End as the app does when it is told to."""
        await self.counters.close()
        await self.recorder.close()
        await self._recording
        await self.kill()


async def open_house(path: Path, clock: HeldClock, messenger: FakeMessenger) -> House:
    """Open a house on a database file; it is made where it is missing."""
    return House(await open_database(f"sqlite:///{path}"), clock, messenger)


def pressed(
    message: Message, member: int, place: int | frozenset[int], at: datetime, interaction: int | None = None
) -> Pressed:
    """Return a press made at an instant on a place as shown, or on several at once."""
    shown = question_of(message).shown
    places = frozenset({place}) if isinstance(place, int) else place
    press = Press(member, interaction or snowflake(at), at, places)
    return Pressed(shown.token, shown.number, press, f"Member {member}", message.channel, message.id)


def place_of(message: Message, written: int) -> int:
    """Return the place at which the option written at a place is shown."""
    return question_of(message).shown.order.index(written)


def question_of(message: Message) -> QuestionCard:
    """Return the card with which a question's message was posted."""
    assert isinstance(message.first, QuestionCard)
    return message.first
