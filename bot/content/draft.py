"""An import's report → a quiz that can be completed, played and written as a native file.

A key that was not given stays missing. Ids come from the questions' own words, so that they stay the same when the
document is imported again.
"""

import re
from pathlib import PurePath

from bot.content import limits
from bot.content.blocks import TRUE_WORDS
from bot.content.faults import quoted
from bot.content.report import FoundOption, FoundQuestion, KeyState, Report
from bot.content.write import to_yaml
from bot.core.quiz import Kind, Option, Question, Quiz, Text, Version
from bot.core.search import fold

_ID_LENGTH = 48
_TURKISH = frozenset("çğıöşüÇĞİÖŞÜ")
_TURKISH_SHARE = 50

_NOTE = """\
# Draft made from {name}. Right answers still missing: {missing} of {count}.
# Where it says `key: missing`, delete that line and write `correct: true` under the right option
# (`answer: true` or `answer: false` in a true/false question).
"""


def draft_yaml(report: Report, *, language: str | None = None) -> str:
    """Return a report's questions as a native quiz file.

    Raises:
        ValueError: the report has no question.
    """
    quiz = draft_quiz(report, language=language)
    missing = sum(question.version.key is None for question in quiz.questions)
    note = (
        _NOTE.format(name=quoted(report.name), missing=missing, count=len(quiz.questions)) if missing else ""
    )
    return note + to_yaml(quiz)


def draft_quiz(report: Report, *, language: str | None = None) -> Quiz:
    """Return a report's questions as a quiz, written in the language given or else detected.

    Raises:
        ValueError: the report has no question.
    """
    if not report.questions:
        raise ValueError("the report has no question")
    language = language or language_of(report)
    title = _shortened(report.title or quoted(PurePath(report.name).stem) or "Quiz", limits.TITLE)
    taken: set[str] = set()
    return Quiz(
        ref=_slug(title, "quiz", set()),
        title={language: title},
        description=_text(_shortened(report.description, limits.DESCRIPTION), language),
        language=language,
        tags=(),
        questions=tuple(
            Question(_slug(found.stem, f"question-{number}", taken), _version(found, language))
            for number, found in enumerate(report.questions, 1)
        ),
    )


def language_of(report: Report) -> str:
    """Return tr if at least one letter in fifty is ç, ğ, ı, İ, ö, ş or ü, else en."""
    texts = [report.title, report.description]
    for question in report.questions:
        texts += [question.stem, *(option.text for option in question.options)]
    letters = [mark for text in texts for mark in text if mark.isalpha()]
    turkish = sum(mark in _TURKISH for mark in letters)
    return "tr" if turkish and turkish * _TURKISH_SHARE >= len(letters) else "en"


def _version(found: FoundQuestion, language: str) -> Version:
    options, right = found.options, [bool(option.credit) for option in found.options]
    if found.kind is Kind.TRUE_FALSE and fold(options[0].text).rstrip(".") not in TRUE_WORDS:
        options, right = options[::-1], right[::-1]
    return Version(
        kind=found.kind,
        stem={language: found.stem},
        options=tuple(_option(option, found.kind, language) for option in options),
        key=frozenset(place for place, is_right in enumerate(right) if is_right)
        if found.key is KeyState.GIVEN
        else None,
        explanation=_text(found.explanation, language),
        source={},
    )


def _option(found: FoundOption, kind: Kind, language: str) -> Option:
    feedback = _text(found.feedback, language)
    if kind is Kind.TRUE_FALSE:
        return Option({}, feedback, pin=True)
    return Option({language: found.text}, feedback)


def _text(words: str, language: str) -> Text:
    return {language: words} if words else {}


def _slug(text: str, otherwise: str, taken: set[str]) -> str:
    """Return an id made of a text's first words, different from those taken; it is then taken itself."""
    slug = ""
    for word in re.findall(r"[a-z0-9]+", fold(text)):
        if len(slug) + len(word) >= _ID_LENGTH:
            slug = slug or word[:_ID_LENGTH]
            break
        slug = f"{slug}-{word}" if slug else word
    slug = slug or otherwise
    unique, count = slug, 1
    while unique in taken:
        count += 1
        unique = f"{slug}-{count}"
    taken.add(unique)
    return unique


def _shortened(text: str, limit: int) -> str:
    """Return a text that fits a limit as rendered: itself, or its first words and an ellipsis."""
    if limits.rendered(text) <= limit:
        return text
    words = text[:limit]
    while limits.rendered(f"{words}…") > limit:
        words = words[:-1].rstrip()
    return f"{words}…"
