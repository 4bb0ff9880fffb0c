"""What an import found in a foreign document: the same report for every format, for people and for programs.

A report says everything about what was read and what was not, each with its line; it decides nothing. A key that is
not in the document is missing, whatever the options look like.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.content.faults import quoted
from bot.core.quiz import Kind


class KeyState(StrEnum):
    """Whether the document says which options are right."""

    GIVEN = "given"
    MISSING = "missing"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class FoundOption:
    """An option as the document has it; credit is None where the key is missing, else 0 to 1."""

    text: str
    credit: float | None = None
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class FoundQuestion:
    """A question as the document has it; `answers` are those of a question whose answer is typed."""

    kind: Kind
    stem: str
    options: tuple[FoundOption, ...]
    key: KeyState
    line: int
    explanation: str = ""
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the document that did not come in, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that came in but should be looked at."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything an import found; `name` is the document's file name, for where it has no title."""

    format: str
    name: str
    title: str = ""
    description: str = ""
    questions: tuple[FoundQuestion, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[Doubt, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the report as one JSON object."""
        return {
            "format": self.format,
            "title": self.title,
            "description": self.description,
            "questions": [_as_json(question) for question in self.questions],
            "skipped": [{"line": skipped.line, "reason": skipped.reason} for skipped in self.skipped],
            "warnings": [{"line": doubt.line, "message": doubt.message} for doubt in self.warnings],
        }

    def as_text(self) -> str:
        """Return the report for a reader, in English."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        kinds = Counter(question.kind.value for question in self.questions)
        keys = Counter(question.key.value for question in self.questions)
        yield f"{self.name}: {self.format}, “{self.title}”" if self.title else f"{self.name}: {self.format}"
        yield f"questions: {len(self.questions)}{_counts(kinds)}"
        if self.questions:
            yield f"right answers: {', '.join(f'{keys[state]} {state.value}' for state in KeyState)}"
        for number, question in enumerate(self.questions, 1):
            yield f"  {number}. line {question.line}: {quoted(question.stem)} [{_key(question)}]"
        for skipped in self.skipped:
            yield f"skipped, line {skipped.line}: {skipped.reason}"
        for doubt in self.warnings:
            yield f"warning, line {doubt.line}: {doubt.message}"


def _counts(kinds: Counter[str]) -> str:
    return f" ({', '.join(f'{count} {kind}' for kind, count in kinds.items())})" if kinds else ""


def _key(question: FoundQuestion) -> str:
    right = [quoted(option.text) for option in question.options if option.credit]
    return f"right: {' + '.join(right)}" if right else f"{len(question.options)} options, key {question.key}"


def _as_json(question: FoundQuestion) -> dict[str, Any]:
    return {
        "type": question.kind.value,
        "stem": question.stem,
        "options": [
            {"text": option.text, "credit": option.credit, "feedback": option.feedback}
            for option in question.options
        ],
        "answers": list(question.answers),
        "key": question.key.value,
        "explanation": question.explanation,
        "line": question.line,
    }
