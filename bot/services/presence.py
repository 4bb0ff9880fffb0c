"""When the bot was away: the process down, or a server's shard disconnected. Members are not to lose by it."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.ports import Clock
from bot.services.notes import Notes

_log = logging.getLogger(__name__)

ALIVE = "alive_at"
PATIENCE = timedelta(seconds=1.5)


class Presence:
    """Knows which shards are connected; `beat` leaves the trace from which a killed process is dated."""

    def __init__(self, notes: Notes, clock: Clock, shard_of: Callable[[int | None], int]) -> None:
        self.shard_of = shard_of
        self.connected = asyncio.Event()
        self._notes = notes
        self._clock = clock
        self._down_since: datetime | None = None
        self._lost: dict[int, datetime] = {}
        self._here: dict[int, asyncio.Event] = {}

    async def start(self) -> None:
        """Read when the process before this one was last known to be alive."""
        written = await self._notes.read(ALIVE)
        self._down_since = None if written is None else datetime.fromisoformat(written)

    async def beat(self) -> None:
        """Leave a trace that the process is alive."""
        await self._notes.write(ALIVE, self._clock.now().isoformat())

    def is_away(self, guild: int | None) -> bool:
        """Tell whether the shard of a server is disconnected now."""
        here = self._here.get(self.shard_of(guild))
        return here is None or not here.is_set()

    def leave(self, shard: int, since: datetime) -> None:
        """Note that a shard was disconnected; `since` is the last sign of life before."""
        self._lost.setdefault(shard, since)
        self._event(shard).clear()

    def away_since(self, shard: int) -> datetime | None:
        """Return since when a shard has been away: lost, or never connected by this process; None if nobody knows."""
        if shard in self._lost:
            return self._lost[shard]
        return None if shard in self._here else self._down_since

    def arrive(self, shard: int) -> None:
        """Note that a shard is here and what stood open has been given its time: presses can be judged."""
        self._lost.pop(shard, None)
        self._event(shard).set()
        self.connected.set()

    async def arrived(self, guild: int | None) -> None:
        """Wait until presses from a server can be judged: moments, after a start or a break."""
        here = self._event(self.shard_of(guild))
        if here.is_set():
            return
        waiting = asyncio.create_task(here.wait(), name="press waits for its shard")
        patience = asyncio.create_task(self._clock.sleep_until(self._clock.now() + PATIENCE))
        await asyncio.wait({waiting, patience}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        patience.cancel()

    def _event(self, shard: int) -> asyncio.Event:
        return self._here.setdefault(shard, asyncio.Event())
