"""The native format: what is read, and every fault an author can make, with its place and its remedy."""

from pathlib import Path
from textwrap import dedent

import pytest

from bot.content import check_paths, load_quizzes, read_quiz
from bot.content.limits import MAX_QUESTIONS, TOGETHER_BYTES
from bot.core.quiz import FALSE, TRUE, Kind, Option, Question, Quiz, Version

_HEAD = "format: 1\nid: q\ntitle: T\nlanguage: en\nquestions:\n"
_WHOLE = """\
format: 1
id: memory
title: {en: Memory, tr: Bellek}
description: About memory
language: en
tags: [training, 07]
markdown: true
questions:
  - id: one
    stem: |
      What does yes mean?

    options:
      - text: yes
        correct: true
        feedback: Right.
      - text: 12:30
        correct: false
        pin: true
    explanation: Because.
    source: https://a.b/c
  - id: two
    type: multiple
    stem: {en: Which?, tr: Hangileri?}
    options:
      - text: {en: A, tr: B}
        correct: true
      - text: {en: C, tr: D}
        correct: true
    source: Li et al.
  - id: three
    type: true_false
    stem: It is so.
    answer: false
    feedback: {true: No., false: Yes.}
  - id: four
    type: true_false
    stem: Is it?
    key: missing
  - id: five
    stem: Who knows?
    key: missing
    options: [{text: null}, {text: ~}]
"""


def _quiz(data: str) -> Quiz:
    quiz = read_quiz(data.encode(), "q.yaml")
    assert isinstance(quiz, Quiz), [str(fault) for fault in quiz]
    return quiz


def _faults(data: str) -> list[str]:
    faults = read_quiz(data.encode(), "q.yaml")
    assert not isinstance(faults, Quiz)
    return [str(fault) for fault in faults]


def _question(body: str) -> str:
    """Return a quiz of one question, which begins on line 6 with its id."""
    lines = dedent(body).strip("\n").splitlines()
    return _HEAD + "  - id: a\n" + "".join(f"    {line}\n" for line in lines)


def test_a_quiz_is_read_as_typed():
    assert _quiz(_WHOLE) == Quiz(
        ref="memory",
        title={"en": "Memory", "tr": "Bellek"},
        description={"en": "About memory"},
        language="en",
        tags=("training", "07"),
        questions=(
            Question(
                "one",
                Version(
                    Kind.SINGLE,
                    {"en": "What does yes mean?"},
                    (Option({"en": "yes"}, {"en": "Right."}), Option({"en": "12:30"}, {}, pin=True)),
                    frozenset({0}),
                    {"en": "Because."},
                    {"en": "https://a.b/c"},
                    markdown=True,
                ),
            ),
            Question(
                "two",
                Version(
                    Kind.MULTIPLE,
                    {"en": "Which?", "tr": "Hangileri?"},
                    (Option({"en": "A", "tr": "B"}, {}), Option({"en": "C", "tr": "D"}, {})),
                    frozenset({0, 1}),
                    {},
                    {"en": "Li et al.", "tr": "Li et al."},
                    markdown=True,
                ),
            ),
            Question("three", _true_false("It is so.", frozenset({FALSE}), "No.", "Yes.")),
            Question("four", _true_false("Is it?", None)),
            Question(
                "five",
                Version(
                    Kind.SINGLE,
                    {"en": "Who knows?"},
                    (Option({"en": "null"}, {}), Option({"en": "~"}, {})),
                    None,
                    {},
                    {},
                    markdown=True,
                ),
            ),
        ),
    )


def _true_false(stem: str, key: frozenset[int] | None, *feedback: str) -> Version:
    said = [{"en": words} for words in feedback] or [{}, {}]
    options = (Option({}, said[TRUE], pin=True), Option({}, said[FALSE], pin=True))
    return Version(Kind.TRUE_FALSE, {"en": stem}, options, key, {}, {}, markdown=True)


def test_a_byte_order_mark_and_windows_line_ends_change_nothing():
    assert read_quiz(("\ufeff" + _WHOLE).replace("\n", "\r\n").encode(), "q") == _quiz(_WHOLE)


def test_a_question_may_lack_a_language_that_the_title_has():
    quiz = _quiz(_WHOLE)
    assert [sorted(question.version.languages()) for question in quiz.questions[:2]] == [["en"], ["en", "tr"]]


_OPTIONS = "options: [{text: a, correct: true}, {text: b}]"


