"""Drafts: whatever was imported is written as a file that the native reader takes, with its keys left open."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.content import draft_quiz, draft_yaml, import_document, read_quiz
from bot.core.quiz import FALSE, TRUE, Kind, Quiz

_DATA = Path(__file__).parents[1] / "data" / "import"


def _draft(text: str, name: str = "My quiz.txt", language: str | None = None) -> Quiz:
    report = import_document(text.encode(), name)
    read = read_quiz(draft_yaml(report, language=language).encode(), "draft.yaml")
    assert isinstance(read, Quiz), [str(fault) for fault in read]
    assert read == draft_quiz(report, language=language)
    return read


@pytest.mark.parametrize("file", sorted(_DATA.glob("*.txt")), ids=lambda file: file.name)
def test_every_document_becomes_a_draft_that_reads(file: Path):
    report = import_document(file.read_bytes(), file.name)
    read = read_quiz(draft_yaml(report).encode(), "draft.yaml")
    assert isinstance(read, Quiz)
    assert len(read.questions) == len(report.questions)
    assert [question.version.key is None for question in read.questions] == [
        question.key == "missing" for question in report.questions
    ]


def test_a_draft_says_how_to_complete_it():
    report = import_document(b"T\n1. s\n- x\n- y\n", "a\nb.txt")
    note = draft_yaml(report).splitlines()[:3]
    assert all(line.startswith("# ") for line in note)
    assert "1 of 1" in note[0]
    assert draft_yaml(import_document(b"s\nA. x\nB. y\nANSWER: A", "a.txt")).startswith("format: 1\n")


def test_ids_come_from_the_words_with_turkish_letters_folded():
    quiz = _draft(
        "Işık ve Gölge\n1. Çığ, İğne, ŞÜKÜR?\n- x\n- y\n2. Çığ iğne şükür!\n- x\n- y\n3. ؟\n- x\n- y\n"
    )
    assert quiz.ref == "isik-ve-golge"
    assert [question.ref for question in quiz.questions] == [
        "cig-igne-sukur",
        "cig-igne-sukur-2",
        "question-3",
    ]


def test_without_a_title_the_file_gives_its_name():
    quiz = _draft("1. s\n- x\n- y\n", "capitals of europe.txt")
    assert (quiz.ref, quiz.title) == ("capitals-of-europe", {"en": "capitals of europe"})


def test_the_language_is_turkish_where_its_letters_are_and_can_be_given():
    assert _draft("Toplama\n1. Kaç eder?\n- bir\n- iki\n").language == "tr"
    english = "Sums\n1. How many pears has Ayşe bought if each of her friends gets three?\n- one\n- six\n"
    assert _draft(english).language == "en"
    assert _draft("Summen\n1. Wie viele für dich?\n- x\n- y\n", language="de").language == "de"


def test_true_and_false_find_their_places():
    quiz = _draft(
        "T\n1. s\n- Yanlış\n- Doğru\nANSWER: A\n2. t\n- True\n- False\nANSWER: A\n3. u\n- True\n- False\n"
    )
    assert {question.version.kind for question in quiz.questions} == {Kind.TRUE_FALSE}
    assert [question.version.key for question in quiz.questions] == [
        frozenset({FALSE}),
        frozenset({TRUE}),
        None,
    ]


def test_a_long_header_is_shortened_and_said_to_be():
    report = import_document(f"{'_a' * 60}\n{'b ' * 200}\n1. s\n- x\n- y\n".encode(), "q.txt")
    assert [doubt.line for doubt in report.warnings] == [1, 1]
    title = draft_quiz(report).title["en"]
    assert title.endswith("…")
    assert title.startswith("_a_a")


def test_a_report_without_questions_gives_no_draft():
    with pytest.raises(ValueError, match="no question"):
        draft_yaml(import_document(b"nothing", "q.txt"))


_TEXT = st.text(max_size=30)


@given(st.lists(st.tuples(_TEXT, st.lists(_TEXT, max_size=4)), max_size=4), _TEXT, _TEXT)
def test_any_document_becomes_a_draft_that_reads(
    questions: list[tuple[str, list[str]]], title: str, name: str
):
    lines = [title, ""]
    for number, (stem, options) in enumerate(questions, 1):
        lines += [f"{number}. {stem}", *(f"• {option}" for option in options)]
    report = import_document("\n".join(lines).encode(errors="replace"), name)
    if report.questions:
        read = read_quiz(draft_yaml(report).encode(), "draft.yaml")
        assert read == draft_quiz(report)
