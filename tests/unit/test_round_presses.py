"""One press: which response holds, what its member is told, and when it counts."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.cards import Outcome
from bot.core.refusals import NotOnTheTable, TooLate
from bot.core.round import (
    Decision,
    Press,
    Response,
    Turn,
    close,
    lose_channel,
    open_turn,
    respond,
    return_from_outage,
    reveal,
    stop,
)

START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
ORDER = (2, 0, 3, 1)  # shown A B C D are the options written third, first, fourth, second
A, B, C, D = 0, 1, 2, 3


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


def a_press(at: float, *shown: int, member: int = 1, interaction: int | None = None) -> Press:
    made = after(at)
    return Press(member, interaction or round(at * 1000) + 1, made, frozenset(shown))


def pressed(turn: Turn, *presses: Press, arriving: float = 0) -> list[Decision]:
    """Let one member's presses arrive in this order, each seeing what the earlier ones left."""
    held: Response | None = None
    decisions: list[Decision] = []
    for press in presses:
        decision = respond("token", turn, press, held, after(arriving))
        if decision.write:
            held = decision.response
        decisions.append(decision)
    return decisions


def written(*shown: int) -> frozenset[int]:
    return frozenset(ORDER[place] for place in shown)


def test_a_press_is_stored_by_the_place_as_written_not_as_shown() -> None:
    (decision,) = pressed(an_open_turn(), a_press(5, A))
    assert decision.response.answer == {2}


def test_a_first_press_is_saved() -> None:
    (decision,) = pressed(an_open_turn(), a_press(5, B))
    assert decision == Decision(Outcome.SAVED, Response(written(B), 5001, after(5)), None, write=True)


def test_the_same_option_again_is_a_friendly_no_op() -> None:
    _, again = pressed(an_open_turn(), a_press(5, B), a_press(6, B))
    assert (again.outcome, again.response.answer, again.before) == (Outcome.SAME, written(B), None)


def test_another_option_replaces_the_first_and_says_what_it_was() -> None:
    _, change = pressed(an_open_turn(), a_press(5, B), a_press(6, C))
    assert (change.outcome, change.before, change.response.answer) == (
        Outcome.CHANGED,
        written(B),
        written(C),
    )


def test_an_older_press_that_arrives_later_changes_nothing_and_is_told_what_holds() -> None:
    first, older = pressed(an_open_turn(), a_press(6, C), a_press(5, B))
    assert older == Decision(Outcome.KEPT, first.response, None, write=False)


def test_an_older_press_of_the_option_that_holds_is_told_still() -> None:
    _, older = pressed(an_open_turn(), a_press(6, C), a_press(5, C))
    assert (older.outcome, older.write) == (Outcome.SAME, False)


def test_a_press_delivered_twice_counts_once() -> None:
    first, again = pressed(an_open_turn(), a_press(5, B), a_press(5, B))
    assert (again.outcome, again.write, again.response) == (Outcome.SAME, False, first.response)


def test_pressing_back_and_forth_holds_the_last_even_when_the_middle_arrives_last() -> None:
    *_, middle = pressed(an_open_turn(), a_press(5, B), a_press(7, B), a_press(6, C))
    assert (middle.outcome, middle.response.answer) == (Outcome.KEPT, written(B))


def test_two_presses_of_the_same_millisecond_go_by_their_id() -> None:
    higher, lower = a_press(5, B, interaction=9002), a_press(5, C, interaction=9001)
    for arrival in ((higher, lower), (lower, higher)):
        assert pressed(an_open_turn(), *arrival)[-1].response.answer == written(B)


def test_a_submission_of_several_options_is_the_whole_set() -> None:
    first, second = pressed(an_open_turn(), a_press(5, A, C), a_press(6, A, D))
    assert (first.response.answer, second.outcome) == (written(A, C), Outcome.CHANGED)
    assert (second.before, second.response.answer) == (written(A, C), written(A, D))