@pytest.mark.parametrize(
    ("body", "place", "wrong", "remedy"),
    [
        ("stem: s\noptions: [{text: a}, {text: b}]", "6:5", "no option is marked", "`key: missing`"),
        (
            "stem: s\noptions:\n  - text: a\n    correct: true\n  - text: b\n    correct: true",
            "12:9",
            "2 options of a `single`",
            "type: multiple",
        ),
        (f"stem: s\nkey: missing\n{_OPTIONS}", "9:25", "`key: missing`", "keep one"),
        (
            "stem: s\noptions: [{text: a, correct: yes}, {text: b}]",
            "8:34",
            "`correct` is `yes`",
            "true or false",
        ),
        ("stem: s\noptions: [{text: a, correct: True}, {text: b}]", "8:34", "`True`", "true or false"),
        (f"stem: s\nkey: none\n{_OPTIONS}", "8:10", "`key` cannot be `none`", "key: missing"),
        ("stem: s\ntype: true_false", "6:5", "right answer is not given", "answer: true"),
        ("stem: s\ntype: true_false\nanswer: true\nkey: missing", "9:5", "key: missing", "keep one"),
        (
            f"stem: s\ntype: true_false\nanswer: true\n{_OPTIONS}",
            "10:5",
            "no field `options`",
            "answer: true",
        ),
        (
            f"stem: s\nexplnation: e\n{_OPTIONS}",
            "8:5",
            "no field `explnation`",
            "did you mean `explanation`?",
        ),
        (f"stem: s\n{_OPTIONS}\ncorrect: true", "9:5", "no field `correct`", "belongs to an option"),
        (f"stem: s\n{_OPTIONS}\nimage: x.png", "9:5", "no field `image`", "there are "),
        (f"{_OPTIONS}", "6:5", "has no `stem`", "add it"),
        ("stem: s\noptions: [{text: a, correct: true}]", "8:14", "1 entries", "add"),
        (
            "stem: s\nkey: missing\noptions: [" + "".join(f"{{text: o{n}}}, " for n in range(11)) + "]",
            "9:14",
            "10 is the most",
            "take some out",
        ),
        (
            "stem: s\noptions: [{text: a, correct: true}, {text: ' a '}]",
            "8:48",
            "equal to option 1",
            "differently",
        ),
        (f"stem:\n{_OPTIONS}", "7:10", "the stem is empty", "delete the line"),
        (f"stem: {{}}\n{_OPTIONS}", "7:11", "the stem is empty", "write it"),
        (f"stem: [a]\n{_OPTIONS}", "7:11", "`stem` should be one text", "{en: …, tr: …}"),
        (f"stem: {{en: [a]}}\n{_OPTIONS}", "7:16", "one text", "quotes"),
        (f"stem: {{english: s}}\n{_OPTIONS}", "7:12", "`english` is no language code", "pt-BR"),
        (f'stem: "a\\x07b"\n{_OPTIONS}', "7:11", "invisible character U+0007", "delete it"),
        (f"stem: {{tr: s}}\n{_OPTIONS}", "7:11", "complete in no language", "one language"),
        (
            f"stem: s\n{_OPTIONS}\nexplanation: {{tr: e}}",
            "9:18",
            "explanation is missing in en",
            "one language",
        ),
        (f"type: several\nstem: s\n{_OPTIONS}", "7:11", "`type` cannot be `several`", "true_false"),
        (f"stem: s\n{_OPTIONS}\nfeedback: f", "9:5", "no field `feedback`", "belongs to an option"),
    ],
)
def test_a_fault_of_a_question_is_named_with_its_place_and_remedy(
    body: str, place: str, wrong: str, remedy: str
):
    (fault,) = _faults(_question(body))
    message, _, advice = fault.rpartition("; ")
    assert message.startswith(f"q.yaml:{place}: ")
    assert wrong in message
    assert remedy in advice


@pytest.mark.parametrize(
    ("text", "place", "wrong"),
    [
        (_HEAD.replace("format: 1", "format: 2"), "1:9", "`format` cannot be `2`"),
        (_HEAD.replace("format: 1\n", ""), "1:1", "has no `format`"),
        (_HEAD.replace("id: q", "id: My Quiz"), "2:5", "`id` cannot be `My Quiz`"),
        (_HEAD.replace("title: T", "titel: T"), "3:1", "did you mean `title`"),
        (_HEAD.replace("language: en", "language: EN"), "4:11", "`language` cannot be `EN`"),
        (_HEAD.replace("language: en", "language: en\ntags: x"), "5:7", "`tags` should be a list"),
        (_HEAD.replace("language: en", "language: en\ntags: [x, X]"), "5:11", "stands twice"),
        (_HEAD.replace("language: en", "language: en\nmarkdown: on"), "5:11", "`markdown` is `on`"),
        (_HEAD + "  - a\n  - b\n", "6:5", "here should stand fields"),
        (_HEAD.replace("questions:\n", "questions: []\n"), "5:12", "0 entries"),
        ("- a\n", "1:1", "this is no quiz"),
        ("just words", "1:1", "this is no quiz"),
    ],
)
def test_a_fault_of_the_quiz_is_named_with_its_place(text: str, place: str, wrong: str):
    question = f"  - id: a\n    stem: s\n    {_OPTIONS}\n"
    whole = text + question if text.endswith("questions:\n") else text
    assert any(fault.startswith(f"q.yaml:{place}: ") and wrong in fault for fault in _faults(whole))


