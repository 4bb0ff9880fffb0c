"""How long a question is open, and how long its answer stands."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.quiz import Kind, Option, Version
from bot.core.round import (
    reading_seconds,
    standing_time,
)


def of_length(stem: int, *options: int, explanation: int = 0) -> Version:
    return Version(
        Kind.SINGLE,
        {"en": "s" * stem},
        tuple(Option({"en": "o" * length}, {}) for length in options),
        frozenset({0}),
        {"en": "e" * explanation} if explanation else {},
        {},
    )


@pytest.mark.parametrize(
    ("characters", "seconds"),
    [
        (2, 20),  # never below 20
        (60, 20),
        (61, 25),
        (120, 25),
        (121, 30),
        (600, 65),
        (601, 70),
        (1980, 180),
        (1981, 180),  # never above 180
        (3200, 180),
    ],
)
def test_auto_time_is_15_s_and_1_s_for_each_12_characters_in_steps_of_5(
    characters: int, seconds: int
) -> None:
    assert reading_seconds(of_length(characters - 2, 1, 1)) == seconds


def test_auto_time_counts_options_like_the_stem() -> None:
    assert reading_seconds(of_length(21, 50, 50)) == reading_seconds(of_length(119, 1, 1)) == 30


def test_auto_time_is_that_of_the_longest_language() -> None:
    version = Version(
        Kind.SINGLE,
        {"en": "s" * 10, "tr": "s" * 110},
        (Option({"en": "o", "tr": "ooooo"}, {}), Option({"en": "o", "tr": "oooooo"}, {})),
        frozenset({0}),
        {},
        {},
    )
    assert reading_seconds(version) == 30


def test_auto_time_of_a_true_false_question_goes_by_its_stem() -> None:
    version = Version(
        Kind.TRUE_FALSE, {"en": "s" * 121}, (Option({}, {}), Option({}, {})), frozenset({0}), {}, {}
    )
    assert reading_seconds(version) == 30


@given(st.integers(1, 1500), st.integers(1, 1500))
def test_a_longer_question_never_gets_less_time(one: int, other: int) -> None:
    shorter, longer = sorted((one, other))
    assert reading_seconds(of_length(shorter, 1, 1)) <= reading_seconds(of_length(longer, 1, 1))


@pytest.mark.parametrize(
    ("explanation", "last", "seconds"),
    [
        (0, False, 8),
        (24, False, 8),
        (25, False, 9),
        (400, False, 24),
        (799, False, 39),
        (800, False, 40),
        (2000, False, 40),
        (0, True, 8),
        (2000, True, 8),
    ],
)
def test_a_reveal_stands_8_to_40_s_by_its_explanation(explanation: int, last: bool, seconds: int) -> None:
    version = of_length(10, 1, 1, explanation=explanation)
    assert standing_time(version, last=last) == timedelta(seconds=seconds)
