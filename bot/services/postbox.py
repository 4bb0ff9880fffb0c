"""Claim, act, confirm: how every public message gets into its channel exactly once.

A row is written when the request leaves the queue, the message is sent with the row's nonce, its id is stored. What
a killed process or a broken connection leaves behind is mended by `deliver`, the one way of recovery: Discord
honours a nonce for a few minutes only, so a young claim is sent again with the same nonce and an older one is first
looked for in the channel's history.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.core.cards import Card
from bot.ports import Clock, Messenger, OutcomeUnknown, Posting, Urgency, made_at
from bot.services.recorder import Recorder
from bot.store import messages
from bot.store.database import Database, Tx
from bot.store.messages import MessageKind, NewMessage

_log = logging.getLogger(__name__)

NONCE_SAFE = timedelta(seconds=60)
"""A claim younger than this is sent again with its nonce; Discord remembers it for some minutes."""
TRIES = 6

Claiming = Callable[[Tx, datetime], Awaitable[Card | None]]
"""What a claim changes with it, in the same transaction; returns what to send, or None if nothing is to be sent."""
Confirming = Callable[[Tx, Posting, datetime], Awaitable[None]]
"""What a confirmation changes with it; gets the instant at which Discord made the message."""


async def _nothing(tx: Tx, posting: Posting, at: datetime) -> None:
    """Change nothing on confirmation."""


class Postbox:
    """Posts public messages through the messenger, and remembers them in the store."""

    def __init__(self, database: Database, recorder: Recorder, messenger: Messenger, clock: Clock) -> None:
        self._database = database
        self._recorder = recorder
        self._messenger = messenger
        self._clock = clock

    async def post(
        self, new: NewMessage, urgency: Urgency, claiming: Claiming, confirming: Confirming = _nothing
    ) -> Posting | None:
        """Post a message; None if the claim found nothing to be sent any more.

        Raises:
            OutcomeUnknown, ChannelLost, AccessDenied: it stands claimed; `deliver` takes it up.
        """
        await self._messenger.slot(urgency)

        async def claim(tx: Tx) -> tuple[Posting, Card] | None:
            now = self._clock.now()
            card = await claiming(tx, now)
            if card is None:
                return None
            return await messages.claim(tx, new, secrets.token_urlsafe(15), now), card

        claimed = await self._recorder.write(claim)
        if claimed is None:
            return None
        posting, card = claimed
        return await self._send(posting, card, confirming)

    async def deliver(
        self, posting: Posting, card: Card, urgency: Urgency, confirming: Confirming = _nothing
    ) -> Posting:
        """Take up a claim without confirmation: send it again, adopt it from the history, or claim anew.

        Raises:
            OutcomeUnknown, ChannelLost, AccessDenied: it still stands claimed.
        """
        await self._messenger.slot(urgency)
        if self._clock.now() - posting.claimed_at < NONCE_SAFE:
            await self._recorder.write(lambda tx: messages.note_try(tx, posting.id, self._clock.now()))
            return await self._send(posting, card, confirming)
        async with self._database.reading() as tx:
            known = await messages.known_ids(tx, posting)
        found = await self._messenger.find(posting, card, known)
        if found is not None:
            _log.info("adopted message %d for %s %d", found, posting.kind, posting.subject)
            return await self._confirm(posting, found, confirming)

        async def claim(tx: Tx) -> Posting:
            kind = MessageKind(posting.kind)
            new = NewMessage(kind, posting.subject, posting.channel_id, posting.language, posting.drawn)
            return await messages.claim(tx, new, secrets.token_urlsafe(15), self._clock.now())

        return await self._send(await self._recorder.write(claim), card, confirming)

    async def _send(self, posting: Posting, card: Card, confirming: Confirming) -> Posting:
        pause = 1.0
        for left in reversed(range(TRIES)):
            try:
                message_id = await self._messenger.post(posting, card)
            except OutcomeUnknown:
                now = self._clock.now()
                if not left or now + timedelta(seconds=pause) - posting.claimed_at >= NONCE_SAFE:
                    raise
                await self._clock.sleep_until(now + timedelta(seconds=pause))
                pause *= 2
                row_id = posting.id
                await self._recorder.write(lambda tx: messages.note_try(tx, row_id, self._clock.now()))  # noqa: B023
            else:
                return await self._confirm(posting, message_id, confirming)
        raise AssertionError("the last try returns or raises")

    async def _confirm(self, posting: Posting, message_id: int, confirming: Confirming) -> Posting:
        async def confirm(tx: Tx) -> Posting:
            await messages.confirm(tx, posting.id, message_id)
            confirmed = (await messages.find_newest(tx, MessageKind(posting.kind), [posting.subject]))[
                posting.subject
            ]
            await confirming(tx, confirmed, made_at(message_id))
            return confirmed

        return await self._recorder.write(confirm)

    async def note_drawn(self, posting: Posting, epoch: int) -> None:
        """Remember which epoch of its turn a message shows."""
        if posting.drawn != epoch:
            await self._recorder.write(lambda tx: messages.note_drawn(tx, posting.id, epoch))

    async def note_deleted(self, posting: Posting) -> None:
        """Remember that a message is gone."""
        await self._recorder.write(lambda tx: messages.note_deleted(tx, posting.id, self._clock.now()))
