"""Plain-text and Aiken documents: the cases, the two seed documents, and that nothing is ever guessed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.content import Format, Report, detect, import_document

_DATA = Path(__file__).parents[1] / "data" / "import"
_SEEDS = ("seed-activation-recomputation.txt", "seed-structured-pruning.txt")


def _import(text: str, name: str = "quiz.txt") -> Report:
    return import_document(text.encode(), name)


def _case(name: str) -> tuple[Report, dict[str, Any]]:
    report = import_document((_DATA / name).read_bytes(), name)
    return report, json.loads((_DATA / f"{name}.expected.json").read_text(encoding="utf-8"))


def _options(report: Report, place: int = 0) -> list[str]:
    return [option.text for option in report.questions[place].options]


def test_a_document_without_a_key_gets_none():
    report, expected = _case("c01-plain-no-key.txt")
    assert (report.title, report.description) == (expected["title"], expected["description"])
    assert len(report.questions) == expected["count"]
    assert {question.key for question in report.questions} == {"missing"}
    assert {option.credit for question in report.questions for option in question.options} == {None}
    assert report.questions[-1].stem == expected["last"]["stem"]
    assert _options(report, -1) == expected["last"]["options"]
    assert not report.skipped
    assert not report.warnings


def test_line_ends_and_a_byte_order_mark_change_nothing():
    plain, _ = _case("c01-plain-no-key.txt")
    windows, expected = _case("c01b-plain-no-key-crlf-bom.txt")
    assert expected == {"same_as": "c01-plain-no-key.txt"}
    assert windows.as_json() == plain.as_json()


def test_a_year_at_the_start_of_a_line_opens_no_question():
    report, expected = _case("c02-year-is-not-a-number.txt")
    assert len(report.questions) == expected["count"]
    for place, item in enumerate(expected["items"]):
        assert (report.questions[place].stem, _options(report, place)) == (item["stem"], item["options"])
    assert [doubt.line for doubt in report.warnings] == [6]


def test_lenient_aiken_comes_in_with_its_keys_and_warnings():
    report, expected = _case("c03-aiken-lenient.txt")
    assert report.format == "aiken"
    assert len(report.questions) == expected["count"]
    for place, item in enumerate(expected["items"]):
        question = report.questions[place]
        assert (question.stem, _options(report, place)) == (item["stem"], item["options"])
        assert [n for n, option in enumerate(question.options) if option.credit == 1] == item["correct"]
        assert question.key == "given"
    said = " ".join(doubt.message for doubt in report.warnings)
    assert "another sign" in said
    assert "blank line is missing" in said
    assert "small letter" in said


@pytest.mark.parametrize("name", _SEEDS)
def test_the_seed_documents_come_in_whole_with_every_key_missing(name: str):
    report = import_document((_DATA / name).read_bytes(), name)
    assert report.description == "Testi çözdüğünüzde cevaplar ve açıklamalar görünür."
    assert len(report.questions) == 8
    for question in report.questions:
        assert (question.kind, question.key, len(question.options)) == ("single", "missing", 4)
        assert all(option.credit is None for option in question.options)
    assert not report.skipped
    assert not report.warnings


def test_the_report_as_json_has_exactly_the_agreed_shape():
    report = _import("T\nD\n\n1. a\n- x\n- y\nANSWER: A\n\nstray\n2. b\n- Doğru\n- Yanlış\n")
    assert json.loads(json.dumps(report.as_json())) == {
        "format": "plain",
        "title": "T",
        "description": "D",
        "questions": [
            {
                "type": "single",
                "stem": "a",
                "options": [
                    {"text": "x", "credit": 1.0, "feedback": ""},
                    {"text": "y", "credit": 0.0, "feedback": ""},
                ],
                "answers": [],
                "key": "given",
                "explanation": "",
                "line": 4,
            },
            {
                "type": "true_false",
                "stem": "b",
                "options": [
                    {"text": "Doğru", "credit": None, "feedback": ""},
                    {"text": "Yanlış", "credit": None, "feedback": ""},
                ],
                "answers": [],
                "key": "missing",
                "explanation": "",
                "line": 10,
            },
        ],
        "skipped": [{"line": 9, "reason": "this line is neither a question nor an option"}],
        "warnings": [],
    }


@pytest.mark.parametrize("marks", ["• • •", "- - -", "* * *", "a) b) c)", "A. B. C.", "(a) (b) (c)", "– – –"])
def test_options_stand_behind_bullets_or_letters(marks: str):
    first, second, third = marks.split()
    report = _import(f"T\n1. s\n  {first} x\n  {second} y\n\n  {third} z z\n  z")
    assert _options(report) == ["x", "y", "z z\nz"]
    assert not report.warnings


def test_letters_behind_bullets_are_no_part_of_the_text():
    assert _options(_import("T\n1. s\n• A) x\n• B) y\n")) == ["x", "y"]
    assert _options(_import("T\n1. s\n• A) x\n• y\n")) == ["A) x", "y"]


def test_a_letter_opens_an_option_only_if_it_is_the_next_one():
    report = _import("T\n1. Who was\nC. Shannon?\nA. x\nB. y\nE. Z. wrote that\n")
    assert report.questions[0].stem == "Who was\nC. Shannon?"
    assert _options(report) == ["x", "y\nE. Z. wrote that"]


def test_stems_may_have_several_lines_and_a_sentence_may_begin_with_an_abbreviation():
    report = _import("T\n1. Which of\nthese?\nA.B.D. is one.\n- x\n- y\n")
    assert report.questions[0].stem == "Which of\nthese?\nA.B.D. is one."


@pytest.mark.parametrize(
    "pair", [("Doğru", "Yanlış"), ("YANLIŞ", "DOĞRU"), ("True", "False"), ("false.", "true.")]
)
def test_the_words_for_true_and_false_make_a_true_false_question(pair: tuple[str, str]):
    assert _import(f"T\n1. s\n- {pair[0]}\n- {pair[1]}\n").questions[0].kind == "true_false"


def test_other_pairs_do_not():
    for pair in (("Doğru", "False"), ("Evet", "Hayır"), ("True", "True positive")):
        assert _import(f"T\n1. s\n- {pair[0]}\n- {pair[1]}\n").questions[0].kind == "single"


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("1. s", 2, "no options"),
        ("1. s\n- x", 2, "one option"),
        ("1. s\n" + "".join(f"- {n}\n" for n in range(11)), 2, "11 options, 10 is the most"),
        ("1. s\n- x\n- x ", 2, "two equal options"),
        ("1. s\n-\n- y", 2, "an option without text"),
        ("1.\n- x\n- y", 2, "no text"),
        (f"1. {'_' * 751}\n- x\n- y", 2, "1502 characters as rendered"),
        (f"1. s\n- {'x' * 301}\n- y", 2, "an option takes 301"),
        ("1. s\n- x\n- y\n3. t\n- v\n- w\n", 5, "3 stands where 2 was expected"),
        ("no numbers\n- x\n", 1, "there is no question"),
    ],
)
def test_what_does_not_come_in_is_skipped_with_line_and_reason(body: str, line: int, reason: str):
    report = _import(f"T\n{body}")
    assert [skipped.line for skipped in report.skipped] == [line]
    assert reason in report.skipped[0].reason


def test_a_question_out_of_sequence_is_never_glued_to_the_one_before():
    report = _import("T\n1. s\n- x\n- y\n3. t\n- v\n- w\n4. u\n- v\n- w\n2. r\n- p\n- q\n")
    assert [question.stem for question in report.questions] == ["s", "r"]
    assert _options(report) == ["x", "y"]
    assert [skipped.line for skipped in report.skipped] == [5, 8]


def test_two_different_keys_leave_the_key_open():
    report = _import("1. s\n- x\n- y\nANSWER: A\nANSWER: B\n2. t\n- x\n- y\nANSWER: F\n")
    assert [question.key for question in report.questions] == ["conflicting", "missing"]
    assert {option.credit for question in report.questions for option in question.options} == {None}
    assert {doubt.line for doubt in report.warnings} == {1, 9}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1254"])
def test_encodings_people_save_in_are_read(encoding: str):
    text = "Işık Quizi\n\n1. Dağ, şu, İğne?\n• ğ\n• ş\n"
    data = text.encode(encoding)
    report = import_document(data, "q.txt")
    assert report.title == "Işık Quizi"
    assert _options(report) == ["ğ", "ş"]
    assert [doubt.line for doubt in report.warnings] == ([1] if encoding == "cp1254" else [])


def test_western_windows_text_comes_in_with_a_warning():
    report = import_document("Žižek\n1. s\n- x\n- y\n".encode("cp1252"), "q.txt")
    assert report.title == "Žižek"
    assert "cp1252" in report.warnings[0].message


@pytest.mark.parametrize("data", [b"PK\x03\x04\0\0", b"%PDF\x81\x8d", b"a" * 1_048_577])
def test_what_is_no_text_is_refused_in_words(data: bytes):
    report = import_document(data, "q.bin")
    assert not report.questions
    assert len(report.skipped) == 1


def test_invisible_characters_are_left_out_with_a_warning():
    report = _import("T\n1. a\x0bb\x07\n- x\n- y\n")
    assert report.questions[0].stem == "a b"
    assert report.warnings[0].line == 2


def test_formats_are_told_apart():
    assert detect(b"T\n1. s\n- x\n- y\nANSWER: A") is Format.PLAIN
    assert detect(b"s\nA. x\nB. y\nANSWER: A") is Format.AIKEN
    assert detect(b"format: 1\nid: a\nquestions:\n") is Format.NATIVE
    assert detect(b"\0\1") is None
    assert "native format already" in _import("format: 1\nid: a\nquestions:\n").skipped[0].reason


def test_the_report_for_readers_names_what_happened():
    text = _import("T\n1. s\n- x\n- y\nANSWER: B\n\nstray\n2. t\n- x\n- y\n").as_text()
    assert "questions: 2 (2 single)" in text
    assert "right answers: 1 given, 1 missing, 0 conflicting" in text
    assert "1. line 2: s [right: y]" in text
    assert "skipped, line 7" in text


_LINES = st.sampled_from(
    [
        "",
        "T",
        "1. a",
        "2. b",
        "3. c",
        "7. d",
        "1920. e",
        "- x",
        "- y",
        "• z",
        "A) v",
        "B. w",
        "ANSWER: B",
        "ANSWER: z",
    ]
)


@given(st.lists(_LINES, max_size=20))
def test_every_line_ends_up_somewhere(lines: list[str]):
    report = _import("\n".join(lines))
    told = {part.line for part in (*report.skipped, *report.warnings)}
    assert all(1 <= line <= max(1, len(lines)) for line in told)
    for question in report.questions:
        assert 2 <= len(question.options) <= 10
        assert (question.key == "given") == any(option.credit == 1 for option in question.options)


@given(st.binary(max_size=200))
def test_no_document_makes_the_import_fail(data: bytes):
    report = import_document(data, "q.txt")
    assert report.questions or report.skipped
