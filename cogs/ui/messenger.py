"""The messenger over discord.py: the only place that sends or edits a public message.

It keeps to the rate Discord allows, in order of urgency, keeps the edits of one message in order, lets nothing ping,
and says what became of a request in the words of the port. What to do about it is the services'.
"""

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

import aiohttp
import discord
from discord import ui

from bot.core.cards import Card
from bot.i18n import words_for
from bot.ports import AccessDenied, ChannelLost, Clock, MessageGone, OutcomeUnknown, Posting, Urgency
from cogs.ui.render import render

RATE = 45
"""Requests a second; Discord allows 50, and interaction answers do not count."""
HISTORY = 1_000
BEFORE_CLAIM = timedelta(minutes=5)
AFTER_TRY = timedelta(minutes=2)

NEEDED = ("view_channel", "send_messages", "read_message_history")
NEEDED_IN_THREAD = ("view_channel", "send_messages_in_threads", "read_message_history")

_UNKNOWN_CHANNEL, _UNKNOWN_GUILD, _UNKNOWN_MESSAGE = 10003, 10004, 10008


class _Line:
    """The edits of one message, in the order they were asked for."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.asked = 0
        self.drawn = 0


class DiscordMessenger:
    """Public messages through a client."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._granted: deque[datetime] = deque(maxlen=RATE)
        self._granting: asyncio.Task[None] | None = None
        # Kept as long as an edit holds one or waits for it.
        self._lines = WeakValueDictionary[int, _Line]()

    async def slot(self, urgency: Urgency) -> None:
        """Wait for a place among the requests of this second; the more urgent go first."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._order), future))
        if self._granting is None:
            self._granting = asyncio.create_task(self._grant(), name="messenger queue")
        await future

    async def _grant(self) -> None:
        while self._waiting:
            if len(self._granted) == RATE:
                await self._clock.sleep_until(self._granted[0] + timedelta(seconds=1))
            _, _, future = heapq.heappop(self._waiting)
            if not future.done():
                self._granted.append(self._clock.now())
                future.set_result(None)
        self._granting = None

    async def post(self, posting: Posting, card: Card) -> int:
        """Send a claimed message with its nonce; return the id Discord gave it, or gave it before."""
        view = render(card, words_for(posting.language))
        channel = self._client.get_partial_messageable(posting.channel_id)
        async with _in_words():
            message = await channel.send(
                view=view, nonce=posting.nonce, allowed_mentions=discord.AllowedMentions.none()
            )
        self._clock.observe(message.created_at)
        return message.id

    async def edit(self, posting: Posting, card: Card, urgency: Urgency) -> None:
        """Draw a confirmed message anew, after any other edit of it; one that a later edit has overtaken is dropped."""
        message_id = posting.message_id
        if message_id is None:
            raise AssertionError("an unconfirmed message cannot be edited")
        line = self._lines.get(message_id) or _Line()
        self._lines[message_id] = line
        line.asked += 1
        place = line.asked
        view = render(card, words_for(posting.language))
        await self.slot(urgency)
        # Shielded: a counter whose task is cancelled finishes what is on its way, and the reveal waits behind it.
        await asyncio.shield(self._draw(posting.channel_id, message_id, view, line, place))

    async def _draw(
        self, channel_id: int, message_id: int, view: ui.LayoutView, line: "_Line", place: int
    ) -> None:
        channel = self._client.get_partial_messageable(channel_id)
        async with line.lock, _in_words():
            if place < line.drawn:
                return
            line.drawn = place
            await channel.get_partial_message(message_id).edit(
                view=view, allowed_mentions=discord.AllowedMentions.none()
            )

    async def find(self, posting: Posting, card: Card, known: frozenset[int]) -> int | None:
        """Look for a claimed message in the channel's history, by the custom_ids that the card carries."""
        ours = set(_custom_ids(render(card, words_for(posting.language)).to_components()))
        channel = self._client.get_partial_messageable(posting.channel_id)
        async with _in_words():
            history = channel.history(
                limit=HISTORY,
                after=posting.claimed_at - BEFORE_CLAIM,
                before=posting.tried_at + AFTER_TRY,
                oldest_first=True,
            )
            async for message in history:
                if message.author.id != self._client.application_id and message.author != self._client.user:
                    continue
                carried = {one for part in message.components for one in _custom_ids([part.to_dict()])}
                if carried & ours and message.id not in known:
                    return message.id
        await self._check_history(posting.channel_id)
        return None

    async def _check_history(self, channel_id: int) -> None:
        """Make sure that nothing was there: who may not read the history is told the same.

        Raises:
            OutcomeUnknown, AccessDenied: the bot's rights are not known yet, or do not suffice.
        """
        async with _in_words():
            channel = self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)
        have = self._rights(channel)
        if have is None:
            raise OutcomeUnknown("the server of the channel has not been told of yet")
        if not have.read_message_history:
            raise AccessDenied("the history cannot be read")

    def _rights(self, channel: object) -> discord.Permissions | None:
        """Return the bot's permissions in a channel of a server, None where they cannot be known."""
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return None
        me = channel.guild.get_member(self._client.user.id) if self._client.user else None
        if me is None or (isinstance(channel, discord.Thread) and channel.parent is None):
            return None
        return channel.permissions_for(me)

    def missing_permissions(self, channel_id: int) -> Sequence[str]:
        """Name the permissions that the bot lacks to hold a round in a channel; none where it cannot be known."""
        channel = self._client.get_channel(channel_id)
        have = self._rights(channel)
        return () if have is None else missing(have, thread=isinstance(channel, discord.Thread))

    def link(self, guild: int | None, channel_id: int, message_id: int) -> str:
        """Return the address that leads to a message."""
        return f"https://discord.com/channels/{guild or '@me'}/{channel_id}/{message_id}"


def missing(have: discord.Permissions, *, thread: bool) -> Sequence[str]:
    """Name the permissions that a round needs and which are not there."""
    return [name for name in (NEEDED_IN_THREAD if thread else NEEDED) if not getattr(have, name)]


@asynccontextmanager
async def _in_words() -> AsyncGenerator[None]:
    """Turn what discord.py raises into the words of the port."""
    try:
        yield
    except discord.NotFound as fault:
        if fault.code == _UNKNOWN_MESSAGE:
            raise MessageGone from fault
        if fault.code in (_UNKNOWN_CHANNEL, _UNKNOWN_GUILD):
            raise ChannelLost from fault
        raise
    except discord.Forbidden as fault:
        raise AccessDenied(f"{fault.code} {fault.text}") from fault
    except discord.HTTPException as fault:
        if fault.status >= 500 or fault.status == 429:
            raise OutcomeUnknown(f"HTTP {fault.status}") from fault
        # An archived thread, a text that AutoMod blocks, or a form that is our own fault: trying at once is no use.
        raise AccessDenied(f"{fault.code} {fault.text}") from fault
    except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError) as fault:
        raise OutcomeUnknown(repr(fault)) from fault


def _custom_ids(components: Sequence[Any]) -> Iterator[str]:
    """Yield every custom_id in raw components, however deep."""
    for component in components:
        if component.get("custom_id"):
            yield component["custom_id"]
        yield from _custom_ids(component.get("components") or ())
        if component.get("accessory"):
            yield from _custom_ids([component["accessory"]])
