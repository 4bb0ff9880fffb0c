"""A quiz that is written and read again is the same quiz, whatever its texts hold."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.content import read_quiz, to_yaml
from bot.content.write import write_fields
from bot.content.yamltext import parse
from bot.core.quiz import Kind, Option, Question, Quiz, Text, Version

_LANGUAGES = ("en", "tr", "pt-BR", "no")
_WORDS = st.text(
    st.one_of(
        st.sampled_from(" \n\t:#-'\"|>&*!%@`{}[],?~=\\.…ğ😀07yesnotrue"),
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]),
    ),
    max_size=20,
)
_TYPED = st.one_of(
    _WORDS, st.sampled_from(["yes", "07", "1e3", "12:30", "null", "~", "<<", "- a", "a: b", "# c"])
)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=40), min_size=1, max_size=3))
def test_any_text_comes_back_exactly(fields: dict[str, str]):
    assert parse(write_fields(dict(fields)), "q").data == fields


def _texts(languages: tuple[str, ...]) -> st.SearchStrategy[Text]:
    words = _TYPED.map(str.strip).filter(bool)
    return st.fixed_dictionaries(dict.fromkeys(languages, words))


def _maybe(languages: tuple[str, ...]) -> st.SearchStrategy[Text]:
    return st.one_of(st.just({}), _texts(languages))


@st.composite
def _versions(draw: st.DrawFn, markdown: bool) -> Version:
    languages = draw(st.lists(st.sampled_from(_LANGUAGES), min_size=1, max_size=3, unique=True).map(tuple))
    kind = draw(st.sampled_from(Kind))
    more = draw(st.sampled_from([languages, *(((*languages, "de"),) if "de" not in languages else ())]))
    if kind is Kind.TRUE_FALSE:
        options = tuple(Option({}, draw(_maybe(languages)), pin=True) for _ in range(2))
        keys = st.sampled_from([None, frozenset({0}), frozenset({1})])
    else:
        count = draw(st.integers(2, 4))
        # The number in front keeps the options apart.
        options = tuple(
            Option(
                {tongue: f"{place} {words}" for tongue, words in draw(_texts(languages)).items()},
                draw(_maybe(languages)),
                draw(st.booleans()),
            )
            for place in range(count)
        )
        places = st.integers(0, count - 1)
        most = 1 if kind is Kind.SINGLE else count
        keys = st.one_of(st.none(), st.frozensets(places, min_size=1, max_size=most))
    return Version(
        kind,
        draw(_texts(more)),
        options,
        draw(keys),
        draw(_maybe(languages)),
        draw(_maybe(languages)),
        markdown,
    )


@st.composite
def _quizzes(draw: st.DrawFn) -> Quiz:
    markdown = draw(st.booleans())
    versions = draw(st.lists(_versions(markdown), min_size=1, max_size=3))
    tags = draw(st.lists(_TYPED.map(lambda tag: " ".join(tag.split())).filter(bool), max_size=3))
    return Quiz(
        ref="q",
        title=draw(_texts(("en", "tr"))),
        description=draw(_maybe(("en",))),
        language=draw(st.sampled_from(_LANGUAGES)),
        tags=tuple({tag.casefold(): tag for tag in tags}.values()),
        questions=tuple(Question(f"q-{place}", version) for place, version in enumerate(versions)),
    )


@given(_quizzes())
@settings(max_examples=200)
def test_a_written_quiz_reads_as_the_same_quiz(quiz: Quiz):
    written = to_yaml(quiz)
    read = read_quiz(written.encode(), "q.yaml")
    assert read == quiz, written


def test_a_written_quiz_reads_well():
    version = Version(
        Kind.SINGLE,
        {"en": "What does it print?\n\n```py\nprint(1)\n```"},
        (Option({"en": "yes"}, {"en": "Right: it does.", "tr": "Doğru."}), Option({"en": "2"}, {}, pin=True)),
        frozenset({0}),
        {"en": "Because it prints, as anybody can see who reads the manual of the language, the number one."},
        {"en": "Manual"},
    )
    statement = Version(
        Kind.TRUE_FALSE,
        {"en": "So?", "tr": "Öyle mi?"},
        (Option({}, {"en": "No."}, pin=True), Option({}, {}, pin=True)),
        frozenset({1}),
        {},
        {"en": "Li", "tr": "Li"},
    )
    questions = (Question("prints", version), Question("so", statement))
    quiz = Quiz("first", {"en": "First"}, {}, "en", ("a tag", "07"), questions)
    assert to_yaml(quiz) == (
        """\
format: 1
id: first
title: First
language: en
tags:
  - a tag
  - '07'
questions:
  - id: prints
    stem: |-
      What does it print?

      ```py
      print(1)
      ```
    options:
      - text: 'yes'
        correct: true
        feedback:
          en: 'Right: it does.'
          tr: Doğru.
      - text: '2'
        pin: true
    explanation: Because it prints, as anybody can see who reads the manual of the language, the number
      one.
    source: Manual

  - id: so
    type: true_false
    stem:
      en: So?
      tr: Öyle mi?
    answer: false
    feedback:
      true: No.
    source: Li
"""
    )
