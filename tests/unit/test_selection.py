"""What a round asks, and how it shuffles."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.quiz import Kind, Option, Version
from bot.core.selection import choose, shuffled

TODAY = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)


def days_ago(days: int) -> datetime:
    return TODAY - timedelta(days=days)


def with_pins(pins: list[bool]) -> Version:
    options = tuple(Option({"en": f"option {place}"}, {}, pin) for place, pin in enumerate(pins))
    return Version(Kind.SINGLE, {"en": "?"}, options, frozenset({0}), {}, {})


@pytest.mark.parametrize(
    ("asked", "count", "chosen"),
    [
        ({}, 2, [11, 12]),
        ({}, 9, [11, 12, 13, 14]),
        ({11: days_ago(1)}, 3, [12, 13, 14]),  # never asked come first
        ({11: days_ago(1), 12: days_ago(3), 13: days_ago(2), 14: days_ago(4)}, 2, [12, 14]),
        ({11: days_ago(1), 12: days_ago(1), 13: days_ago(1), 14: days_ago(1)}, 2, [11, 12]),
        ({11: days_ago(9), 99: days_ago(1)}, 4, [11, 12, 13, 14]),
    ],
)
def test_those_asked_least_recently_are_chosen_and_asked_in_quiz_order(
    asked: dict[int, datetime], count: int, chosen: list[int]
) -> None:
    assert choose([11, 12, 13, 14], asked, count) == chosen


@given(
    candidates=st.lists(st.integers(0, 50), unique=True, max_size=30),
    asked=st.dictionaries(st.integers(0, 50), st.integers(0, 9).map(days_ago)),
    count=st.integers(1, 25),
)
def test_nobody_who_waits_longer_is_passed_over(
    candidates: list[int], asked: dict[int, datetime], count: int
) -> None:
    chosen = choose(candidates, asked, count)
    left = [one for one in candidates if one not in chosen]
    long_ago = datetime.min.replace(tzinfo=UTC)
    assert chosen == [one for one in candidates if one in chosen]
    assert len(chosen) == min(count, len(candidates))
    assert all(asked.get(one, long_ago) <= asked.get(other, long_ago) for one in chosen for other in left)


def test_round_after_round_every_question_of_a_quiz_is_asked_before_one_returns() -> None:
    asked: dict[int, datetime] = {}
    seen: list[int] = []
    for day in range(4):
        chosen = choose(range(8), asked, 2)
        asked |= dict.fromkeys(chosen, TODAY + timedelta(days=day))
        seen += chosen
    assert sorted(seen) == list(range(8))


@given(pins=st.lists(st.booleans(), min_size=2, max_size=10), seed=st.integers())
def test_shuffling_shows_every_option_once_and_leaves_pinned_ones_in_place(
    pins: list[bool], seed: int
) -> None:
    order = shuffled(with_pins(pins), random.Random(seed))
    assert sorted(order) == list(range(len(pins)))
    assert all(order[place] == place for place, pin in enumerate(pins) if pin)


@given(seed=st.integers())
def test_the_same_seed_shuffles_alike(seed: int) -> None:
    version = with_pins([False] * 6)
    assert shuffled(version, random.Random(seed)) == shuffled(version, random.Random(seed))


def test_an_option_written_first_is_shown_in_every_place_about_equally_often() -> None:
    version, rng = with_pins([False] * 4), random.Random(7)
    places = Counter(shuffled(version, rng).index(0) for _ in range(4000))
    assert all(850 <= places[place] <= 1150 for place in range(4))


def test_several_turns_from_one_source_of_chance_are_shuffled_apart() -> None:
    version, rng = with_pins([False] * 8), random.Random(7)
    assert len({shuffled(version, rng) for _ in range(20)}) > 15
