"""How texts are found: without case, accents, or the two Turkish letters I getting in the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.search import fold, matches

ALIKE = [
    ("budama", "BUDAMA", "Budama"),
    ("ışık", "ISIK", "Işık", "IŞIK", "isik", "İŞİK", "işik"),
    ("istanbul", "İstanbul", "ISTANBUL", "ıstanbul", "I\u0307stanbul"),
    ("çalışma odası", "ÇALIŞMA ODASI", "Calisma  odasi", " calisma\nodasi "),
    ("café", "cafe", "CAFE\u0301", "Cafe\u0301"),
    ("straße", "STRASSE", "Strasse"),
    ("ünlü", "UNLU", "u\u0308nlu\u0308"),
    ("etüt™", "ETÜTTM"),
    ("", " ", "\n"),
]


@pytest.mark.parametrize("words", ALIKE, ids=lambda words: str(words[0]))
def test_spellings_of_one_word_are_one_word(words: tuple[str, ...]) -> None:
    assert len({fold(word) for word in words}) == 1


def test_different_words_stay_different() -> None:
    different = ["budama", "budamak", "ışık", "aşık", "pruning", "prune"]
    assert len({fold(word) for word in different}) == len(different)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_upper_case_finds_what_was_written_in_lower_case(text: str) -> None:
    assert matches(text.upper(), text.lower())
    assert matches(text.lower(), text.upper())


TITLES = ("Structured pruning", "Yapısal budama Quizi")


@pytest.mark.parametrize(
    "needle",
    ["pruning", "budama", "BUDAMA", "prun", "yapisal", "YAPISAL", "budama yapısal", "structured quizi", ""],
)
def test_a_quiz_is_found_by_any_of_its_words_in_any_language(needle: str) -> None:
    assert matches(needle, *TITLES)


@pytest.mark.parametrize("needle", ["recomputation", "budama recomputation", "pruningyapısal", "budamalar"])
def test_a_quiz_is_not_found_by_words_it_does_not_have(needle: str) -> None:
    assert not matches(needle, *TITLES)


@given(texts=st.lists(st.text(max_size=20), min_size=1, max_size=3), data=st.data())
def test_every_part_of_a_text_finds_it(texts: list[str], data: st.DataObject) -> None:
    words = [word for text in texts for word in fold(text).split()]
    needle = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=3))) if words else ""
    assert matches(needle, *texts)
