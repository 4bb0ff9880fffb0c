"""YAML as the author typed it: every scalar is text, and every value knows its line and column.

Only what a quiz needs is read: mappings, lists and scalars. Aliases, anchors, tags, merge keys, doubled keys,
keys that are not words and further documents are refused, all of them at once. It knows nothing of quizzes.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import yaml

from bot.content.faults import Fault, Path, quoted

Raw: TypeAlias = str | list["Raw"] | dict[str, "Raw"]

MAX_BYTES = 1_048_576
"""The largest file that is read at all."""

MAX_DEPTH = 12
"""How deep lists and mappings may stand in one another; a quiz needs six."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# libyaml's own words → what usually lies behind them.
_REMEDIES = {
    "mapping values are not allowed": 'put a text that holds ": " in quotes, or after | on the lines below',
    "cannot start any token": "put a text that begins with `, @, % or a tab in quotes",
    "did not find expected": "look at the quotes and the indentation here and on the line before",
    "while scanning a quoted scalar": "close the quotes",
    "could not find expected ':'": "look for a missing colon, or a text whose next line is not indented",
    "found unexpected end of stream": "close the quotes",
    "unknown escape character": "use single quotes, in which a backslash is only a backslash",
    "control characters are not allowed": "delete the invisible character",
}
_REMEDY = "put the text in quotes, or look at the indentation"
_QUOTE = "put the text in quotes"


@dataclass(slots=True)
class Tree:
    """A file's values, where each value and each field's name stands, and what is wrong with the YAML itself.

    `data` is None where the file could not be read to its end.
    """

    file: str
    data: Raw | None = None
    faults: list[Fault] = field(default_factory=lambda: list[Fault]())
    values: dict[Path, tuple[int, int]] = field(default_factory=lambda: dict[Path, tuple[int, int]]())
    names: dict[Path, tuple[int, int]] = field(default_factory=lambda: dict[Path, tuple[int, int]]())

    def mark(self, path: Path, *, at_name: bool = False) -> tuple[int, int]:
        """Return line and column of a value, or of the nearest one around it that stands in the file."""
        marks = self.names if at_name else self.values
        if path in marks:
            return marks[path]
        return self.mark(path[:-1]) if path else (1, 1)


def decode(data: bytes, file: str) -> str | Fault:
    """Return a file's text: UTF-8, with or without a byte order mark, and at most MAX_BYTES long."""
    if len(data) > MAX_BYTES:
        facts = {"limit": MAX_BYTES // 1024}
        return Fault(file, 1, 1, "the file is larger than {limit} KiB", "split the quiz in several", facts)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:64]:
        return Fault(file, 1, 1, "the file is written in UTF-16 or is no text", "save it as UTF-8")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        good = data[: error.start].decode().replace("\r\n", "\n")
        line, column = good.count("\n") + 1, len(good) - good.rfind("\n")
        return Fault(file, line, column, "a letter here is not written in UTF-8", "save the file as UTF-8")


def parse(text: str, file: str) -> Tree:
    """Read a YAML text; what is wrong is in the tree's faults."""
    reader = _Reader(text, file)
    try:
        reader.tree.data = reader.document()
    except yaml.MarkedYAMLError as error:
        problem = " ".join(part for part in (error.context, error.problem) if part)
        ends_open = "end of stream" in problem and error.context_mark
        mark = error.context_mark if ends_open else error.problem_mark
        reader.refuse(mark, "this is no valid YAML: {problem}", _remedy(problem), problem=problem)
    except yaml.reader.ReaderError as error:
        # libyaml counts bytes and gives the character as a number.
        before = text.encode()[: error.position].decode(errors="ignore")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        code = error.character if isinstance(error.character, int) else ord(error.character[:1] or "?")
        facts = {"character": f"U+{code:04X}"}
        message = "YAML does not allow the character {character}"
        reader.tree.faults.append(Fault(file, line, column, message, "delete it", facts))
    except _TooDeep:
        pass
    return reader.tree


class _TooDeep(Exception):
    """Nested deeper than anything a quiz needs; already among the faults."""


def _remedy(problem: str) -> str:
    return next((remedy for words, remedy in _REMEDIES.items() if words in problem), _REMEDY)


def _place(mark: Any) -> tuple[int, int]:
    return mark.line + 1, mark.column + 1


class _Reader:
    """Builds one tree from the events of one text; its depth is bounded by MAX_DEPTH."""

    def __init__(self, text: str, file: str) -> None:
        self.tree = Tree(file)
        self._depth = 0
        self._events = cast("Iterator[Any]", yaml.parse(text, Loader=_Loader))

    def refuse(self, mark: Any, message: str, remedy: str, **facts: object) -> None:
        line, column = _place(mark) if mark else (1, 1)
        self.tree.faults.append(Fault(self.tree.file, line, column, message, remedy, facts))

    def document(self) -> Raw | None:
        next(self._events)
        first = next(self._events)
        if isinstance(first, yaml.StreamEndEvent):
            self.refuse(None, "the file is empty", "write a quiz into it")
            return None
        data = self._value(next(self._events), ())
        next(self._events)
        second = next(self._events)
        if not isinstance(second, yaml.StreamEndEvent):
            self.refuse(second.start_mark, "a second document begins here", "keep one quiz in a file")
        return data

    def _value(self, event: Any, path: Path | None) -> Raw:
        """Build the value an event begins; `path` is None inside what has been refused already."""
        if path is not None:
            self.tree.values[path] = _place(event.start_mark)
        self._refuse_signs(event)
        if isinstance(event, yaml.AliasEvent):
            return f"*{event.anchor}"
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)  # pyright: ignore[reportUnknownMemberType,reportUnknownArgumentType]
        if self._depth == MAX_DEPTH:
            self.refuse(
                event.start_mark, "lists and mappings stand too deep in one another", "see the format"
            )
            raise _TooDeep
        self._depth += 1
        try:
            return self._list(path) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(path)
        finally:
            self._depth -= 1

    def _refuse_signs(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            self.refuse(event.start_mark, "YAML reads `*{name}` as an alias", _QUOTE, name=event.anchor)
        elif event.anchor is not None:
            self.refuse(event.start_mark, "YAML reads `&{name}` as an anchor", _QUOTE, name=event.anchor)
        elif event.tag is not None:
            self.refuse(event.start_mark, "YAML reads `{name}` as a tag", _QUOTE, name=quoted(str(event.tag)))

    def _list(self, path: Path | None) -> list[Raw]:
        items: list[Raw] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, None if path is None else (*path, len(items))))
        return items

    def _mapping(self, path: Path | None) -> dict[str, Raw]:
        mapping: dict[str, Raw] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            name = self._value(event, None)
            inner: Path | None = None
            if not isinstance(name, str):
                self.refuse(event.start_mark, "a list or a mapping stands where a name should", _QUOTE)
            elif name == "<<" and not event.style:
                self.refuse(event.start_mark, "`<<` would merge another mapping", "write its fields out")
            elif path is not None and name in mapping:
                facts = {"name": quoted(name), "first": self.tree.names[*path, name][0]}
                message = "`{name}` stands here twice, first on line {first}"
                self.refuse(event.start_mark, message, "keep one of them", **facts)
            elif path is not None:
                inner = (*path, name)
                self.tree.names[inner] = _place(event.start_mark)
            value = self._value(next(self._events), inner)
            if isinstance(name, str) and inner is not None:
                mapping[name] = value
        return mapping
