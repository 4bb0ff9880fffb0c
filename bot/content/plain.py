"""Plain-text quizzes: a title, a description, numbered questions, and options behind bullets or letters.

A number opens a question only if it is one more than the last, so that a year at the start of a line stays where it
is. What fits nowhere is skipped with its line and the reason, never glued to something else in silence.
"""

import re

from bot.content.blocks import Block, finish, key_of
from bot.content.report import Doubt, FoundQuestion, Report, Skipped

NUMBERED = re.compile(r"\s*(?P<number>[0-9]{1,4})\s?[.)](?![0-9])\s*(?P<text>.*)")

_ENOUGH_OPTIONS = 2


def read_plain(text: str, name: str) -> Report:
    """Return what a plain-text quiz holds."""
    reader = _Reader(text.split("\n"))
    reader.read()
    title, description = reader.header()
    questions: list[FoundQuestion] = []
    for block in reader.blocks:
        found = finish(block)
        if isinstance(found, Skipped):
            reader.skipped.append(found)
        else:
            questions.append(found)
    if not reader.blocks:
        reader.skipped.append(
            Skipped(1, "there is no question: the first begins with “1.”, the next with “2.”")
        )
    doubts = [doubt for block in reader.blocks for doubt in block.doubts]
    return Report(
        format="plain",
        name=name,
        title=title,
        description=description,
        questions=tuple(questions),
        skipped=tuple(sorted(reader.skipped, key=lambda skipped: skipped.line)),
        warnings=tuple(sorted(doubts, key=lambda doubt: doubt.line)),
    )


class _Reader:
    """Sorts the lines of one document into its header and its blocks."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.skipped: list[Skipped] = []
        self._header: list[str] = []
        self._after_blank = False
        # Between a question that is out of sequence and the next one that is not.
        self._lost = False

    def header(self) -> tuple[str, str]:
        """Return title and description: the first line with something in it, and the others."""
        title, *others = self._header or [""]
        return title, "\n".join(others)

    def read(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if line.strip():
                self._take(number, line)
            self._after_blank = not line.strip()

    def _take(self, number: int, line: str) -> None:
        numbered = NUMBERED.fullmatch(line)
        if numbered and int(numbered["number"]) == len(self.blocks) + 1:
            self.blocks.append(Block(number, [numbered["text"].strip()]))
            self._lost = False
        elif not self.blocks:
            self._header.append(line.strip())
        elif self._lost or (numbered and self.blocks[-1].options and self._opens_question(number)):
            self._lost = True
            if numbered:
                self.skipped.append(Skipped(number, self._out_of_sequence(numbered["number"])))
        else:
            self._go_on(self.blocks[-1], number, line, numbered)

    def _go_on(self, block: Block, number: int, line: str, numbered: re.Match[str] | None) -> None:
        if (key := key_of(line)) is not None and block.options:
            block.keys.append((number, key))
        elif marked := block.option(line):
            block.add_option(number, marked)
        elif block.options and (self._after_blank or block.keys):
            self.skipped.append(Skipped(number, "this line is neither a question nor an option"))
        else:
            if numbered:
                where = "its last option" if block.options else "the question"
                message = f"{self._out_of_sequence(numbered['number'])}: taken as part of {where}"
                block.doubts.append(Doubt(number, message))
            block.add_line(line)

    def _out_of_sequence(self, number: str) -> str:
        return f"the number {number} stands where {len(self.blocks) + 1} was expected"

    def _opens_question(self, number: int) -> bool:
        """Tell whether options of their own follow a numbered line, before the next number."""
        ahead = Block(number, [])
        for place in range(number, len(self.lines)):
            line = self.lines[place]
            if NUMBERED.fullmatch(line):
                return False
            if marked := ahead.option(line):
                ahead.add_option(number, marked)
                if len(ahead.options) == _ENOUGH_OPTIONS:
                    return True
        return False
