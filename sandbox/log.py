"""The record of everything sent and received, for people, scripts and tests to read back. Tokens never
leave it.
"""

import re
from collections import deque
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sandbox.clock import Clock
from sandbox.wire import JsonObject, as_list, as_object, control_time

KEPT = 20_000
HIDDEN = "…"
_TOKEN_IN_PATH = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing sent or received."""

    n: int
    at: str
    dir: str
    method: str
    path: str
    body: Any
    status: int | None
    answer: Any
    ms: float | None


class Log:
    """The last entries, numbered from 1."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._count = 0

    def add(
        self,
        direction: str,
        method: str,
        path: str,
        body: Any = None,
        status: int | None = None,
        answer: Any = None,
        ms: float | None = None,
    ) -> None:
        """Write an entry; what it holds must not be changed afterwards."""
        self._count += 1
        self._entries.append(
            Entry(
                self._count,
                control_time(self._clock.now()),
                direction,
                method,
                _TOKEN_IN_PATH.sub(rf"\1{HIDDEN}", path),
                body,
                status,
                answer,
                ms if ms is None else round(ms, 3),
            )
        )

    def entries(self, after: int = 0, limit: int = KEPT) -> list[Entry]:
        """List up to `limit` entries after a number, oldest first, with every token left out.

        A negative number counts back from the newest: -200 begins with the 200th last.
        """
        behind = -after if after < 0 else max(0, self._count - after)
        start = max(0, len(self._entries) - behind)
        # Tokens are taken out here and not when writing, which happens with every press and must be quick.
        return [
            replace(one, body=without_tokens(one.body), answer=without_tokens(one.answer))
            for one in islice(self._entries, start, start + limit)
        ]


def without_tokens(value: Any) -> Any:
    """Copy a value with every field named token blanked out."""
    fields = as_object(value)
    if fields is not None:
        return _without_tokens_in(fields)
    values = as_list(value)
    return value if values is None else [without_tokens(item) for item in values]


def _without_tokens_in(fields: JsonObject) -> JsonObject:
    return {
        name: HIDDEN if name == "token" and item else without_tokens(item) for name, item in fields.items()
    }
