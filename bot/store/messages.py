"""The public messages we own: claimed before they are sent, confirmed once Discord is known to have them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, and_, insert, or_, select, update

from bot.ports import STALE, Posting
from bot.store.database import Tx
from bot.store.tables import messages


class MessageKind(StrEnum):
    """What a message shows; its subject is the turn's id, or the round's for a result."""

    QUESTION = "question"
    REVEAL = "reveal"  # posted anew, where the question's message was deleted
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What is about to be posted."""

    kind: MessageKind
    subject: int
    channel_id: int
    language: str
    drawn: int = 0


async def claim(tx: Tx, new: NewMessage, nonce: str, now: datetime) -> Posting:
    """Write the next generation of a message before it is sent."""
    newest = await find_newest(tx, new.kind, [new.subject])
    generation = newest[new.subject].generation + 1 if newest else 1
    row = {
        "kind": new.kind.value,
        "subject": new.subject,
        "generation": generation,
        "channel_id": new.channel_id,
        "language": new.language,
        "nonce": nonce,
        "claimed_at": now,
        "tried_at": now,
        "tries": 1,
        "drawn": new.drawn,
    }
    result = await tx.execute(insert(messages).values(row).returning(messages))
    return _posting(result.one())


async def note_try(tx: Tx, row_id: int, now: datetime) -> None:
    """Write that a claimed message is about to be sent once more."""
    await tx.execute(
        update(messages).where(messages.c.id == row_id).values(tried_at=now, tries=messages.c.tries + 1)
    )


async def confirm(tx: Tx, row_id: int, message_id: int) -> None:
    """Write which message Discord has for a row."""
    await tx.execute(update(messages).where(messages.c.id == row_id).values(message_id=message_id))


async def note_drawn(tx: Tx, row_id: int, epoch: int) -> None:
    """Write which epoch of its turn a message shows now."""
    await tx.execute(update(messages).where(messages.c.id == row_id).values(drawn=epoch))


async def note_stale(tx: Tx, turn_id: int, round_id: int) -> None:
    """Write that what stands revealed of a turn, and its round's result, must be drawn anew."""
    of_turn = messages.c.kind.in_([MessageKind.QUESTION.value, MessageKind.REVEAL.value])
    of_round = messages.c.kind == MessageKind.RESULT.value
    shown = or_(and_(of_turn, messages.c.subject == turn_id), and_(of_round, messages.c.subject == round_id))
    await tx.execute(update(messages).where(shown).values(drawn=STALE))


async def note_deleted(tx: Tx, row_id: int, now: datetime) -> None:
    """Write that Discord no longer has a message."""
    await tx.execute(update(messages).where(messages.c.id == row_id).values(deleted_at=now))


async def find_newest(tx: Tx, kind: MessageKind, subjects: Iterable[int]) -> dict[int, Posting]:
    """Find the newest generation of each subject's message, confirmed or not."""
    query = (
        select(messages)
        .where(messages.c.kind == kind.value, messages.c.subject.in_(list(subjects)))
        .order_by(messages.c.generation)
    )
    return {row.subject: _posting(row) for row in await tx.execute(query)}


async def known_ids(tx: Tx, posting: Posting) -> frozenset[int]:
    """Return the ids of the other confirmed generations of a message: none of them can be adopted again.

    Its own is not among them: a press may just have confirmed it.
    """
    query = select(messages.c.message_id).where(
        messages.c.kind == posting.kind,
        messages.c.subject == posting.subject,
        messages.c.id != posting.id,
        messages.c.message_id.is_not(None),
    )
    return frozenset((await tx.execute(query)).scalars())


def _posting(row: Row[Any]) -> Posting:
    return Posting(
        id=row.id,
        kind=row.kind,
        subject=row.subject,
        channel_id=row.channel_id,
        language=row.language,
        nonce=row.nonce,
        generation=row.generation,
        claimed_at=row.claimed_at,
        tried_at=row.tried_at,
        message_id=row.message_id,
        drawn=row.drawn,
        deleted_at=row.deleted_at,
    )
