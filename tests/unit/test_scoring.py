"""Points, corrections, ranks and the podium."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.cards import Standing
from bot.core.quiz import Kind, Option, Version
from bot.core.scoring import (
    FULL,
    Correction,
    Ruling,
    Verdict,
    average,
    podium,
    points,
    ranks,
    ruling,
    tally,
)

A, B, C, D, E = range(5)


def a_version(kind: Kind, *key: int, missing: bool = False) -> Version:
    options = tuple(Option({"en": letter}, {}) for letter in "ABCDE")
    return Version(kind, {"en": "?"}, options, None if missing else frozenset(key), {}, {})


SINGLE = a_version(Kind.SINGLE, B)
SEVERAL = a_version(Kind.MULTIPLE, A, C)
KEYLESS = a_version(Kind.SINGLE, missing=True)


def accept(*options: int) -> Correction:
    return Correction(Verdict.ACCEPT, frozenset(options))


def rekey(*options: int) -> Correction:
    return Correction(Verdict.KEY, frozenset(options))


DROP = Correction(Verdict.DROP)


def score(version: Version, answer: Sequence[int], *corrections: Correction) -> int | None:
    return points(version, ruling(version, corrections), frozenset(answer))


# --- points


@pytest.mark.parametrize(("answer", "expected"), [(A, 0), (B, FULL), (C, 0), (D, 0), (E, 0)])
def test_a_single_answer_is_worth_one_point_or_none(answer: int, expected: int) -> None:
    assert score(SINGLE, [answer]) == expected


SEVERAL_RIGHT = [
    # key, answer, thousandths: max(0, hits - false marks) ÷ right options
    ((A, C), (A, C), 1000),
    ((A, C), (A,), 500),
    ((A, C), (A, B), 0),
    ((A, C), (A, C, B), 500),
    ((A, C), (A, C, B, D), 0),
    ((A, C), (B, D), 0),
    ((A, C), (A, B, C, D, E), 0),
    ((A, C), (), 0),
    ((A, B, C), (A,), 333),
    ((A, B, C), (A, B), 666),
    ((A, B, C), (A, B, C), 1000),
    ((A, B, C), (A, B, C, D), 666),
    ((A, B, C, D, E), (A, B, C, D), 800),
    ((D,), (D,), 1000),
    ((D,), (D, E), 0),
]


@pytest.mark.parametrize(("key", "answer", "expected"), SEVERAL_RIGHT)
def test_several_right_answers_share_the_point_and_false_marks_take_from_it(
    key: tuple[int, ...], answer: tuple[int, ...], expected: int
) -> None:
    assert score(a_version(Kind.MULTIPLE, *key), answer) == expected


OPTIONS = st.frozensets(st.integers(A, E))


@given(key=OPTIONS.filter(bool), answer=OPTIONS)
def test_points_are_the_share_to_the_thousandth(key: frozenset[int], answer: frozenset[int]) -> None:
    given_points = score(a_version(Kind.MULTIPLE, *key), sorted(answer))
    assert given_points is not None
    right, wrong = sum(place in key for place in answer), sum(place not in key for place in answer)
    assert abs(Fraction(given_points, FULL) - max(Fraction(0), Fraction(right - wrong, len(key)))) < Fraction(
        1, FULL
    )
    assert (given_points == FULL) == (answer == key)


@given(answer=OPTIONS)
def test_a_question_without_key_is_never_scored(answer: frozenset[int]) -> None:
    assert score(KEYLESS, sorted(answer)) is None


# --- corrections


@pytest.mark.parametrize(
    ("version", "corrections", "answer", "expected"),
    [
        (SINGLE, [accept(C)], (C,), FULL),
        (SINGLE, [accept(C)], (B,), FULL),
        (SINGLE, [accept(C)], (D,), 0),
        (SINGLE, [accept(C), accept(D)], (D,), FULL),
        (SINGLE, [rekey(D)], (D,), FULL),
        (SINGLE, [rekey(D)], (B,), 0),
        (SINGLE, [accept(C), rekey(D)], (C,), 0),  # another key replaces what was accepted before
        (SINGLE, [rekey(D), accept(C)], (C,), FULL),
        (SINGLE, [DROP], (B,), None),
        (SINGLE, [DROP, accept(C)], (C,), None),
        (SINGLE, [DROP, rekey(B)], (B,), FULL),
        (SINGLE, [rekey(D), DROP], (D,), None),
        (KEYLESS, [rekey(A)], (A,), FULL),  # a correction supplies the key
        (KEYLESS, [rekey(A)], (B,), 0),
        (SEVERAL, [accept(B)], (A, B, C), FULL),  # an accepted option takes nothing away
        (SEVERAL, [accept(B)], (A, C), FULL),
        (SEVERAL, [accept(B)], (A, C, D), 500),
        (SEVERAL, [rekey(A, B)], (A, B), FULL),
        (SEVERAL, [DROP], (A, C), None),
    ],
)
def test_corrections_rule_from_the_oldest_to_the_newest(
    version: Version, corrections: list[Correction], answer: tuple[int, ...], expected: int | None
) -> None:
    assert score(version, answer, *corrections) == expected


@pytest.mark.parametrize("correction", [accept(C), rekey(D), DROP])
def test_a_correction_taken_back_leaves_no_trace(correction: Correction) -> None:
    before = ruling(SINGLE)
    ruling(SINGLE, [correction])
    assert ruling(SINGLE) == before == Ruling(frozenset({B}))


@given(
    answer=OPTIONS,
    also=OPTIONS.filter(bool),
    kind=st.sampled_from([Kind.SINGLE, Kind.MULTIPLE]),
    key=OPTIONS.filter(bool),
)
def test_accepting_an_option_never_costs_anybody_points(
    answer: frozenset[int], also: frozenset[int], kind: Kind, key: frozenset[int]
) -> None:
    version, marked = a_version(kind, *key), sorted(answer)
    before, later = score(version, marked), score(version, marked, accept(*also))
    assert before is not None
    assert later is not None
    assert later >= before


@pytest.mark.parametrize(
    ("corrections", "scored"), [([], True), ([DROP], False), ([DROP, rekey(A)], True), ([accept(A)], True)]
)
def test_a_dropped_question_is_not_scored(corrections: list[Correction], scored: bool) -> None:
    assert ruling(SINGLE, corrections).scored is scored


# --- ranks


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([], []),
        ([3000], [1]),
        ([3000, 2000, 2000, 1000], [1, 2, 2, 4]),
        ([1000, 2000, 2000, 3000], [4, 2, 2, 1]),
        ([2000, 2000, 2000], [1, 1, 1]),
        ([3000, 3000, 1000, 1000, 0], [1, 1, 3, 3, 5]),
        ([0, 0], [1, 1]),
    ],
)
def test_ranks_are_competition_ranks(totals: list[int], expected: list[int]) -> None:
    placed = ranks(dict(enumerate(totals)))
    assert [placed[member] for member in range(len(totals))] == expected


TOTALS = st.dictionaries(st.integers(1, 99), st.integers(0, 5).map(lambda whole: whole * 500), max_size=30)


@given(TOTALS)
def test_a_rank_is_one_more_than_the_number_of_those_with_more_points(totals: dict[int, int]) -> None:
    assert ranks(totals) == {
        member: 1 + sum(other > mine for other in totals.values()) for member, mine in totals.items()
    }


# --- podium


def placed(totals: Sequence[int], size: int = 3) -> list[int]:
    members = dict(enumerate(totals))
    return [one.rank for one in podium(members, {member: f"m{member}" for member in members}, size)]


@pytest.mark.parametrize(
    ("took_part", "named"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3), (40, 3)]
)
def test_a_podium_has_three_but_never_more_than_half_of_those_who_took_part(
    took_part: int, named: int
) -> None:
    assert placed([1000 * (take + 1) for take in range(took_part)]) == list(range(1, named + 1))


@pytest.mark.parametrize(
    ("totals", "size", "expected"),
    [
        ([3000, 2000, 2000, 2000], 3, [1, 2, 2, 2]),  # ties are all shown
        ([2000, 2000], 3, [1, 1]),
        ([3000, 3000, 2000, 1000], 3, [1, 1]),  # the third of four is in the lower half
        ([4000, 3000, 3000, 2000, 1000, 1000], 3, [1, 2, 2]),
        ([1000, 0, 0, 0, 0, 0], 3, [1]),  # nobody without anything right
        ([0, 0, 0], 3, []),
        ([5000, 4000, 3000, 2000, 1000, 500], 1, [1]),
        ([500] * 12 + [400] * 12 + [300] * 12, 5, [1] * 12),
        ([9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000, 500], 5, [1, 2, 3, 4, 5]),
    ],
)
def test_a_podium_shows_every_tie_and_nobody_without_anything_right(
    totals: list[int], size: int, expected: list[int]
) -> None:
    assert placed(totals, size) == expected


def test_those_of_one_rank_are_listed_by_name_not_by_who_came_first() -> None:
    totals = {1: 2000, 2: 2000, 3: 2000, 4: 2000, 5: 3000, 6: 0, 7: 0, 8: 0}
    names = {1: "zeynep", 2: "Çağla", 3: "Deniz", 4: "ada", 5: "Tom"}
    listed = [(one.rank, one.name) for one in podium(totals, names)]
    assert listed == [(1, "Tom"), (2, "ada"), (2, "Çağla"), (2, "Deniz"), (2, "zeynep")]


def test_a_hidden_member_keeps_the_rank_without_a_name() -> None:
    totals = {1: 3000, 2: 2000, 3: 2000, 4: 1000}
    names: dict[int, str | None] = {1: None, 2: None, 3: "Maya", 4: "Ada"}
    assert podium(totals, names) == (
        Standing(1, None, 3000),
        Standing(2, "Maya", 2000),
        Standing(2, None, 2000),
    )


@given(totals=TOTALS, size=st.integers(1, 5), data=st.data())
def test_a_podium_depends_on_points_and_names_alone(
    totals: dict[int, int], size: int, data: st.DataObject
) -> None:
    names = {member: f"{'mM'[member % 2]}{member // 2:02}" for member in totals}
    shown = podium(totals, names, size)
    came = data.draw(st.permutations(list(totals.items())))
    assert podium(dict(came), names, size) == shown
    assert all(one.points > 0 and one.rank <= min(size, math.ceil(len(totals) / 2)) for one in shown)
    by_rank = Counter(rank for member, rank in ranks(totals).items() if totals[member])
    assert Counter(one.rank for one in shown) == {
        rank: many for rank, many in by_rank.items() if rank <= min(size, math.ceil(len(totals) / 2))
    }


# --- counting


def test_shares_count_every_option_an_answer_holds() -> None:
    answers = [frozenset({A}), frozenset({A, C}), frozenset[int](), frozenset({C})]
    assert tally(5, answers) == (2, 0, 2, 0, 0)


@pytest.mark.parametrize(
    ("totals", "mean"), [([], 0), ([1000], 1000), ([1000, 0], 500), ([1000, 1000, 0], 667)]
)
def test_the_average_is_points_for_each_who_took_part(totals: list[int], mean: int) -> None:
    assert average(totals) == mean
