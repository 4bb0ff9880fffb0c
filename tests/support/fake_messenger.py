"""A messenger whose channels are lists: what Discord would show, and which edits it was sent, without a wire.

It keeps Discord's promises (a nonce is honoured for minutes, and then gives back the earlier message with its old
content; the history is found by the ids that messages carry) and breaks where it is told to: `before` and `after` are
called around every request and may raise, or never return. It outlives the process that uses it, as Discord does.
"""

import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.core.cards import Card, QuestionCard, ResultCard, RevealCard
from bot.i18n import words_for
from bot.ports import MessageGone, Posting, Urgency
from cogs.ui.messenger import AFTER_TRY, BEFORE_CLAIM
from cogs.ui.render import render
from tests.support.held_clock import HeldClock

NONCE_KEPT = timedelta(minutes=3)
_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_order = itertools.count(1)


def snowflake(instant: datetime) -> int:
    """Return a new id that Discord would make at an instant; later ones of the same millisecond are higher."""
    return ((instant - _EPOCH) // timedelta(milliseconds=1)) << 22 | next(_order) & 0x3FFFFF


@dataclass(frozen=True)
class Call:
    """A request, counted from 1 over all of them."""

    number: int
    name: str
    card: Card | None
    urgency: Urgency | None = None
    posting: Posting | None = None


@dataclass
class Message:
    """A message in a channel: what it shows now, what it showed first, and every edit with its instant."""

    id: int
    channel: int
    nonce: str
    made_at: datetime
    card: Card
    first: Card
    ids: frozenset[str]
    edits: list[tuple[datetime, Card, Urgency]] = field(default_factory=list[tuple[datetime, Card, Urgency]])
    deleted: bool = False


Hook = Callable[[Call], Awaitable[None]]


async def nothing(call: Call) -> None:
    """Let a request pass."""


class FakeMessenger:
    """The messenger port over lists."""

    def __init__(self, clock: HeldClock) -> None:
        self.clock = clock
        self.messages: list[Message] = []
        self.calls: list[Call] = []
        self.before: Hook = nothing
        self.after: Hook = nothing
        self.permissions: dict[int, Sequence[str]] = {}

    # What tests look at.

    def standing(self, channel: int | None = None) -> list[Message]:
        """Return the messages that stand in a channel, or in all, oldest first."""
        return [one for one in self.messages if not one.deleted and channel in (None, one.channel)]

    def questions(self, number: int | None = None) -> list[Message]:
        """Return every message that was posted as a question, whatever it shows now."""
        posted = [one for one in self.messages if isinstance(one.first, QuestionCard)]
        return [one for one in posted if number is None or _number(one.first) == number]

    def reveals(self) -> list[RevealCard]:
        """Return the reveals that stand in the channels now, in order."""
        return [one.card for one in self.standing() if isinstance(one.card, RevealCard)]

    def results(self) -> list[ResultCard]:
        """Return the results that stand in the channels now."""
        return [one.card for one in self.standing() if isinstance(one.card, ResultCard)]

    def counted(self, name: str) -> int:
        """Tell how many requests of a name were made."""
        return sum(call.name == name for call in self.calls)

    # The port.

    async def slot(self, urgency: Urgency) -> None:
        """Grant every place at once."""
        call = await self._call("slot", None, urgency)
        await self.after(call)

    async def post(self, posting: Posting, card: Card) -> int:
        """Append a message, or give back the one that has its nonce."""
        call = await self._call("post", card, None, posting)
        now = self.clock.now()
        message = next(
            (
                one
                for one in self.standing(posting.channel_id)
                if one.nonce == posting.nonce and now - one.made_at < NONCE_KEPT
            ),
            None,
        )
        if message is None:
            ids = _ids_of(card, posting.language)
            message = Message(snowflake(now), posting.channel_id, posting.nonce, now, card, card, ids)
            self.messages.append(message)
        await self.after(call)
        return message.id

    async def edit(self, posting: Posting, card: Card, urgency: Urgency) -> None:
        """Draw a message anew."""
        await self.slot(urgency)
        call = await self._call("edit", card, urgency, posting)
        message = next(
            (one for one in self.standing(posting.channel_id) if one.id == posting.message_id), None
        )
        if message is None:
            raise MessageGone
        message.card, message.ids = card, _ids_of(card, posting.language)
        message.edits.append((self.clock.now(), card, urgency))
        await self.after(call)

    async def find(self, posting: Posting, card: Card, known: frozenset[int]) -> int | None:
        """Look through the history around a claim."""
        call = await self._call("find", card, None, posting)
        ours = _ids_of(card, posting.language)
        earliest, latest = posting.claimed_at - BEFORE_CLAIM, posting.tried_at + AFTER_TRY
        found = next(
            (
                one.id
                for one in self.standing(posting.channel_id)
                if earliest <= one.made_at <= latest and one.ids & ours and one.id not in known
            ),
            None,
        )
        await self.after(call)
        return found

    def missing_permissions(self, channel_id: int) -> Sequence[str]:
        """Name what a test has taken away."""
        return self.permissions.get(channel_id, ())

    def link(self, guild: int | None, channel_id: int, message_id: int) -> str:
        """Return an address with the three ids."""
        return f"link/{guild}/{channel_id}/{message_id}"

    async def _call(
        self, name: str, card: Card | None, urgency: Urgency | None, posting: Posting | None = None
    ) -> Call:
        call = Call(len(self.calls) + 1, name, card, urgency, posting)
        self.calls.append(call)
        await self.before(call)
        return call


def _number(card: Card) -> int | None:
    return None if isinstance(card, ResultCard) else card.shown.number


def _ids_of(card: Card, language: str) -> frozenset[str]:
    """Return the ids that a card carries when it is drawn."""
    return frozenset(_walk(render(card, words_for(language)).to_components()))


def _walk(components: Sequence[Any]) -> Iterator[str]:
    for component in components:
        if component.get("custom_id"):
            yield component["custom_id"]
        yield from _walk(component.get("components") or ())
        if component.get("accessory"):
            yield from _walk([component["accessory"]])
