"""The recorder and the store against a model that is one dictionary: many members, any order, and SIGKILL.

The round itself is played by the real services; the model holds, for each turn and member, the press that counts.
"""

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.core.cards import Outcome
from bot.core.refusals import TooLate
from bot.core.round import LATE_LIMIT, Turn, TurnState
from bot.services.recorder import Pressed
from bot.store import rounds
from tests.support.fake_messenger import FakeMessenger, Message
from tests.support.held_clock import HeldClock
from tests.support.house import BEGIN, House, make_quiz, make_version, open_house, pressed

KEYS = (0, 1, 2)
"""The right option of each question."""


@dataclass(frozen=True)
class Drawn:
    """A press as it is drawn: who, which of the questions asked so far, which place, how long ago it was made."""

    member: int
    question: int
    place: int
    ago_ms: int


DRAWN = st.builds(
    Drawn, st.integers(1, 12), st.integers(0, 2), st.integers(0, 3), st.integers(0, 30_000) | st.just(0)
)


@dataclass(frozen=True)
class Counted:
    """The press that counts for a member in a turn."""

    answer: str
    interaction: int


class RecorderMachine(RuleBasedStateMachine):
    """Presses in batches, between everything that the round does by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: dict[tuple[int, int], Counted] = {}
        """By turn's number and member."""
        self.delivered: list[Pressed] = []

    def teardown(self) -> None:
        if hasattr(self, "house"):
            self.run(self.house.close())
            self.runner.close()
            self.folder.cleanup()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.clock = HeldClock(BEGIN)
        self.messenger = FakeMessenger(self.clock)
        self.run(self._begin())

    async def _begin(self) -> None:
        quiz = make_quiz("light", *(make_version(f"Question {key}", key=(key,)) for key in KEYS))
        await self._open(Path(self.folder.name) / "etut.db")
        await self.house.library.load([quiz])
        await self.house.begin()

    async def _open(self, path: Path) -> None:
        self.house: House = await open_house(path, self.clock, self.messenger)
        self.house.presence.arrive(0)

    async def turns(self) -> dict[int, Turn]:
        return {turn.number: turn for turn in await self.house.reading(lambda tx: rounds.read_turns(tx, 1))}

    def press(self, drawn: Drawn) -> Pressed:
        questions: list[Message] = self.messenger.questions()
        message = questions[drawn.question % len(questions)]
        return pressed(
            message, drawn.member, drawn.place, self.clock.now() - timedelta(milliseconds=drawn.ago_ms)
        )

    def judge(self, press: Pressed, turn: Turn) -> Outcome | type[TooLate]:
        """Say what becomes of a press, and let it count if it does."""
        assert turn.closes_at is not None
        now = self.clock.now()
        expired = turn.closed_at is not None and now - turn.closed_at > LATE_LIMIT
        if press.press.at > turn.closes_at or expired:
            return TooLate
        (place,) = press.press.shown
        new = Counted(str(turn.order[place]), press.press.interaction)
        old = self.counted.get((press.number, press.press.member))
        if old is None or old.interaction < new.interaction:
            self.counted[press.number, press.press.member] = new
        if old is None:
            return Outcome.SAVED
        if old.answer == new.answer:
            return Outcome.SAME
        return Outcome.CHANGED if old.interaction < new.interaction else Outcome.KEPT

    @rule(batch=st.lists(DRAWN, min_size=1, max_size=25), order=st.randoms(use_true_random=False))
    def presses(self, batch: list[Drawn], order: Any) -> None:
        """Presses that arrive together, in any order."""
        made = [self.press(drawn) for drawn in batch]
        order.shuffle(made)
        self.deliver(made)

    @precondition(lambda self: self.delivered)
    @rule(which=st.lists(st.integers(0, 10_000), min_size=1, max_size=5))
    def again(self, which: list[int]) -> None:
        """Presses that are delivered once more, as after a RESUME."""
        self.deliver([self.delivered[place % len(self.delivered)] for place in which])

    def deliver(self, made: list[Pressed]) -> None:
        turns = self.run(self.turns())
        in_order = sorted(range(len(made)), key=lambda place: made[place].press.interaction)
        expected = {place: self.judge(made[place], turns[made[place].number]) for place in in_order}
        received = self.run(self._respond(made))
        told = [one if isinstance(one, Exception) else one.decision.outcome for one in received]
        assert [type(one) if isinstance(one, TooLate) else one for one in told] == [
            expected[place] for place in range(len(made))
        ]
        self.delivered.extend(made)

    async def _respond(self, made: list[Pressed]) -> list[Any]:
        return await asyncio.gather(*map(self.house.recorder.respond, made), return_exceptions=True)

    @rule(seconds=st.sampled_from([0.5, 3.0, 9.0, 21.5, 600.0]))
    def time_passes(self, seconds: float) -> None:
        """The round does what is due."""
        self.clock.set(self.clock.now() + timedelta(seconds=seconds))
        self.run(self.house.play.act(1))

    @rule(batch=st.lists(DRAWN, max_size=10), steps=st.integers(0, 60))
    def killed(self, batch: list[Drawn], steps: int) -> None:
        """The process dies while presses are being recorded; who heard that theirs is saved finds it saved."""
        self.run(self._killed([self.press(drawn) for drawn in batch], steps))

    async def _killed(self, made: list[Pressed], steps: int) -> None:
        turns = await self.turns()
        waiting = [asyncio.create_task(self.house.recorder.respond(press)) for press in made]
        for _ in range(steps):
            await asyncio.sleep(0)
        heard = {place for place, task in enumerate(waiting) if task.done() and not task.exception()}
        for task in waiting:
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        await self._open(await self.house.crash())
        before = dict(self.counted)
        for place in sorted(range(len(made)), key=lambda place: made[place].press.interaction):
            self.judge(made[place], turns[made[place].number])
        stored = await self.stored()
        assert stored in (before, self.counted)  # the batch as a whole, or nothing of it
        assert stored == self.counted or not heard
        self.counted = stored

    async def stored(self) -> dict[tuple[int, int], Counted]:
        rows = await self.house.rows(
            "SELECT number, member, answer, interaction_id FROM responses JOIN turns ON turns.id = turn_id"
        )
        return {(row["number"], row["member"]): Counted(row["answer"], row["interaction_id"]) for row in rows}

    @invariant()
    def what_counts_is_stored(self) -> None:
        if hasattr(self, "house"):
            assert self.run(self.stored()) == self.counted

    @invariant()
    def what_is_revealed_is_settled_and_nothing_else(self) -> None:
        if not hasattr(self, "house"):
            return
        turns = self.run(self.turns())
        rows = self.run(
            self.house.rows(
                "SELECT number, answer, points, settled_at FROM responses JOIN turns ON turns.id = turn_id"
            )
        )
        for row in rows:
            revealed = turns[row["number"]].state is TurnState.REVEALED
            assert (row["settled_at"] is not None) is revealed
            worth = 1000 if int(row["answer"]) == KEYS[row["number"] - 1] else 0
            assert row["points"] == (worth if revealed else None)


RecorderMachine.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRecorder = RecorderMachine.TestCase
