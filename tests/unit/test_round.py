"""A turn's deadline and transitions, and what a round does next, from what is stored alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.round import (
    Act,
    RoundState,
    Standpoint,
    Step,
    Turn,
    TurnState,
    close,
    confirm,
    lose_channel,
    next_step,
    open_turn,
    return_from_outage,
    reveal,
    stop,
    whole_second,
)

START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
ORDER = (2, 0, 3, 1)  # shown A B C D are the options written third, first, fourth, second


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def a_turn(number: int = 1, seconds: int | None = 30) -> Turn:
    return Turn(number, number, question=70 + number, version_id=700 + number, order=ORDER, seconds=seconds)


def an_open_turn(seconds: int | None = 30) -> Turn:
    """A turn asked at `START`, so that it closes after 30 s."""
    return open_turn(a_turn(seconds=seconds), START)


def a_closed_turn() -> Turn:
    turn = an_open_turn()
    return close(turn, turn.epoch, after(31.5))


def a_revealed_turn() -> Turn:
    return reveal(a_closed_turn(), after(31.5))


# --- the deadline


@pytest.mark.parametrize(
    ("instant", "expected"),
    [(after(0), after(0)), (after(0.000001), after(1)), (after(59.999), after(60)), (after(60), after(60))],
)
def test_a_deadline_is_the_first_whole_second_not_before(instant: datetime, expected: datetime) -> None:
    assert whole_second(instant) == expected


def test_a_question_asked_closes_on_a_whole_second_after_its_full_time() -> None:
    turn = open_turn(a_turn(seconds=30), after(0.4))
    assert (turn.state, turn.opened_at, turn.closes_at) == (TurnState.OPEN, after(0.4), after(31))


def test_a_question_without_time_has_no_deadline() -> None:
    assert an_open_turn(seconds=None).closes_at is None


@pytest.mark.parametrize(
    ("sent", "closes"),
    [
        (-0.5, 30),  # clocks differ a little
        (0, 30),
        (2, 30),
        (2.001, 33),
        (3, 33),
        (45.2, 76),
    ],
)
def test_a_post_that_took_more_than_2_s_gets_its_full_time_from_the_confirmation(
    sent: float, closes: int
) -> None:
    turn = an_open_turn()
    confirmed = confirm(turn, after(sent))
    assert confirmed.closes_at == after(closes)
    assert (confirmed.epoch > turn.epoch) == (closes != 30)


def test_a_post_confirmed_twice_moves_the_deadline_once() -> None:
    once = confirm(an_open_turn(), after(5))
    assert confirm(once, after(5)) == once


def test_a_late_confirmation_never_shortens_what_an_outage_gave() -> None:
    extended = return_from_outage(an_open_turn(), after(10), after(60))
    assert confirm(extended, after(3)).closes_at == extended.closes_at


AWAY = [
    # from, back, deadline: the turn's own deadline is after 30 s
    (10, 15, 30),
    (10, 20, 30),  # exactly 10 s left
    (10, 20.001, 36),
    (10, 29, 44),
    (10, 30, 45),
    (10, 300.5, 316),
    (30, 40, 55),  # it went away at the deadline itself
    (30.001, 40, 30),  # the deadline was over before the outage
]


@pytest.mark.parametrize(("gone", "back", "closes"), AWAY)
def test_after_an_outage_a_turn_stays_open_15_s_if_less_than_10_s_are_left(
    gone: float, back: float, closes: int
) -> None:
    turn = an_open_turn()
    returned = return_from_outage(turn, after(gone), after(back))
    assert returned.closes_at == after(closes)
    assert returned.extended == (closes != 30)
    assert (returned.epoch > turn.epoch) == (closes != 30)


def test_an_outage_extends_a_turn_once() -> None:
    once = return_from_outage(an_open_turn(), after(10), after(60))
    assert return_from_outage(once, after(61), after(90)) == once


def test_an_outage_that_costs_nothing_leaves_the_grace_for_a_later_one() -> None:
    harmless = return_from_outage(an_open_turn(), after(1), after(5))
    assert return_from_outage(harmless, after(20), after(40)).closes_at == after(55)


def test_an_outage_does_not_touch_a_turn_without_a_clock() -> None:
    turn = an_open_turn(seconds=None)
    assert return_from_outage(turn, after(10), after(500)) == turn


@given(gone=st.floats(0, 100), away=st.floats(0, 1000))
def test_an_outage_never_takes_time_away(gone: float, away: float) -> None:
    turn = an_open_turn()
    returned = return_from_outage(turn, after(gone), after(gone + away))
    assert returned.closes_at is not None
    assert turn.closes_at is not None
    assert returned.closes_at >= turn.closes_at


# --- transitions


def test_a_turn_goes_from_pending_over_open_and_closed_to_revealed() -> None:
    states = [a_turn(), an_open_turn(), a_closed_turn(), a_revealed_turn()]
    assert [turn.state for turn in states] == ["pending", "open", "closed", "revealed"]
    assert [turn.epoch for turn in states] == sorted({turn.epoch for turn in states})


def test_a_close_ordered_before_the_deadline_moved_changes_nothing() -> None:
    turn = an_open_turn()
    moved = return_from_outage(turn, after(10), after(60))
    assert close(moved, turn.epoch, after(61)) == moved


@pytest.mark.parametrize(
    "turn",
    [
        an_open_turn(),
        a_closed_turn(),
        a_revealed_turn(),
        stop(a_turn(), START, START),
        lose_channel(an_open_turn()),
    ],
    ids=lambda turn: str(turn.state),
)
def test_only_a_pending_turn_can_be_asked(turn: Turn) -> None:
    assert open_turn(turn, after(99)) == turn


@pytest.mark.parametrize(
    "turn",
    [a_turn(), a_closed_turn(), a_revealed_turn(), stop(a_turn(), START, START)],
    ids=lambda turn: str(turn.state),
)
def test_only_an_open_turn_can_be_closed_confirmed_or_extended(turn: Turn) -> None:
    assert close(turn, turn.epoch, after(99)) == turn
    assert confirm(turn, after(99)) == turn
    assert return_from_outage(turn, after(1), after(99)) == turn


@pytest.mark.parametrize(
    "turn",
    [a_turn(), an_open_turn(), a_revealed_turn(), lose_channel(an_open_turn())],
    ids=lambda turn: str(turn.state),
)
def test_only_a_closed_turn_can_be_revealed(turn: Turn) -> None:
    assert reveal(turn, after(99)) == turn


@pytest.mark.parametrize(
    ("at", "deadline"),
    [(12.345, 12.345), (30, 30), (31, 30)],
    ids=["before the deadline", "at it", "while the last presses drain"],
)
def test_a_stop_closes_the_open_turn_at_its_own_instant_but_never_later(at: float, deadline: float) -> None:
    stopped = stop(an_open_turn(), after(at), after(at + 0.5))
    assert (stopped.state, stopped.closes_at) == (TurnState.CLOSED, after(deadline))


def test_a_stop_gives_an_untimed_turn_its_deadline() -> None:
    assert stop(an_open_turn(seconds=None), after(500), after(501)).closes_at == after(500)


def test_a_stop_drops_what_was_not_asked_and_keeps_what_was_closed_or_revealed() -> None:
    assert stop(a_turn(), START, START).state is TurnState.DROPPED
    for turn in (a_closed_turn(), a_revealed_turn()):
        assert stop(turn, after(40), after(40)) == turn


def test_a_lost_channel_voids_what_was_not_revealed_and_keeps_what_was() -> None:
    assert lose_channel(a_turn()).state is TurnState.DROPPED
    assert lose_channel(an_open_turn()).state is TurnState.VOID
    assert lose_channel(a_closed_turn()).state is TurnState.VOID
    assert lose_channel(a_revealed_turn()) == a_revealed_turn()


# --- what comes next


def after_step(
    *turns: Turn,
    now: float,
    confirmed: tuple[int, ...] = (1,),
    state: RoundState = RoundState.PLAYING,
    next_at: float | None = None,
    result_posted: bool = False,
) -> Step:
    until = None if next_at is None else after(next_at)
    return next_step(Standpoint(state, until, frozenset(confirmed), result_posted), turns, after(now))


def test_a_round_begins_with_its_first_question() -> None:
    first, second = a_turn(1), a_turn(2)
    assert after_step(first, second, now=0, confirmed=()) == Step(Act.OPEN, first)


def test_a_question_whose_post_is_not_confirmed_is_posted_and_not_closed_however_late() -> None:
    turn = an_open_turn()
    assert after_step(turn, a_turn(2), now=500, confirmed=()) == Step(Act.POST, turn)


@pytest.mark.parametrize(
    ("now", "act"), [(0, Act.WAIT), (30, Act.WAIT), (31.499, Act.WAIT), (31.5, Act.CLOSE), (900, Act.CLOSE)]
)
def test_a_question_closes_one_and_a_half_seconds_after_its_deadline(now: float, act: Act) -> None:
    step = after_step(an_open_turn(), now=now)
    assert step.act is act
    assert step.until == (after(31.5) if act is Act.WAIT else None)


def test_a_question_whose_message_may_show_another_deadline_is_drawn_before_anything_else() -> None:
    turn = an_open_turn()
    for now in (0.0, 21.4, 60.0):
        point = Standpoint(RoundState.PLAYING, None, frozenset({1}), False, outdated=frozenset({1}))
        assert next_step(point, [turn], after(now)) == Step(Act.REDRAW, turn)


def test_an_untimed_question_waits_for_the_host_without_an_instant() -> None:
    turn = an_open_turn(seconds=None)
    assert after_step(turn, now=9000) == Step(Act.WAIT, turn)


def test_what_closed_is_revealed_then_shown_and_then_stands_before_the_next_question() -> None:
    closed, shown, second = a_closed_turn(), a_revealed_turn(), a_turn(2)
    assert after_step(closed, second, now=32) == Step(Act.REVEAL, closed)
    assert after_step(shown, second, now=32) == Step(Act.SHOW_REVEAL, shown)
    assert after_step(shown, second, now=32, next_at=40) == Step(Act.WAIT, until=after(40))
    assert after_step(shown, second, now=40, next_at=40) == Step(Act.OPEN, second)


def test_after_the_last_reveal_the_round_is_finished_its_result_posted_and_nothing_follows() -> None:
    last = a_revealed_turn()
    assert after_step(last, now=40, next_at=40) == Step(Act.FINISH)
    assert after_step(last, now=40, next_at=40, state=RoundState.ENDED) == Step(Act.POST_RESULT)
    assert after_step(last, now=40, next_at=40, state=RoundState.ENDED, result_posted=True) == Step(Act.REST)


def test_a_stopped_round_reveals_what_was_open_and_then_posts_its_result() -> None:
    closed = stop(an_open_turn(), after(12), after(12))
    dropped = stop(a_turn(2), after(12), after(12))
    assert after_step(closed, dropped, now=13, state=RoundState.ENDED) == Step(Act.REVEAL, closed)
    shown = reveal(closed, after(13))
    assert after_step(shown, dropped, now=30, next_at=30, state=RoundState.ENDED) == Step(Act.POST_RESULT)


def test_a_round_stopped_before_its_first_question_only_posts_its_result() -> None:
    dropped = stop(a_turn(), START, START)
    assert after_step(dropped, now=1, confirmed=(), state=RoundState.ENDED) == Step(Act.POST_RESULT)


def test_a_round_whose_channel_is_lost_asks_and_reveals_nothing_more() -> None:
    first, second, third = a_revealed_turn(), replace(an_open_turn(), id=2, number=2), a_turn(3)
    lost = [lose_channel(turn) for turn in (first, second, third)]
    assert after_step(*lost, now=60, state=RoundState.ENDED).act is Act.POST_RESULT
