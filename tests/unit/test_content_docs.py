"""What docs/writing-quizzes.md shows is true: its quiz and its document read as it says, its limits are the limits."""

import re
from pathlib import Path

from bot.content import draft_yaml, import_document, limits, read_quiz
from bot.content.models import ChoiceShape, OptionShape, QuizShape, TrueFalseShape
from bot.content.yamltext import MAX_BYTES
from bot.core.quiz import Quiz

_PAGE = (Path(__file__).parents[2] / "docs" / "writing-quizzes.md").read_text(encoding="utf-8")


def _block(begins: str) -> str:
    (block,) = (
        text for text in re.findall(r"^```\w*\n(.*?)^```$", _PAGE, re.S | re.M) if text.startswith(begins)
    )
    return block


def test_the_example_is_a_quiz_in_both_languages():
    quiz = read_quiz(_block("format: 1").encode(), "example.yaml")
    assert isinstance(quiz, Quiz), [str(fault) for fault in quiz]
    assert all(question.version.languages() == {"en", "tr"} for question in quiz.questions)


def test_the_plain_text_comes_in_whole():
    report = import_document(_block("Capitals").encode(), "quiz.txt")
    assert [(question.kind, question.key) for question in report.questions] == [
        ("single", "missing"),
        ("true_false", "given"),
    ]
    assert not report.skipped
    assert isinstance(read_quiz(draft_yaml(report).encode(), "draft.yaml"), Quiz)


def test_every_field_is_described():
    for shape in (QuizShape, ChoiceShape, TrueFalseShape, OptionShape):
        for name in shape.model_fields:
            assert re.search(rf"^\| .*`{name}[`:]", _PAGE, re.M), name


def test_the_limits_are_those_the_reader_holds_to():
    for words in (
        f"title {limits.TITLE}, description {limits.DESCRIPTION}, tag {limits.TAG}",
        f"stem {limits.STEM:,}, option {limits.OPTION}",
        f"explanation {limits.EXPLANATION:,}, source {limits.SOURCE}",
        f"feedback {limits.FEEDBACK}",
        f"{limits.TOGETHER:,} characters",
        f"{limits.TOGETHER_BYTES:,} bytes",
        f"options | {limits.MAX_OPTIONS} |",
        f"{MAX_BYTES // 1_048_576} MiB, {limits.MAX_QUESTIONS:,} questions",
    ):
        assert words in _PAGE, words
