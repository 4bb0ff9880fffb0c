"""The messenger's queue: the rate that Discord allows, what goes first, the order of edits, and what became of them."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.cards import QuestionCard, Shown
from bot.core.quiz import Kind, Option, Version
from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown, Posting, Urgency
from cogs.ui.messenger import RATE, DiscordMessenger, missing
from tests.support.held_clock import HeldClock
from tests.support.interactions import BEGIN, CHANNEL, Discord, Sent, connect, let_run, refusal, snowflake
from tests.support.reading import words

SECOND = timedelta(seconds=1)
VERSION = Version(
    Kind.SINGLE, {"en": "What?"}, (Option({"en": "This"}, {}), Option({"en": "That"}, {})), None, {}, {}
)


def card(answered: int) -> QuestionCard:
    """Return a card that tells by a number which one it is."""
    return QuestionCard(Shown("abcdefghij", 1, 3, VERSION, (0, 1)), BEGIN + timedelta(minutes=1), answered)


def posting(message_id: int | None = 700) -> Posting:
    return Posting(1, "question", 1, CHANNEL, "en", "a-nonce", 1, BEGIN, BEGIN, message_id, 0, None)


def shows(sent: Sent, answered: int) -> bool:
    """Tell whether a request carries the card with this number."""
    return f"\n-# {answered} ha" in words(sent.message)


class Desk:
    """A messenger with its clock and the Discord it writes to."""

    def __init__(self, client: discord.Client, far: Discord) -> None:
        self.clock = HeldClock(BEGIN)
        self.far = far
        self.messenger = DiscordMessenger(client, self.clock)
        self.granted: list[tuple[datetime, Urgency]] = []
        self._tasks: list[asyncio.Task[Any]] = []

    def do(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start something, to be awaited or cancelled by the test."""
        self._tasks.append(asyncio.create_task(work))
        return self._tasks[-1]

    def ask(self, urgency: Urgency = Urgency.TURN) -> asyncio.Task[Any]:
        """Ask for a place in the queue and note when it is granted."""

        async def wait() -> None:
            await self.messenger.slot(urgency)
            self.granted.append((self.clock.now(), urgency))

        return self.do(wait())

    async def fill(self) -> None:
        """Take all places of this second."""
        await asyncio.gather(*(self.messenger.slot(Urgency.REVEAL) for _ in range(RATE)))

    async def pass_time(self, span: timedelta = SECOND) -> None:
        """Let time pass, and everything act that was waiting for it."""
        await let_run()
        self.clock.set(self.clock.now() + span)
        await let_run()

    async def clear(self) -> None:
        """End what was started."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest_asyncio.fixture
async def desk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    client = discord.Client(intents=discord.Intents(guilds=True))
    desk = Desk(client, connect(client, monkeypatch))
    yield desk
    await desk.clear()


# Places in the queue ---------------------------------------------------------------------------------------------


async def test_forty_five_go_in_a_second_and_the_next_when_it_has_passed(desk: Desk) -> None:
    for _ in range(100):
        desk.ask()
    await desk.pass_time(timedelta(milliseconds=999))
    assert len(desk.granted) == RATE == 45
    await desk.pass_time(timedelta(milliseconds=1))
    assert len(desk.granted) == 90
    await desk.pass_time()
    assert len(desk.granted) == 100


async def test_the_more_urgent_go_first_and_equals_in_the_order_they_came(desk: Desk) -> None:
    await desk.fill()
    asked = [Urgency.DIGEST, Urgency.COUNTER, Urgency.TURN, Urgency.REVEAL, Urgency.SCHEDULE]
    order: list[tuple[Urgency, int]] = []

    async def wait(urgency: Urgency, number: int) -> None:
        await desk.messenger.slot(urgency)
        order.append((urgency, number))

    for number in range(3):
        for urgency in asked:
            desk.do(wait(urgency, number))
    await desk.pass_time()
    assert order == [(urgency, number) for urgency in sorted(asked) for number in range(3)]


async def test_who_no_longer_waits_costs_no_place(desk: Desk) -> None:
    await desk.fill()
    gone = [desk.ask(Urgency.REVEAL) for _ in range(RATE)]
    for _ in range(RATE):
        desk.ask(Urgency.COUNTER)
    await let_run()
    for task in gone:
        task.cancel()
    await desk.pass_time()
    assert [urgency for _, urgency in desk.granted] == [Urgency.COUNTER] * RATE


async def test_the_queue_goes_on_after_it_was_empty_and_after_all_have_left(desk: Desk) -> None:
    await desk.fill()
    leaving = [desk.ask() for _ in range(5)]
    await let_run()
    for task in leaving:
        task.cancel()
    await desk.pass_time()
    assert desk.granted == []
    await desk.pass_time(SECOND * 60)
    desk.ask()
    await let_run()
    assert len(desk.granted) == 1


WAVES = st.lists(
    st.tuples(st.integers(0, 60), st.sampled_from(Urgency), st.integers(0, 1_500), st.booleans()), max_size=12
)


@settings(deadline=None, max_examples=25)
@given(WAVES)
def test_no_second_ever_holds_more_than_forty_five(waves: list[tuple[int, Urgency, int, bool]]) -> None:
    async def play() -> tuple[list[datetime], int]:
        desk = Desk(discord.Client(intents=discord.Intents(guilds=True)), Discord())
        staying = 0
        for number, urgency, milliseconds, leave in waves:
            asked = [desk.ask(urgency) for _ in range(number)]
            await let_run()
            leaving = [task for task in asked if leave and not task.done()]
            for task in leaving:
                task.cancel()
            staying += number - len(leaving)
            await desk.pass_time(timedelta(milliseconds=milliseconds))
        for _ in range(20):
            await desk.pass_time()
        await desk.clear()
        return [at for at, _ in desk.granted], staying

    granted, staying = asyncio.run(play())
    assert len(granted) == staying
    for first, after in zip(granted, granted[RATE:], strict=False):
        assert after - first >= SECOND


# Edits -----------------------------------------------------------------------------------------------------------


async def test_edits_of_one_message_are_made_one_after_another(desk: Desk) -> None:
    desk.far.held = asyncio.Event()
    counter = desk.do(desk.messenger.edit(posting(), card(1), Urgency.COUNTER))
    await desk.far.next()
    reveal = desk.do(desk.messenger.edit(posting(), card(2), Urgency.REVEAL))
    await let_run()
    assert len(desk.far.sent) == 1
    desk.far.held.set()
    await asyncio.gather(counter, reveal)
    assert [shows(sent, number) for number, sent in enumerate(desk.far.sent, 1)] == [True, True]


async def test_edits_of_two_messages_do_not_wait_for_each_other(desk: Desk) -> None:
    desk.far.held = asyncio.Event()
    for message_id in (700, 701):
        desk.do(desk.messenger.edit(posting(message_id), card(1), Urgency.COUNTER))
    await desk.far.next()
    await desk.far.next()


async def test_an_edit_that_a_later_one_has_overtaken_is_dropped(desk: Desk) -> None:
    await desk.fill()
    counter = desk.do(desk.messenger.edit(posting(), card(1), Urgency.COUNTER))
    other = desk.do(desk.messenger.edit(posting(701), card(3), Urgency.COUNTER))
    await let_run()
    reveal = desk.do(desk.messenger.edit(posting(), card(2), Urgency.REVEAL))
    await desk.pass_time()
    await asyncio.gather(counter, other, reveal)
    assert [sent.path.rpartition("/")[2] for sent in desk.far.sent] == ["700", "701"]
    assert shows(desk.far.sent[0], 2)


async def test_a_later_edit_waits_for_one_on_its_way_whose_task_was_cancelled(desk: Desk) -> None:
    desk.far.held = asyncio.Event()
    counter = desk.do(desk.messenger.edit(posting(), card(1), Urgency.COUNTER))
    await desk.far.next()
    counter.cancel()
    reveal = desk.do(desk.messenger.edit(posting(), card(2), Urgency.REVEAL))
    await let_run()
    assert counter.cancelled()
    assert len(desk.far.sent) == 1
    desk.far.held.set()
    await reveal
    assert shows(desk.far.sent[1], 2)


async def test_an_edit_cancelled_while_it_waits_for_its_place_is_never_sent(desk: Desk) -> None:
    await desk.fill()
    counter = desk.do(desk.messenger.edit(posting(), card(1), Urgency.COUNTER))
    await let_run()
    counter.cancel()
    await desk.pass_time()
    await desk.messenger.edit(posting(), card(2), Urgency.REVEAL)
    assert [shows(sent, 2) for sent in desk.far.sent] == [True]


async def test_an_edit_that_fails_keeps_nobody_waiting(desk: Desk) -> None:
    desk.far.refuse.append(refusal(500))
    with pytest.raises(OutcomeUnknown):
        await desk.messenger.edit(posting(), card(1), Urgency.COUNTER)
    await desk.messenger.edit(posting(), card(2), Urgency.REVEAL)
    assert len(desk.far.sent) == 2


# What is sent, and what became of it -----------------------------------------------------------------------------


async def test_a_message_is_sent_with_its_nonce_and_can_ping_nobody(desk: Desk) -> None:
    message_id = await desk.messenger.post(posting(None), card(0))
    await desk.messenger.edit(posting(message_id), card(1), Urgency.COUNTER)
    sent, edited = desk.far.sent
    assert (sent.method, sent.path) == ("POST", f"/channels/{CHANNEL}/messages")
    assert (sent.body["nonce"], sent.body["enforce_nonce"]) == ("a-nonce", True)
    assert (edited.method, edited.path) == ("PATCH", f"/channels/{CHANNEL}/messages/{message_id}")
    assert [one.body["allowed_mentions"] for one in (sent, edited)] == [{"parse": []}] * 2
    assert "attachments" not in edited.body  # a picture stays where it is


REFUSED = [
    (404, 10003, ChannelLost),
    (404, 10004, ChannelLost),
    (404, 10008, MessageGone),
    (403, 50001, AccessDenied),
    (403, 50013, AccessDenied),
    (403, 0, AccessDenied),
    (400, 50083, AccessDenied),  # the thread is archived
    (400, 200000, AccessDenied),  # AutoMod
    (400, 50035, AccessDenied),
    (429, 0, OutcomeUnknown),
    (500, 0, OutcomeUnknown),
    (502, 0, OutcomeUnknown),
    (503, 0, OutcomeUnknown),
]


@pytest.mark.parametrize(("status", "code", "told"), REFUSED)
async def test_a_refusal_is_told_in_the_words_of_the_port(
    desk: Desk, status: int, code: int, told: type[Exception]
) -> None:
    desk.far.refuse.extend([refusal(status, code), refusal(status, code)])
    with pytest.raises(told):
        await desk.messenger.post(posting(None), card(0))
    with pytest.raises(told):
        await desk.messenger.edit(posting(), card(0), Urgency.TURN)


@pytest.mark.parametrize(
    "fault",
    [
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientOSError(),
        ConnectionResetError(),
        TimeoutError(),
        discord.RateLimited(60),
    ],
    ids=repr,
)
async def test_a_broken_connection_leaves_the_outcome_unknown(desk: Desk, fault: Exception) -> None:
    desk.far.refuse.append(fault)
    with pytest.raises(OutcomeUnknown):
        await desk.messenger.post(posting(None), card(0))


async def test_a_fault_of_our_own_is_not_taken_for_one_of_discords(desk: Desk) -> None:
    desk.far.refuse.append(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        await desk.messenger.post(posting(None), card(0))


# Permissions and links -------------------------------------------------------------------------------------------


def test_exactly_what_is_missing_is_named() -> None:
    everything = discord.Permissions.all()
    assert missing(everything, thread=False) == missing(everything, thread=True) == []
    nothing = discord.Permissions.none()
    assert missing(nothing, thread=False) == ["view_channel", "send_messages", "read_message_history"]
    assert missing(nothing, thread=True) == [
        "view_channel",
        "send_messages_in_threads",
        "read_message_history",
    ]
    everything.update(send_messages=False)
    assert missing(everything, thread=False) == ["send_messages"]
    assert missing(everything, thread=True) == []  # a thread has a right of its own
    everything.update(read_message_history=False)
    assert missing(everything, thread=True) == ["read_message_history"]


async def test_of_a_channel_nobody_knows_nothing_is_said_to_be_missing(desk: Desk) -> None:
    assert desk.messenger.missing_permissions(snowflake(BEGIN)) == ()


async def test_a_link_leads_to_a_message_of_a_server_or_a_direct_message(desk: Desk) -> None:
    assert desk.messenger.link(1, 2, 3) == "https://discord.com/channels/1/2/3"
    assert desk.messenger.link(None, 2, 3) == "https://discord.com/channels/@me/2/3"