def test_all_faults_of_a_file_are_told_in_the_order_of_its_lines():
    text = """\
        format: 1
        id: Q
        title: {en: t, en: u}
        language: en
        questions:
          - id: a
            stem: *s
            options: [{text: x}, {txt: y}]
          - id: a
            stm: s
            type: true_false
        """
    places = [fault.split(": ")[0].removeprefix("q.yaml:") for fault in _faults(dedent(text))]
    assert places == ["2:5", "3:16", "6:5", "7:11", "8:26", "8:27", "9:5", "9:5", "9:9", "10:5"]


@pytest.mark.parametrize(
    ("field", "limit"),
    [("stem", 1500), ("option", 300), ("explanation", 2000), ("feedback", 500), ("source", 200)],
)
def test_lengths_are_counted_as_rendered_in_utf_16_units(field: str, limit: int):
    def question(words: str) -> str:
        texts = {"stem": "s", "option": "o", "explanation": "e", "feedback": "f", "source": "x", field: words}
        return _question(
            f"""
            stem: {texts["stem"]}
            options:
              - text: {texts["option"]}
                correct: true
                feedback: {texts["feedback"]}
              - text: b
            explanation: {texts["explanation"]}
            source: {{en: {texts["source"]}}}
            """
        )

    for fits, breaks in (("a", "a"), ("_", "_"), ("😀", "😀")):
        width = 1 if fits == "a" else 2
        _quiz(question(fits * (limit // width)))
        (fault,) = _faults(question(breaks * (limit // width + 1)))
        assert f"than the {limit} allowed" in fault


def test_code_is_counted_as_it_stands():
    _quiz(_question(f"stem: '`{'_' * 1498}`'\n{_OPTIONS}"))


def test_title_description_and_tags_have_limits():
    for name, limit, line in (("title", 80, "title: {}"), ("description", 300, "title: T\ndescription: {}")):
        for length in (limit, limit + 1):
            text = _question(f"stem: s\n{_OPTIONS}").replace("title: T", line.format("a" * length))
            assert isinstance(read_quiz(text.encode(), "q"), Quiz) is (length == limit), name
    assert (
        "41 characters"
        in _faults(_question(f"stem: s\n{_OPTIONS}").replace("title: T", f"title: T\ntags: [{'a' * 41}]"))[0]
    )


def test_stem_and_options_have_a_limit_together_in_each_language():
    def question(letter: str, stem: int, option: int) -> str:
        texts = "".join(
            f"  - text: {{en: o{place}, tr: {letter * option}{place}}}\n" for place in range(6)
        ).replace("\n", "\n    correct: true\n", 1)
        return _question(f"stem: {{en: s, tr: {letter * stem}}}\noptions:\n{texts}")

    _quiz(question("a", 1500, 282))
    (fault,) = _faults(question("a", 1500, 283))
    assert "3204 characters together in tr" in fault
    (fault,) = _faults(question("語", 1400, 260))
    assert f"bytes together in tr, {TOGETHER_BYTES} are allowed" in fault


def test_the_number_of_questions_is_bounded():
    body = "".join(
        f"  - {{id: q{n}, stem: s, type: true_false, answer: true}}\n" for n in range(MAX_QUESTIONS + 1)
    )
    (fault,) = _faults(_HEAD + body)
    assert f"{MAX_QUESTIONS} is the most" in fault


def test_files_and_folders_are_read_together_and_quiz_ids_are_unique(tmp_path: Path):
    folder = tmp_path / "quizzes"
    folder.mkdir()
    (folder / "a.yaml").write_text(_WHOLE)
    (folder / "b.yml").write_text(_WHOLE.replace("id: memory", "id: other"))
    (folder / "c.yaml").write_text("format: 2\n")
    (folder / "notes.txt").write_text("no quiz")
    twin = tmp_path / "twin.yaml"
    twin.write_text(_WHOLE)
    loaded = load_quizzes([folder, twin, tmp_path / "nowhere.yaml"])
    assert [quiz.ref for quiz in loaded.quizzes] == ["memory", "other"]
    texts = [str(fault) for fault in loaded.faults]
    assert any(text.startswith(f"{folder / 'c.yaml'}:1:9: ") for text in texts)
    assert any(text.startswith(f"{twin}:2:5: ") and "id `memory` already" in text for text in texts)
    assert any("no such file" in text for text in texts)


def test_check_counts_what_there_is_to_play(tmp_path: Path):
    file = tmp_path / "a.yaml"
    file.write_text(_WHOLE)
    checked = check_paths([file])
    assert checked.ok
    assert checked.as_text().splitlines() == [
        "1 quiz, 5 questions",
        "en: 5 questions",
        "tr: 1 question",
        "without a right answer, so never scored: 2 questions",
    ]


def test_check_prints_one_fault_a_line(tmp_path: Path):
    file = tmp_path / "a.yaml"
    file.write_text("format: 1\nid: a\n")
    checked = check_paths([file])
    assert not checked.ok
    assert [line.split(": ")[0] for line in checked.as_text().splitlines()] == [f"{file}:1:1"] * 3
