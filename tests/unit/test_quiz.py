"""What can be said of quizzes, questions and versions: their languages, and when a version is a new one."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.quiz import (
    FALSE,
    TRUE,
    Kind,
    Option,
    Quiz,
    Text,
    Version,
    fingerprint,
    in_language,
    normalise,
)

Change = Callable[[Version], Version]

VERSION = Version(
    kind=Kind.SINGLE,
    stem={"tr": "Neden yeniden hesaplanır?", "en": "Why recompute?"},
    options=(
        Option({"tr": "Bellek için", "en": "For memory"}, {"tr": "Evet.", "en": "Yes."}),
        Option({"tr": "Hız için", "en": "For speed"}, {"tr": "Hayır.", "en": "No."}),
        Option({"tr": "Hepsi", "en": "All of the above"}, {}, pin=True),
    ),
    key=frozenset({0}),
    explanation={"tr": "Çünkü …", "en": "Because …"},
    source={"tr": "Chen 2016", "en": "Chen 2016"},
)


def with_option(version: Version, place: int, option: Option) -> Version:
    options = list(version.options)
    options[place] = option
    return replace(version, options=tuple(options))


# --- languages


def test_a_question_is_offered_in_the_languages_it_is_complete_in() -> None:
    assert VERSION.languages() == {"en", "tr"}


LANGUAGE_LOST: dict[str, Change] = {
    "stem": lambda one: replace(one, stem={"en": "Why?"}),
    "option": lambda one: with_option(one, 1, Option({"en": "For speed"}, {})),
    "feedback": lambda one: with_option(one, 0, replace(one.options[0], feedback={"en": "Yes."})),
    "explanation": lambda one: replace(one, explanation={"en": "Because …"}),
    "source": lambda one: replace(one, source={"en": "Chen 2016"}),
}


@pytest.mark.parametrize("change", LANGUAGE_LOST.values(), ids=LANGUAGE_LOST.keys())
def test_one_text_that_lacks_a_language_takes_the_question_out_of_it(
    change: Change,
) -> None:
    assert change(VERSION).languages() == {"en"}


def test_texts_nobody_wrote_take_no_language_away() -> None:
    assert replace(VERSION, explanation={}, source={}).languages() == {"en", "tr"}


def test_the_words_of_true_and_false_belong_to_the_catalogue() -> None:
    version = Version(
        Kind.TRUE_FALSE,
        {"tr": "Doğru mu?", "en": "Is it?"},
        (Option({}, {}), Option({}, {"tr": "Hayır.", "en": "No."})),
        frozenset({FALSE}),
        {},
        {},
    )
    assert version.languages() == {"en", "tr"}
    assert (TRUE, FALSE) == (0, 1)


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (("en",), "en"),
        (("tr", "en"), "tr"),
        (("de", "en", "tr"), "en"),
        (("de",), "tr"),  # its own first
        ((), "tr"),
    ],
)
def test_a_question_is_shown_in_the_first_wanted_language_it_has(
    wanted: tuple[str, ...], language: str
) -> None:
    assert VERSION.language_for(*wanted) == language


def test_a_question_is_never_shown_in_a_language_it_is_only_partly_in() -> None:
    partly = replace(VERSION, explanation={"en": "Because …"})
    assert partly.language_for("tr", "en") == "en"
    assert partly.language_for("tr") == "en"


def test_a_question_complete_in_no_language_is_a_fault() -> None:
    nowhere = replace(VERSION, stem={"en": "Why?"}, explanation={"tr": "Çünkü …"})
    with pytest.raises(ValueError, match="no language"):
        nowhere.language_for("en")


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ({"en": "Yes", "tr": "Evet"}, ("tr",), "Evet"),
        ({"en": "Yes", "tr": "Evet"}, ("de", "tr"), "Evet"),
        ({"en": "Yes", "tr": "Evet"}, ("de",), "Yes"),
        ({}, ("en",), ""),
    ],
)
def test_a_single_text_falls_back_to_its_own_first_language(
    text: Text, wanted: tuple[str, ...], expected: str
) -> None:
    assert in_language(text, *wanted) == expected


def test_a_quiz_title_falls_back_to_the_language_the_quiz_is_written_in() -> None:
    quiz = Quiz("pruning", {"en": "Pruning", "tr": "Budama"}, {}, "tr", (), ())
    assert (quiz.title_in("en"), quiz.title_in("de"), quiz.title_in()) == ("Pruning", "Budama", "Budama")


@pytest.mark.parametrize(
    ("kind", "several"), [(Kind.SINGLE, False), (Kind.TRUE_FALSE, False), (Kind.MULTIPLE, True)]
)
def test_only_a_multiple_question_takes_several_answers(kind: Kind, several: bool) -> None:
    assert replace(VERSION, kind=kind).takes_several is several


# --- versions


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("  a \t b\n c ", "a b c"),
        ("Cafe\u0301", "Café"),
        ("ﬁne", "ﬁne"),  # compatibility forms are different texts
        ("", ""),
    ],
)
def test_texts_are_compared_composed_and_without_surplus_white_space(written: str, compared: str) -> None:
    assert normalise(written) == compared


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


FEEDBACK = Option({"tr": "Bellek için", "en": "For memory"}, {"tr": "Evet.", "en": "Indeed."})


NOTICED: list[Change] = [
    lambda one: replace(one, kind=Kind.MULTIPLE),
    lambda one: replace(one, stem={**one.stem, "en": "Why not?"}),
    lambda one: replace(one, stem={**one.stem, "de": "Warum?"}),
    lambda one: replace(one, stem={"en": one.stem["en"]}),
    lambda one: replace(one, options=one.options[:2]),
    lambda one: replace(one, options=one.options[::-1]),
    lambda one: with_option(one, 0, FEEDBACK),
    lambda one: with_option(one, 2, replace(one.options[2], pin=False)),
    lambda one: replace(one, key=frozenset({1})),
    lambda one: replace(one, key=frozenset({0, 1})),
    lambda one: replace(one, key=None),
    lambda one: replace(one, explanation={}),
    lambda one: replace(one, source={**one.source, "en": "Chen 2017"}),
    lambda one: replace(one, markdown=True),
]


@pytest.mark.parametrize("change", NOTICED)
def test_a_change_of_texts_options_key_or_pins_makes_a_new_version(
    change: Change,
) -> None:
    assert fingerprint(change(VERSION)) != fingerprint(VERSION)


UNNOTICED: dict[str, Change] = {
    "order of languages": lambda one: replace(one, stem={"en": one.stem["en"], "tr": one.stem["tr"]}),
    "white space": lambda one: replace(one, stem={**one.stem, "en": "  Why recompute? \n"}),
    "decomposed letters": lambda one: replace(
        one, explanation={"tr": "C\u0327u\u0308nku\u0308 …", "en": "Because …"}
    ),
    "same key": lambda one: replace(one, key=frozenset([0])),
}


@pytest.mark.parametrize("change", UNNOTICED.values(), ids=UNNOTICED.keys())
def test_what_no_reader_would_notice_makes_no_new_version(change: Change) -> None:
    assert fingerprint(change(VERSION)) == fingerprint(VERSION)


@given(st.lists(st.text(min_size=1), min_size=2, max_size=4))
def test_words_moved_from_one_text_to_the_next_make_a_new_version(words: list[str]) -> None:
    def of(stem: str, *options: str) -> Version:
        return Version(
            Kind.SINGLE,
            {"en": stem},
            tuple(Option({"en": option}, {}) for option in options),
            frozenset({0}),
            {},
            {},
        )

    joined = of(words[0] + "x" + words[1], *words[2:])
    assert fingerprint(joined) != fingerprint(of(words[0] + "x", words[1], *words[2:]))
