"""What the services need from outside: a clock and a messenger. The only protocols, since only these two have
a real and a test implementation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Protocol

from bot.core.cards import Card


class Clock(Protocol):
    """Discord's time, as well as we know it."""

    def now(self) -> datetime:
        """Return the present aware UTC instant."""
        ...

    async def sleep_until(self, instant: datetime) -> None:
        """Return at an instant, at once if it has passed. Every wait of ours goes through here."""
        ...

    def observe(self, made_at: datetime) -> None:
        """Take note of an instant that Discord has just put into an id."""
        ...


_DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)


def made_at(snowflake: int) -> datetime:
    """Return the instant in a Discord id."""
    return _DISCORD_EPOCH + timedelta(milliseconds=snowflake >> 22)


STALE = -1


class Urgency(IntEnum):
    """In which order requests leave the messenger's queue."""

    REVEAL = 0
    TURN = 1
    SCHEDULE = 2
    COUNTER = 3
    DIGEST = 4


@dataclass(frozen=True, slots=True)
class Posting:
    """A public message of ours as the store has it.

    `message_id` is None until Discord is known to have it; `drawn` is the epoch of its turn that it is known to show,
    or STALE where what it shows has changed since it was last drawn.
    """

    id: int
    kind: str
    subject: int
    channel_id: int
    language: str
    nonce: str
    generation: int
    claimed_at: datetime
    tried_at: datetime
    message_id: int | None
    drawn: int
    deleted_at: datetime | None


class OutcomeUnknown(Exception):
    """A request may or may not have reached Discord: the connection broke, or the server failed."""


class MessageGone(Exception):
    """The message to be edited was deleted."""


class ChannelLost(Exception):
    """The channel was deleted, or the bot is no longer in its server."""


class AccessDenied(Exception):
    """Discord refuses the bot this in the channel for now: a permission is missing, or a thread is closed."""


class Messenger(Protocol):
    """The public messages of a bot: the only way out that is not an interaction's private answer."""

    async def slot(self, urgency: Urgency) -> None:
        """Wait for a place in the queue of requests."""
        ...

    async def post(self, posting: Posting, card: Card) -> int:
        """Send a claimed message, with its nonce; return the id Discord gave it.

        Raises:
            OutcomeUnknown, ChannelLost, AccessDenied: what became of it instead.
        """
        ...

    async def edit(self, posting: Posting, card: Card, urgency: Urgency) -> None:
        """Draw a confirmed message anew; edits of one message are serial, and wait for their own slot.

        Raises:
            OutcomeUnknown, MessageGone, ChannelLost, AccessDenied: what became of it instead.
        """
        ...

    async def find(self, posting: Posting, card: Card, known: frozenset[int]) -> int | None:
        """Look for a claimed message of ours in the channel's history around its claim, by the ids it carries.

        Messages in `known` belong to other rows.

        Raises:
            OutcomeUnknown, ChannelLost, AccessDenied: the history could not be read.
        """
        ...

    def missing_permissions(self, channel_id: int) -> Sequence[str]:
        """Name the permissions, by Discord's flags, that the bot lacks to hold a round in a channel."""
        ...

    def link(self, guild: int | None, channel_id: int, message_id: int) -> str:
        """Return the address that leads to a message."""
        ...
