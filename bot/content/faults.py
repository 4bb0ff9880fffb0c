"""What can be wrong with a file, as facts: where it is, what it is, and what to do about it.

A message is a template over its facts, so that another language only needs other templates. Nothing here
reads files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Path = tuple[str | int, ...]
"""Where a value stands in a file: the names and places that lead to it from the top."""

_QUOTED = 60


def _no_facts() -> dict[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at a path; `at_name` points at the field's name instead of its value."""

    path: Path
    message: str
    remedy: str
    facts: Mapping[str, object] = field(default_factory=_no_facts)
    at_name: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a file; line and column count from 1."""

    file: str
    line: int
    column: int
    message: str
    remedy: str
    facts: Mapping[str, object] = field(default_factory=_no_facts)

    def __str__(self) -> str:
        """Return the fault as `file:line:column: what is wrong; what to do`."""
        wrong = self.message.format_map(self.facts)
        return f"{self.file}:{self.line}:{self.column}: {wrong}; {self.remedy.format_map(self.facts)}"


def quoted(text: str) -> str:
    """Return the first characters of an author's text on one line, fit to stand in a message."""
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= _QUOTED else line[: _QUOTED - 1].rstrip() + "…"