@given(
    choices=st.lists(st.frozensets(st.sampled_from([A, B, C, D]), min_size=1), min_size=1, max_size=6),
    data=st.data(),
)
def test_whatever_the_order_of_arrival_the_press_with_the_highest_id_holds(
    choices: list[frozenset[int]], data: st.DataObject
) -> None:
    presses = [a_press(5 + i, *shown) for i, shown in enumerate(choices)]
    arrival = data.draw(st.permutations(presses + presses[::2]))
    held = pressed(an_open_turn(), *arrival)[-1].response
    assert held == Response(written(*choices[-1]), presses[-1].interaction, presses[-1].at)


@pytest.mark.parametrize(
    ("at", "counts"), [(29.999, True), (30, True), (30.001, False), (31, False), (400, False)]
)
@pytest.mark.parametrize(
    "turn", [an_open_turn(), a_closed_turn(), a_revealed_turn()], ids=lambda turn: str(turn.state)
)
def test_a_press_counts_by_its_own_instant_never_by_the_state_it_finds(
    turn: Turn, at: float, counts: bool
) -> None:
    if counts:
        assert pressed(turn, a_press(at, B), arriving=400)[0].outcome is Outcome.SAVED
    else:
        with pytest.raises(TooLate) as refusal:
            pressed(turn, a_press(at, B), arriving=400)
        assert (refusal.value.token, refusal.value.number, refusal.value.closed_at) == (
            "token",
            1,
            after(30),
        )


@pytest.mark.parametrize(("minutes", "counts"), [(0, True), (14.9, True), (15, True), (15.01, False)])
def test_a_press_made_in_time_is_recorded_up_to_15_minutes_after_the_close(
    minutes: float, counts: bool
) -> None:
    arriving = 31.5 + 60 * minutes
    if counts:
        assert pressed(a_revealed_turn(), a_press(20, B), arriving=arriving)[0].write
    else:
        with pytest.raises(TooLate):
            pressed(a_revealed_turn(), a_press(20, B), arriving=arriving)


def test_a_turn_kept_open_by_an_outage_takes_presses_until_its_new_deadline() -> None:
    turn = return_from_outage(an_open_turn(), after(10), after(60))
    assert pressed(turn, a_press(75, B), arriving=75)[0].write
    with pytest.raises(TooLate):
        pressed(turn, a_press(75.001, B), arriving=76)


def test_after_a_stop_only_presses_made_before_it_count() -> None:
    stopped = stop(an_open_turn(), after(12), after(12.3))
    assert pressed(stopped, a_press(12, B), arriving=13)[0].write
    with pytest.raises(TooLate):
        pressed(stopped, a_press(12.001, B), arriving=13)


def test_an_untimed_turn_takes_presses_until_it_is_closed_and_none_made_later() -> None:
    turn = an_open_turn(seconds=None)
    assert pressed(turn, a_press(5000, B), arriving=5000)[0].write
    closed = close(turn, turn.epoch, after(6000))
    assert pressed(closed, a_press(5999, B), arriving=6001)[0].write
    with pytest.raises(TooLate):
        pressed(closed, a_press(6001, B), arriving=6001)


@pytest.mark.parametrize(
    ("turn", "ended"),
    [(a_turn(), False), (stop(a_turn(), START, START), True), (lose_channel(an_open_turn()), True)],
    ids=["pending", "dropped", "void"],
)
def test_a_press_on_a_turn_that_is_not_on_the_table_is_refused(turn: Turn, ended: bool) -> None:
    with pytest.raises(NotOnTheTable) as refusal:
        pressed(turn, a_press(5, B))
    assert refusal.value.ended is ended


@pytest.mark.parametrize("place", [-1, 4, 99])
def test_a_place_the_question_does_not_have_is_refused(place: int) -> None:
    with pytest.raises(NotOnTheTable):
        pressed(an_open_turn(), a_press(5, place))
