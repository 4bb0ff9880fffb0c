"""The custom_ids of everything a member can press: made and read here, and nowhere else.

An id is `<kind><format version>:<parts>` and holds only identifiers: a round's token, a turn's number, a place *as
shown*. Never a stored place and never anything the answer could be computed from: every client can read it. Kinds
are never reused; a test freezes their list.
"""

from dataclasses import dataclass
from enum import StrEnum

FORMAT = 1


class Press(StrEnum):
    """The kinds of presses."""

    ANSWER = "a"  # token, number, place shown
    CHOOSE = "o"  # token, number: open the private select of a question with several right answers
    MARK = "s"  # token, number: that select; its values are places shown
    MY_RESULT = "y"  # token
    MISTAKES = "m"  # token, page, face (0 question, 1 why)
    SHOW_ANSWER = "w"  # token, number
    QUIZZES = "l"  # page, what was searched for
    QUIZ = "b"  # the quiz's id in the store
    START_QUIZ = "g"  # the quiz's id in the store


@dataclass(frozen=True, slots=True)
class PressId:
    """A parsed custom_id."""

    kind: Press
    parts: tuple[str, ...]


def make(kind: Press, *parts: object) -> str:
    """Return the custom_id for a kind and its identifiers."""
    return ":".join([f"{kind.value}{FORMAT}", *(str(part) for part in parts)])


def parse(custom_id: str) -> PressId | None:
    """Read a custom_id; None when it is not ours or of a format this version does not know."""
    head, *parts = custom_id.split(":")
    if len(head) < 2 or head[1:] != str(FORMAT):
        return None
    try:
        kind = Press(head[0])
    except ValueError:
        return None
    return PressId(kind, tuple(parts))
