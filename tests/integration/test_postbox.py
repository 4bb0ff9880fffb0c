"""Claim, act, confirm: a message gets into its channel once, whatever is known of what became of the request."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.core.cards import Card, QuestionCard, Shown
from bot.ports import AccessDenied, OutcomeUnknown, Posting, Urgency
from bot.services.postbox import NONCE_SAFE, TRIES
from bot.store import messages
from bot.store.database import Tx
from bot.store.messages import MessageKind, NewMessage
from tests.support.fake_messenger import FakeMessenger, Message
from tests.support.faults import Faults
from tests.support.held_clock import HeldClock
from tests.support.house import BEGIN, CHANNEL, House, make_version, open_house

_T = TypeVar("_T")

SUBJECT = 9
NEW = NewMessage(MessageKind.QUESTION, SUBJECT, CHANNEL, "en", drawn=1)
CARD = QuestionCard(Shown("aaaaaaaaaa", 1, 1, make_version(), (0, 1, 2, 3)), BEGIN + timedelta(minutes=1))


class Office:
    """A postbox on a real database, a messenger that fails where told, and time that tests move."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.messenger = house.messenger
        self.faults = Faults(house.messenger)
        self.confirmed_at: list[datetime] = []

    async def post(self) -> Posting | None:
        return await self.house.postbox.post(NEW, Urgency.TURN, self._claiming, self._confirming)

    async def deliver(self) -> Posting:
        return await self.house.postbox.deliver(await self.row(), CARD, Urgency.TURN, self._confirming)

    async def _claiming(self, tx: Tx, now: datetime) -> Card | None:
        return CARD

    async def _confirming(self, tx: Tx, posting: Posting, at: datetime) -> None:
        self.confirmed_at.append(at)

    async def row(self) -> Posting:
        return (await self.house.reading(lambda tx: messages.find_newest(tx, NEW.kind, [SUBJECT])))[SUBJECT]

    async def rows(self) -> list[Any]:
        return await self.house.rows("SELECT generation, nonce, tries, message_id FROM messages ORDER BY id")

    async def during(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Return what work gives; time moves while it waits for it."""
        task = asyncio.create_task(work)
        await self.house.until(task.done)
        return await task

    async def claimed_only(self, *, sent: bool) -> Message | None:
        """Leave a claim without confirmation, as a process does that is killed; return the message, if it was sent."""
        self.faults.fail_next(AccessDenied, after=sent)
        with pytest.raises(AccessDenied):
            await self.post()
        return self.messenger.messages[0] if sent else None

    @property
    def posts(self) -> int:
        return self.messenger.counted("post")


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    clock = HeldClock(BEGIN)
    house = await open_house(tmp_path / "etut.db", clock, FakeMessenger(clock))
    yield Office(house)
    await house.close()


async def test_a_message_is_claimed_sent_and_confirmed(office: Office) -> None:
    claimed: list[Any] = []

    async def look(call: Any) -> None:
        if call.name == "post":
            claimed.extend(await office.rows())

    office.messenger.before = look
    posting = await office.post()
    (message,) = office.messenger.messages
    assert [row["message_id"] for row in claimed] == [None]  # on disk before it was sent
    assert posting is not None
    assert (posting.message_id, posting.generation, posting.nonce) == (message.id, 1, message.nonce)
    assert await office.row() == posting
    assert office.confirmed_at == [message.made_at]


async def test_a_claim_that_finds_nothing_to_send_leaves_no_trace(office: Office) -> None:
    async def nothing_any_more(tx: Tx, now: datetime) -> None:
        return None

    assert await office.house.postbox.post(NEW, Urgency.TURN, nothing_any_more) is None
    assert await office.rows() == []
    assert office.messenger.messages == []


async def test_a_claim_that_fails_sends_nothing(office: Office) -> None:
    async def fail(tx: Tx, now: datetime) -> Card:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await office.house.postbox.post(NEW, Urgency.TURN, fail)
    assert await office.rows() == []
    assert office.posts == 0


@pytest.mark.parametrize("after", [False, True], ids=["lost on the way", "answer lost"])
async def test_an_unknown_outcome_is_sent_again_with_the_same_nonce(office: Office, after: bool) -> None:
    office.faults.fail_next(OutcomeUnknown, 3, after=after)
    posting = await office.during(office.post())
    (message,) = office.messenger.messages
    assert posting is not None
    assert posting.message_id == message.id
    assert office.posts == 4
    ((row),) = await office.rows()
    assert (row["nonce"], row["tries"], row["generation"]) == (message.nonce, 4, 1)


async def test_tries_are_few_and_further_and_further_apart(office: Office) -> None:
    office.faults.fail_next(OutcomeUnknown, 1_000)
    at: list[datetime] = []

    async def note(call: Any) -> None:
        if call.name == "post":
            at.append(office.house.clock.now())
            raise OutcomeUnknown

    office.messenger.before = note
    with pytest.raises(OutcomeUnknown):
        await office.during(office.post())
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(at)]
    assert gaps == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert len(at) == TRIES
    ((row),) = await office.rows()
    assert (row["tries"], row["message_id"]) == (TRIES, None)


async def test_a_refusal_is_not_tried_again(office: Office) -> None:
    await office.claimed_only(sent=False)
    assert office.posts == 1
    assert (await office.row()).message_id is None


@pytest.mark.parametrize("sent", [False, True])
async def test_a_young_claim_is_sent_again_with_its_nonce(office: Office, sent: bool) -> None:
    await office.claimed_only(sent=sent)
    office.house.clock.set(BEGIN + NONCE_SAFE - timedelta(milliseconds=1))
    posting = await office.deliver()
    (message,) = office.messenger.messages
    assert (posting.message_id, posting.generation) == (message.id, 1)
    assert office.confirmed_at == [message.made_at]
    assert office.messenger.counted("find") == 0
    assert [row["tries"] for row in await office.rows()] == [2]


@pytest.mark.parametrize("age", [NONCE_SAFE, timedelta(hours=9)])
async def test_an_old_claim_is_adopted_from_the_history(office: Office, age: timedelta) -> None:
    message = await office.claimed_only(sent=True)
    office.house.clock.set(BEGIN + age)
    posting = await office.deliver()
    assert message is not None
    assert (posting.message_id, posting.generation) == (message.id, 1)
    assert office.confirmed_at == [BEGIN]
    assert office.posts == 1


async def test_an_old_claim_that_was_never_sent_is_claimed_anew_with_another_nonce(office: Office) -> None:
    await office.claimed_only(sent=False)
    office.house.clock.set(BEGIN + NONCE_SAFE)
    posting = await office.deliver()
    (message,) = office.messenger.messages
    assert (posting.message_id, posting.generation, posting.nonce) == (message.id, 2, message.nonce)
    first, second = await office.rows()
    assert first["nonce"] != second["nonce"]
    assert (first["message_id"], second["message_id"]) == (None, message.id)
    assert office.messenger.counted("find") == 1


async def test_what_another_message_of_the_channel_carries_is_not_adopted(office: Office) -> None:
    other = replace(CARD, shown=replace(CARD.shown, token="bbbbbbbbbb"))
    await office.messenger.post(replace(await stranger(office), nonce="other"), other)
    await office.claimed_only(sent=False)
    office.house.clock.set(BEGIN + NONCE_SAFE)
    posting = await office.deliver()
    assert posting.generation == 2
    assert posting.message_id == office.messenger.messages[1].id


async def stranger(office: Office) -> Posting:
    """Return the posting of some other message."""
    at = office.house.clock.now()
    return Posting(0, "question", 1, CHANNEL, "en", "n", 1, at, at, None, 0, None)


@pytest.mark.parametrize("fault", [OutcomeUnknown, AccessDenied])
async def test_while_the_history_cannot_be_read_nothing_is_posted(
    office: Office, fault: type[Exception]
) -> None:
    message = await office.claimed_only(sent=True)
    office.house.clock.set(BEGIN + timedelta(minutes=10))
    office.faults.fail_next(fault)  # pyright: ignore[reportArgumentType]
    with pytest.raises(fault):
        await office.deliver()
    assert office.posts == 1
    assert len(await office.rows()) == 1
    posting = await office.deliver()
    assert message is not None
    assert posting.message_id == message.id


async def test_a_new_generation_is_recovered_as_the_first_was(office: Office) -> None:
    """The second send is cut off too: its own nonce, its own sixty seconds, its own place in the history."""
    await office.claimed_only(sent=False)
    office.house.clock.set(BEGIN + timedelta(minutes=10))
    requests = len(office.faults.requests)
    office.faults.fail(requests + 2, AccessDenied, after=True)  # the history, then the send
    with pytest.raises(AccessDenied):
        await office.deliver()
    (message,) = office.messenger.messages
    office.house.clock.set(BEGIN + timedelta(minutes=10, seconds=30))
    young = await office.deliver()
    assert (young.message_id, young.generation) == (message.id, 2)
    assert len(await office.rows()) == 2
    assert [one.id for one in office.messenger.messages] == [message.id]


async def test_what_is_confirmed_meanwhile_is_not_posted_again(office: Office) -> None:
    """A press on the message comes, and confirms it, while its recovery already waits for its place in the queue."""
    message = await office.claimed_only(sent=True)
    assert message is not None
    office.house.clock.set(BEGIN + timedelta(minutes=10))
    row = await office.row()

    async def press(call: Any) -> None:
        if call.name == "slot":
            await office.house.recorder.write(lambda tx: messages.confirm(tx, row.id, message.id))

    office.messenger.before = press
    posting = await office.deliver()
    assert (posting.message_id, posting.generation) == (message.id, 1)
    assert [one.id for one in office.messenger.messages] == [message.id]


async def test_what_is_noted_of_a_message_stays(office: Office) -> None:
    posting = await office.post()
    assert posting is not None
    await office.house.postbox.note_drawn(posting, 3)
    office.house.clock.set(BEGIN + timedelta(seconds=5))
    await office.house.postbox.note_deleted(posting)
    noted = await office.row()
    assert (noted.drawn, noted.deleted_at) == (3, BEGIN + timedelta(seconds=5))
