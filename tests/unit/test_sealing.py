"""The one function that everything private asks before it tells anything of an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.sealing import sealed


@pytest.mark.parametrize(
    ("unrevealed", "planned", "expected"),
    [
        (set[int](), set[int](), False),
        ({7}, set[int](), True),
        (set[int](), {7}, True),
        ({7}, {7}, True),
        ({8}, {9}, False),
    ],
    ids=["nowhere", "unrevealed in a round", "planned", "both", "only others"],
)
def test_a_question_is_sealed_while_it_is_unrevealed_in_a_round_or_planned(
    unrevealed: set[int], planned: set[int], expected: bool
) -> None:
    assert sealed(7, unrevealed, planned) is expected


def test_a_question_revealed_in_its_only_round_is_sealed_no_more() -> None:
    unrevealed = {7, 8}
    assert sealed(7, unrevealed)
    assert not sealed(7, unrevealed - {7})


@given(question=st.integers(), unrevealed=st.frozensets(st.integers()), planned=st.frozensets(st.integers()))
def test_another_round_or_plan_can_only_seal_more(
    question: int, unrevealed: frozenset[int], planned: frozenset[int]
) -> None:
    if sealed(question, unrevealed):
        assert sealed(question, unrevealed | {question + 1}, planned)
    assert sealed(question, unrevealed | {question}, planned)
