"""The custom_ids: old messages keep theirs for ever, so the letters are frozen; and any text is read without fault."""

from hypothesis import given
from hypothesis import strategies as st

from cogs.ui.ids import FORMAT, Press, PressId, make, parse

FROZEN = {
    "ANSWER": "a",
    "CHOOSE": "o",
    "MARK": "s",
    "MY_RESULT": "y",
    "MISTAKES": "m",
    "SHOW_ANSWER": "w",
    "QUIZZES": "l",
    "QUIZ": "b",
    "START_QUIZ": "g",
}
"""Every kind there is, with its letter. A new kind is added here; a line is never changed."""

RETIRED: dict[str, str] = {}
"""Kinds that no message gets any more: a line of `FROZEN` is moved here, and its letter is never used again."""

LONGEST = 100
"""Characters that Discord takes as a custom_id."""

TOKENS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=10, max_size=10)
NUMBERS = st.integers(1, 25)
PAGES = st.integers(0, 10**9)
STORED = st.integers(1, 2**63 - 1)

MADE = st.one_of(
    st.tuples(st.just(Press.ANSWER), TOKENS, NUMBERS, st.integers(0, 9)),
    st.tuples(st.sampled_from([Press.CHOOSE, Press.MARK, Press.SHOW_ANSWER]), TOKENS, NUMBERS),
    st.tuples(st.just(Press.MY_RESULT), TOKENS),
    st.tuples(st.just(Press.MISTAKES), TOKENS, PAGES, st.integers(0, 1)),
    st.tuples(st.just(Press.QUIZZES), PAGES, st.text(st.characters(exclude_characters=":"), max_size=60)),
    st.tuples(st.sampled_from([Press.QUIZ, Press.START_QUIZ]), STORED),
)
"""Everything that is ever made into an id: each kind with the parts it carries, as long as they get."""


def test_letters_are_frozen() -> None:
    assert {kind.name: kind.value for kind in Press} == FROZEN


def test_no_letter_is_used_twice() -> None:
    letters = [*FROZEN.values(), *RETIRED.values()]
    assert len(set(letters)) == len(letters)
    assert all(len(letter) == 1 and letter.isascii() and letter.isalpha() for letter in letters)


def test_an_id_reads_as_the_design_says() -> None:
    assert make(Press.ANSWER, "abcdefghij", 3, 1) == "a1:abcdefghij:3:1"
    assert parse("a1:abcdefghij:3:1") == PressId(Press.ANSWER, ("abcdefghij", "3", "1"))


@given(MADE)
def test_what_is_made_is_read_back_and_is_never_too_long(made: tuple[Press, *tuple[object, ...]]) -> None:
    kind, *parts = made
    custom_id = make(kind, *parts)
    assert len(custom_id) <= LONGEST
    assert parse(custom_id) == PressId(kind, tuple(str(part) for part in parts))


@given(st.text())
def test_any_string_is_read_or_is_not_ours(custom_id: str) -> None:
    press = parse(custom_id)
    assert press is None or make(press.kind, *press.parts) == custom_id


@given(
    st.sampled_from([*FROZEN.values(), "é", "", "ab"]), st.sampled_from(["1", "2", "", "¹", "01"]), st.text()
)
def test_another_format_or_kind_is_not_guessed_at(letter: str, version: str, rest: str) -> None:
    press = parse(f"{letter}{version}:{rest}")
    assert (press is not None) == (letter in FROZEN.values() and version == str(FORMAT))
