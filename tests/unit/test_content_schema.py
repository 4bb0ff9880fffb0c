"""The schema for editors is the one the models make, and agrees with the reader on the shipped quizzes."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.content import load_quizzes
from bot.content.schema import quiz_schema, schema_text
from bot.content.yamltext import Raw, parse

_QUIZZES = Path(__file__).parents[2] / "quizzes"
_SHIPPED = sorted(_QUIZZES.glob("*.yaml"))
_VALID = """\
format: 1
id: q
title: {en: T, tr: B}
language: en
questions:
  - {id: a, stem: 7, options: [{text: 07, correct: true, pin: false}, {text: true}], source: s}
  - {id: b, type: true_false, stem: s, answer: true, feedback: {true: t, false: {en: f}}}
  - {id: c, type: multiple, stem: s, key: missing, options: [{text: a}, {text: b}]}
"""


def _as_an_editor_reads(raw: Raw) -> Any:
    if isinstance(raw, dict):
        return {name: _as_an_editor_reads(value) for name, value in raw.items()}
    if isinstance(raw, list):
        return [_as_an_editor_reads(value) for value in raw]
    if raw in ("true", "false"):
        return raw == "true"
    return int(raw) if re.fullmatch(r"[0-9]+", raw) else raw


def _valid(text: str) -> bool:
    validator = jsonschema.Draft202012Validator(quiz_schema())
    data = parse(text, "q").data
    assert data is not None
    return validator.is_valid(_as_an_editor_reads(data))


def test_the_file_is_what_the_models_make():
    assert (_QUIZZES / "quiz.schema.json").read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(quiz_schema())


def test_a_valid_quiz_is_valid_for_an_editor():
    assert _valid(_VALID)


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("format: 1", "format: 2"),
        ("id: q", "id: My Quiz"),
        ("title:", "titel:"),
        ("language: en", "language: english"),
        ("correct: true", "correct: yes"),
        ("stem: 7", "stem: []"),
        ("key: missing", "key: none"),
        ("key: missing", "key: null"),
        ("type: multiple", "type: several"),
        (", {text: b}", ""),
        ("answer: true", "options: [{text: a}, {text: b}]"),
        ("source: s", "image: s"),
        ("tr: B", "Turkish: B"),
    ],
)
def test_an_editor_marks_what_the_reader_refuses(typed: str, instead: str):
    assert typed in _VALID
    assert not _valid(_VALID.replace(typed, instead))


@pytest.mark.parametrize("file", _SHIPPED, ids=lambda file: file.stem)
def test_the_shipped_quizzes_have_no_fault_and_are_complete_in_both_languages(file: Path):
    loaded = load_quizzes([file])
    assert [str(fault) for fault in loaded.faults] == []
    assert _valid(file.read_text(encoding="utf-8"))
    for question in loaded.quizzes[0].questions:
        assert question.version.languages() >= {"en", "tr"}
        assert question.version.key is not None


def test_two_quizzes_are_shipped():
    assert {"activation-recomputation", "structured-pruning"} <= {file.stem for file in _SHIPPED}
