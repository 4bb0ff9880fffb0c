"""The lines of which text documents are made, and the question a run of them forms.

Every format that is written in lines shares these: options behind bullets or letters, lines with the key. A mark
counts only where it can: a letter must be the next one, a key must name an option. Nothing is guessed.
"""

import re
from dataclasses import dataclass, field

from bot.content.faults import quoted
from bot.content.limits import MAX_OPTIONS, MIN_OPTIONS
from bot.content.report import Doubt, FoundOption, FoundQuestion, KeyState, Skipped
from bot.core.quiz import Kind, normalise
from bot.core.search import fold

_BULLET = re.compile(r"\s*(?:(?P<mark>[•◦▪●○‣·])\s*|(?P<dash>[-–—*])(?:\s+|$))(?P<text>.*)", re.DOTALL)
# "A.B.D." begins a sentence, not an option.
_LETTER = re.compile(r"\s*\(?(?P<letter>[A-Za-z])(?P<mark>[.)])(?!\w\.)\s*(?P<text>.*)", re.DOTALL)
_KEY = re.compile(r"\s*ANSWER\s*:\s*(?P<key>.*\S)\s*", re.IGNORECASE)
_KEY_LETTER = re.compile(r"\(?(?P<letter>[A-Za-z])[.)]?")

TRUE_WORDS = frozenset({"true", "dogru"})
_PAIRS = (frozenset({"true", "false"}), frozenset({"dogru", "yanlis"}))


@dataclass(frozen=True, slots=True)
class Marked:
    """A line that opens an option: the mark before it, and the letter if the mark has one."""

    mark: str
    letter: str
    text: str


@dataclass(slots=True)
class _OptionLines:
    marked: Marked
    lines: list[str]

    def text(self) -> str:
        return "\n".join(line for line in self.lines if line)


@dataclass(slots=True)
class Block:
    """A question while its lines are read."""

    line: int
    stem: list[str]
    options: list[_OptionLines] = field(default_factory=lambda: list[_OptionLines]())
    keys: list[tuple[int, str]] = field(default_factory=lambda: list[tuple[int, str]]())
    doubts: list[Doubt] = field(default_factory=lambda: list[Doubt]())

    def option(self, line: str) -> Marked | None:
        """Return the option a line opens here, or None."""
        style = self.options[0].marked if self.options else None
        if (style is None or style.letter) and (found := _LETTER.fullmatch(line)):
            letter = found["letter"].upper()
            if letter == _letter(len(self.options)):
                return Marked(found["mark"], letter, found["text"].strip())
        if (style is None or not style.letter) and (found := _BULLET.fullmatch(line)):
            return Marked(found["mark"] or found["dash"], "", found["text"].strip())
        return None

    def add_option(self, number: int, marked: Marked) -> None:
        """Take an option; another mark than before it is a doubt."""
        if self.options and marked.mark != self.options[-1].marked.mark:
            self.doubts.append(
                Doubt(number, f"“{marked.mark}” marks this option, another sign the one before")
            )
        self.options.append(_OptionLines(marked, [marked.text]))

    def add_line(self, line: str) -> None:
        """Take a line that goes on with what the block ends with: its stem, or its last option."""
        (self.options[-1].lines if self.options else self.stem).append(line.strip())


def key_of(line: str) -> str | None:
    """Return the key a line like `ANSWER: b` states, as typed, or None."""
    found = _KEY.fullmatch(line)
    return found["key"] if found else None


def finish(block: Block) -> FoundQuestion | Skipped:
    """Return the question a block has become, or why it is none; its doubts may grow."""
    stem = "\n".join(block.stem).strip()
    texts = _without_letters([option.text() for option in block.options])
    if not stem:
        return Skipped(block.line, "the question has no text")
    if len(texts) < MIN_OPTIONS:
        return Skipped(block.line, f"“{quoted(stem)}” has {'one option' if texts else 'no options'}")
    if len(texts) > MAX_OPTIONS:
        return Skipped(block.line, f"“{quoted(stem)}” has {len(texts)} options, {MAX_OPTIONS} is the most")
    if not all(texts):
        return Skipped(block.line, f"“{quoted(stem)}” has an option without text")
    if len({normalise(text) for text in texts}) < len(texts):
        return Skipped(block.line, f"“{quoted(stem)}” has two equal options")
    state, right = _key(block, len(texts))
    options = tuple(
        FoundOption(text, None if right is None else float(place == right))
        for place, text in enumerate(texts)
    )
    return FoundQuestion(_kind(texts), stem, options, state, block.line)


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else ""


def _without_letters(texts: list[str]) -> list[str]:
    """Return option texts without the letters A, B, C … that all of them bear behind their bullets."""
    found = [_LETTER.fullmatch(text) for text in texts]
    bare: list[str] = []
    for place, match in enumerate(found):
        if match is None or match["letter"].upper() != _letter(place):
            return texts
        bare.append(match["text"].strip())
    return bare


def _key(block: Block, count: int) -> tuple[KeyState, int | None]:
    """Return the key a block states; one that names no option leaves it in doubt."""
    stated: set[int | None] = set()
    for number, key in block.keys:
        found = _KEY_LETTER.fullmatch(key)
        place = ord(found["letter"].upper()) - ord("A") if found else count
        if place >= count:
            block.doubts.append(Doubt(number, f"“{quoted(key)}” names none of the options"))
        stated.add(place if place < count else None)
    if not stated - {None}:
        return KeyState.MISSING, None
    if len(stated) == 1:
        return KeyState.GIVEN, stated.pop()
    block.doubts.append(Doubt(block.line, "the right answer is stated more than once, and differently"))
    return KeyState.CONFLICTING, None


def _kind(texts: list[str]) -> Kind:
    words = [fold(text).rstrip(".") for text in texts]
    return Kind.TRUE_FALSE if frozenset(words) in _PAIRS else Kind.SINGLE
