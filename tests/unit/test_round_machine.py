"""Whole rounds at random, checked against a model in whole milliseconds that shares no code with the core.

Presses of several members arrive in any order, twice and late, between everything that can happen to a round.
"""

import contextlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.core.cards import Outcome
from bot.core.refusals import NotOnTheTable, Refusal, TooLate
from bot.core.round import (
    Act,
    Press,
    Response,
    RoundState,
    Standpoint,
    Step,
    Turn,
    close,
    confirm,
    lose_channel,
    next_step,
    open_turn,
    respond,
    return_from_outage,
    reveal,
    stop,
)

START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
MEMBERS = (1, 2, 3)
OPTIONS = 4
STANDS_MS = 8_000

Presses = dict[int, frozenset[int]]
"""Answers by interaction id."""


def at(ms: int) -> datetime:
    return START + timedelta(milliseconds=ms)


def up_to_second(ms: int) -> int:
    return -(-ms // 1000) * 1000


@dataclass
class Expected:
    """What the model holds of one turn. `accepted` has every press that was made in time, by member."""

    seconds: int
    state: str = "pending"
    opened: int = 0
    deadline: int = 0
    closed: int | None = None
    graced: bool = False
    accepted: dict[int, dict[int, frozenset[int]]] = field(
        default_factory=dict[int, dict[int, frozenset[int]]]
    )

    def close(self, now: int) -> None:
        self.state, self.closed = "closed", now

    def refusal(self, made: int, now: int) -> type[Refusal] | None:
        if self.state in ("pending", "dropped", "void"):
            return NotOnTheTable
        late = self.closed is not None and now - self.closed > 15 * 60_000
        return TooLate if made > self.deadline or late else None


@dataclass(frozen=True)
class Sent:
    """A press as a member made it; it may arrive at any time after, or more than once."""

    turn: int
    press: Press
    made: int


class PlayedRound(RuleBasedStateMachine):
    """A round in the hands of members, a host, Discord and the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.turns: list[Turn] = []
        self.model: list[Expected] = []
        self.state = RoundState.PLAYING
        self.next_at: int | None = None
        self.confirmed: set[int] = set()
        self.result_posted = False
        self.sent: list[Sent] = []
        self.stored: dict[tuple[int, int], Response] = {}
        self.past_epochs: list[tuple[int, int]] = []
        self.asked: list[int] = []
        self.shown: list[int] = []
        self.cut_short = False

    @initialize(
        seconds=st.lists(st.sampled_from([20, 45]), min_size=1, max_size=4),
        order=st.permutations(range(OPTIONS)),
    )
    def begin(self, seconds: list[int], order: list[int]) -> None:
        for number, time in enumerate(seconds, start=1):
            self.turns.append(Turn(100 + number, number, 7, 70, tuple(order), time))
            self.model.append(Expected(time))

    # --- what happens

    @rule(ms=st.sampled_from([1, 400, 1_500, 5_000, 20_000, 46_000, 15 * 60_000]))
    def time_passes(self, ms: int) -> None:
        self.now += ms

    @rule(
        data=st.data(),
        member=st.sampled_from(MEMBERS),
        places=st.frozensets(st.integers(0, OPTIONS - 1), min_size=1, max_size=2),
        arrives=st.booleans(),
    )
    def a_member_presses(
        self, data: st.DataObject, member: int, places: frozenset[int], arrives: bool
    ) -> None:
        number = self.asked[-1] if self.asked and data.draw(st.booleans()) else self.any_turn(data)
        interaction = (self.now << 22) + len(self.sent)
        sent = Sent(number, Press(member, interaction, at(self.now), places), self.now)
        self.sent.append(sent)
        if arrives:
            self.arrive(sent)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def a_press_arrives_late_or_again(self, data: st.DataObject) -> None:
        self.arrive(data.draw(st.sampled_from(self.sent)))

    @rule(post_ms=st.sampled_from([200, 2_000, 2_001, 7_300]), reaches=st.booleans(), waits=st.booleans())
    def the_round_acts(self, post_ms: int, reaches: bool, waits: bool) -> None:
        step = self.act(post_ms, reaches)
        if step.until is not None and waits:
            self.now = (step.until - START) // timedelta(milliseconds=1)

    @rule(away_ms=st.sampled_from([50, 3_000, 12_000, 60_000, 20 * 60_000]))
    def the_bot_is_away(self, away_ms: int) -> None:
        gone, self.now = self.now, self.now + away_ms
        for expected in self.model:
            if (
                expected.state == "open"
                and not expected.graced
                and expected.deadline >= gone
                and expected.deadline - self.now < 10_000
            ):
                expected.deadline, expected.graced = up_to_second(self.now + 15_000), True
        for turn in tuple(self.turns):
            self.put(return_from_outage(turn, at(gone), at(self.now)))

    @rule(lag_ms=st.sampled_from([0, 300, 1_700]))
    def the_host_stops(self, lag_ms: int) -> None:
        pressed = max(0, self.now - lag_ms)
        for expected in self.model:
            if expected.state == "pending":
                expected.state = "dropped"
            elif expected.state == "open":
                expected.deadline = min(expected.deadline, pressed)
                expected.close(self.now)
        for turn in tuple(self.turns):
            self.put(stop(turn, at(pressed), at(self.now)))
        self.cut_short = True

    @precondition(lambda self: not self.result_posted)
    @rule()
    def the_channel_is_lost(self) -> None:
        for expected in self.model:
            lost = {"pending": "dropped", "open": "void", "closed": "void"}
            expected.state = lost.get(expected.state, expected.state)
        for turn in tuple(self.turns):
            self.put(lose_channel(turn))
        self.state, self.cut_short = RoundState.ENDED, True

    @precondition(lambda self: self.past_epochs)
    @rule(data=st.data())
    def a_stale_close_comes_due(self, data: st.DataObject) -> None:
        number, epoch = data.draw(st.sampled_from(self.past_epochs))
        turn = self.turns[number - 1]
        assert close(turn, epoch, at(self.now)) == turn

    @rule(data=st.data())
    def an_order_comes_at_the_wrong_moment(self, data: st.DataObject) -> None:
        turn = self.turns[self.any_turn(data) - 1]
        now = at(self.now)
        if turn.state != "pending":
            assert open_turn(turn, now) == turn
        if turn.state != "open":
            assert close(turn, turn.epoch, now) == turn
            assert confirm(turn, now) == turn
        if turn.state != "closed":
            assert reveal(turn, now) == turn

    # --- what must hold

    @invariant()
    def the_turns_stand_as_the_model_says(self) -> None:
        for turn, expected in zip(self.turns, self.model, strict=True):
            assert turn.state == expected.state
            if expected.state in ("open", "closed", "revealed"):
                assert turn.closes_at == at(expected.deadline)

    @invariant()
    def at_most_one_turn_is_on_the_table(self) -> None:
        assert sum(turn.state in ("open", "closed") for turn in self.turns) <= 1

    @invariant()
    def each_member_holds_the_highest_press_made_in_time(self) -> None:
        held = {
            (number, member): (max(presses), presses[max(presses)])
            for number, expected in enumerate(self.model, start=1)
            for member, presses in expected.accepted.items()
        }
        assert {who: (one.interaction, one.answer) for who, one in self.stored.items()} == held

    def teardown(self) -> None:
        """Whatever happened, a round left alone comes to rest, having asked its turns once and in order."""
        for _ in range(10 * len(self.turns) + 10):
            step = self.act(post_ms=200, reaches=True)
            if step.act is Act.REST:
                break
            if step.until is not None:
                self.now = (step.until - START) // timedelta(milliseconds=1)
        else:
            raise AssertionError("the round never comes to rest")
        numbers = list(range(1, len(self.turns) + 1))
        assert self.asked == numbers[: len(self.asked)]
        assert (
            self.shown == [turn.number for turn in self.turns if turn.state == "revealed"][: len(self.shown)]
        )
        assert self.cut_short or self.shown == numbers
        assert all(turn.state in ("revealed", "dropped", "void") for turn in self.turns)

    # --- how it is driven

    def any_turn(self, data: st.DataObject) -> int:
        return data.draw(st.integers(1, len(self.turns)))

    def put(self, turn: Turn) -> None:
        """Store a turn as a service would: a change always comes with a higher epoch."""
        before = self.turns[turn.number - 1]
        if turn != before:
            assert turn.epoch > before.epoch
            self.past_epochs.append((before.number, before.epoch))
            self.turns[turn.number - 1] = turn

    def arrive(self, sent: Sent) -> None:
        """Let a press be decided, and compare with what the model says of it."""
        turn, expected, press = self.turns[sent.turn - 1], self.model[sent.turn - 1], sent.press
        who = (sent.turn, press.member)
        earlier, answer = self.stored.get(who), frozenset(turn.order[place] for place in press.shown)
        refusal = expected.refusal(sent.made, self.now)
        decision = None
        with contextlib.suppress(*([refusal] if refusal else [])):
            decision = respond("token", turn, press, earlier, at(self.now))
        assert (decision is None) == (refusal is not None)
        if decision is None:
            return
        accepted = expected.accepted.setdefault(press.member, {})
        held = accepted[max(accepted)] if accepted else None
        newest = not accepted or press.interaction > max(accepted)
        accepted[press.interaction] = answer
        if held is None:
            outcome = Outcome.SAVED
        elif held == answer:
            outcome = Outcome.SAME
        else:
            outcome = Outcome.CHANGED if newest else Outcome.KEPT
        assert (decision.outcome, decision.write) == (outcome, newest)
        assert decision.before == (held if outcome is Outcome.CHANGED else None)
        if decision.write:
            self.stored[who] = decision.response
        assert decision.response == self.stored[who]

    def act(self, post_ms: int, reaches: bool) -> Step:
        """Do what the round does next, after checking that the model allows it now."""
        next_at = None if self.next_at is None else at(self.next_at)
        point = Standpoint(self.state, next_at, frozenset(self.confirmed), self.result_posted)
        step = next_step(point, self.turns, at(self.now))
        if step.act is Act.WAIT:
            assert step.until is not None
            assert step.until > at(self.now)
        elif step.turn is not None:
            self.act_on(step.act, step.turn, self.model[step.turn.number - 1], post_ms, reaches)
        elif step.act is Act.FINISH:
            assert self.state is RoundState.PLAYING
            assert all(expected.state in ("revealed", "dropped") for expected in self.model)
            assert self.next_at is None or self.next_at <= self.now
            self.state = RoundState.ENDED
        elif step.act is Act.POST_RESULT:
            assert self.state is RoundState.ENDED
            assert not self.result_posted
            assert all(expected.state not in ("pending", "open", "closed") for expected in self.model)
            self.result_posted = True
        else:
            assert step.act is Act.REST
            assert self.result_posted
        return step

    def act_on(self, act: Act, turn: Turn, expected: Expected, post_ms: int, reaches: bool) -> None:
        number = turn.number
        if act is Act.OPEN:
            assert not self.cut_short
            assert expected.state == "pending"
            assert all(earlier.state == "revealed" for earlier in self.model[: number - 1])
            assert self.shown == list(range(1, number))
            assert self.next_at is None or self.next_at <= self.now
            self.asked.append(number)
            expected.state, expected.opened = "open", self.now
            expected.deadline = up_to_second(self.now + expected.seconds * 1000)
            self.put(open_turn(turn, at(self.now)))
        elif act is Act.POST:
            assert expected.state == "open"
            assert number not in self.confirmed
            self.now += post_ms
            if not reaches:
                return
            self.confirmed.add(number)
            if self.now - expected.opened > 2_000:
                full = up_to_second(self.now + expected.seconds * 1000)
                if full > expected.deadline:
                    # Nobody has lost anything yet: the grace of an outage is still theirs.
                    expected.deadline, expected.graced = full, False
            self.put(confirm(turn, at(self.now)))
            again = self.turns[number - 1]
            assert confirm(again, at(self.now)) == again
        elif act is Act.CLOSE:
            assert expected.state == "open"
            assert number in self.confirmed
            assert self.now >= expected.deadline + 1_500
            expected.close(self.now)
            self.put(close(turn, turn.epoch, at(self.now)))
        elif act is Act.REVEAL:
            assert expected.state == "closed"
            expected.state, self.next_at = "revealed", None
            self.put(reveal(turn, at(self.now)))
        else:
            assert act is Act.SHOW_REVEAL
            assert expected.state == "revealed"
            assert number not in self.shown
            self.shown.append(number)
            self.next_at = self.now + STANDS_MS


PlayedRound.TestCase.settings = settings(max_examples=200, stateful_step_count=50, deadline=None)
TestARoundWhateverHappens = PlayedRound.TestCase
