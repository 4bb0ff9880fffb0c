"""Foreign documents: bytes → text → the format they are in → a report of what they hold.

A format is one module with one function from text to report, named in READERS. What would not fit into a message is
skipped here, whatever the format, with the line and the reason.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from bot.content import limits
from bot.content.aiken import read_aiken
from bot.content.blocks import key_of
from bot.content.faults import quoted
from bot.content.plain import NUMBERED, read_plain
from bot.content.report import Doubt, FoundQuestion, Report, Skipped
from bot.content.rules import invisible
from bot.content.yamltext import MAX_BYTES


class Format(StrEnum):
    """What a document can be written in."""

    PLAIN = "plain"
    AIKEN = "aiken"
    NATIVE = "native"


def import_document(data: bytes, name: str) -> Report:
    """Return what a document holds; it never fails: what cannot be read is skipped, with the reason."""
    if len(data) > MAX_BYTES:
        return _refused(name, f"the file is larger than {MAX_BYTES // 1024} KiB: split it")
    decoded = _decode(data)
    if decoded is None:
        return _refused(name, "this is no text: save the document as plain text")
    text, doubts = decoded
    report = READERS[_detect(text)](text, name)
    report = replace(report, warnings=(*doubts, *report.warnings, *_overlong_header(report)))
    return _fitting(report)


def detect(data: bytes) -> Format | None:
    """Return the format of a document, or None if it is no text."""
    decoded = _decode(data)
    return None if decoded is None else _detect(decoded[0])


def _detect(text: str) -> Format:
    lines = text.split("\n")
    if any(re.match(r"format: *1\b", line) for line in lines) and any(
        re.match(r"questions:", line) for line in lines
    ):
        return Format.NATIVE
    numbers = (NUMBERED.fullmatch(line) for line in lines)
    if any(found and int(found["number"]) == 1 for found in numbers):
        return Format.PLAIN
    return Format.AIKEN if any(key_of(line) is not None for line in lines) else Format.PLAIN


def _read_native(_: str, name: str) -> Report:
    reason = "this is a quiz in the native format already: check it instead of importing it"
    return Report(Format.NATIVE, name, skipped=(Skipped(1, reason),))


READERS: dict[Format, Callable[[str, str], Report]] = {
    Format.PLAIN: read_plain,
    Format.AIKEN: read_aiken,
    Format.NATIVE: _read_native,
}


def _refused(name: str, reason: str) -> Report:
    return Report("unknown", name, skipped=(Skipped(1, reason),))


def _decode(data: bytes) -> tuple[str, list[Doubt]] | None:
    """Return a document's text with line feeds only, and what is doubtful about its letters; None if it is none."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _clean(data.removeprefix(mark).decode(encoding, errors="replace"), [])
    if b"\0" in data:
        return None
    try:
        return _clean(data.decode(), [])
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    # Turkish Windows first: it differs from the Western one in six letters, and those are Turkish ones.
    for encoding, where in (("cp1254", "Turkish"), ("cp1252", "Western European")):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        message = f"the file is not UTF-8: read as {where} Windows text ({encoding}), so look at its letters"
        return _clean(text, [Doubt(line, message)])
    return None


# The longer mark first: UTF-32's begins like UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _clean(text: str, doubts: list[Doubt]) -> tuple[str, list[Doubt]]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\ufffd" in text:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        doubts.append(Doubt(line, "letters were damaged here before the import"))
    if found := invisible(text):
        line = text.count("\n", 0, text.index(found[0])) + 1
        doubts.append(Doubt(line, f"{len(found)} invisible characters were left out, the first of them here"))
        # A space, not nothing: word processors write line breaks within a paragraph like this.
        text = text.translate(dict.fromkeys(map(ord, set(found)), " "))
    return text, doubts


def _fitting(report: Report) -> Report:
    """Skip the questions that would not fit into a message, and those beyond what a quiz can hold."""
    questions: list[FoundQuestion] = []
    skipped = list(report.skipped)
    for question in report.questions:
        if reason := _overlong(question):
            skipped.append(Skipped(question.line, f"“{quoted(question.stem)}”: {reason}"))
        elif len(questions) == limits.MAX_QUESTIONS:
            skipped.append(Skipped(question.line, f"a quiz holds {limits.MAX_QUESTIONS} questions at most"))
        else:
            questions.append(question)
    skipped.sort(key=lambda part: part.line)
    return replace(report, questions=tuple(questions), skipped=tuple(skipped))


def _overlong(question: FoundQuestion) -> str:
    texts = [
        ("the question", question.stem, limits.STEM),
        ("the explanation", question.explanation, limits.EXPLANATION),
        *(("an option", option.text, limits.OPTION) for option in question.options),
        *(("a feedback", option.feedback, limits.FEEDBACK) for option in question.options),
    ]
    for name, text, limit in texts:
        length = limits.rendered(text)
        if length > limit:
            return f"{name} takes {length} characters as rendered, {limit} is the most"
    length, size = limits.together([question.stem, *(option.text for option in question.options)])
    if length > limits.TOGETHER or size > limits.TOGETHER_BYTES:
        return "question and options are too long together for one message"
    return ""


def _overlong_header(report: Report) -> list[Doubt]:
    doubts: list[Doubt] = []
    for name, text, limit in (
        ("title", report.title, limits.TITLE),
        ("description", report.description, limits.DESCRIPTION),
    ):
        if limits.rendered(text) > limit:
            doubts.append(
                Doubt(1, f"the {name} is longer than {limit} characters: a draft has its beginning")
            )
    return doubts
