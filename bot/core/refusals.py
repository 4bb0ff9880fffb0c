"""Typed refusals: what cannot be done and why, as facts.

A refusal is an answer, not a fault: it carries what its reader needs to go on, and no text. `cogs/ui/guard` turns
each into one sentence in the member's language.
"""

from dataclasses import dataclass
from datetime import datetime


class Refusal(Exception):
    """Something a member asked for is not possible now."""


@dataclass(eq=False)
class NoSuchQuiz(Refusal):
    """No quiz of this name can be seen here."""

    name: str


@dataclass(eq=False)
class RoundOpen(Refusal):
    """A live round already plays in this channel; `link` leads to its newest message."""

    link: str | None


@dataclass(eq=False)
class NothingToAsk(Refusal):
    """Every question asked for is on the table in another round of this server; `link` leads there."""

    link: str | None


@dataclass(eq=False)
class EmptyQuiz(Refusal):
    """The quiz has no question that can be asked."""


@dataclass(eq=False)
class PermissionsMissing(Refusal):
    """The bot lacks these rights in the channel; the names are Discord's permission flags."""

    channel: int
    permissions: tuple[str, ...]


@dataclass(eq=False)
class WrongChannel(Refusal):
    """A round cannot start in a channel of this kind."""

    forum: bool


@dataclass(eq=False)
class NotAllowed(Refusal):
    """The member lacks the role or permission for this."""


@dataclass(eq=False)
class NoRound(Refusal):
    """No live round plays in this channel."""


@dataclass(eq=False)
class NotHost(Refusal):
    """Only the host of the round and quizmasters may do this."""


@dataclass(eq=False)
class TooLate(Refusal):
    """The press came after the close: not counted."""

    token: str
    number: int
    closed_at: datetime


@dataclass(eq=False)
class NotOnTheTable(Refusal):
    """The round of this message is over, was stopped, or is not known any more; `ended` tells the first two."""

    ended: bool
    link: str | None = None


@dataclass(eq=False)
class Sealed(Refusal):
    """The question is on the table somewhere in the server: nothing about it is told before its reveal."""


@dataclass(eq=False)
class NothingToReview(Refusal):
    """The member made no mistake in this round, or did not take part."""

    took_part: bool


@dataclass(eq=False)
class RoundRunning(Refusal):
    """The round is still being played: its results come at the end."""


@dataclass(eq=False)
class ShuttingDown(Refusal):
    """The process ends: nothing new is recorded, and the next one takes over."""


@dataclass(eq=False)
class ChannelGone(Refusal):
    """The channel was deleted or the bot was removed from it."""
