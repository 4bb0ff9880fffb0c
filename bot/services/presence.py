"""When the bot was away: the process down, or a server's shard disconnected. Members are not to lose by it."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from bot.ports import Clock
from bot.services.recorder import Recorder
from bot.store import people
from bot.store.database import Database, Tx

_log = logging.getLogger(__name__)

ALIVE = "alive_at"


class Presence:
    """Knows who is away and since when; `beat` leaves the trace from which a killed process is dated."""

    def __init__(
        self, database: Database, recorder: Recorder, clock: Clock, shard_of: Callable[[int], int]
    ) -> None:
        self._database = database
        self._recorder = recorder
        self._clock = clock
        self._shard_of = shard_of
        self._away: dict[int, datetime] = {}
        self._here = asyncio.Event()

    def is_away(self, guild: int | None) -> bool:
        """Tell whether the shard of a server is disconnected now."""
        return bool(self._away) and self._shard_of(guild or 0) in self._away

    def leave(self, shard: int, since: datetime) -> None:
        """Note that a shard was disconnected; `since` is the last sign of life before."""
        self._away.setdefault(shard, since)

    def back(self, shard: int) -> datetime | None:
        """Note that a shard is connected again; return since when it was away, None if it was not."""
        return self._away.pop(shard, None)

    async def beat(self) -> None:
        """Leave a trace that the process is alive."""
        now = self._clock.now().isoformat()
        await self._recorder.write(lambda tx: people.write_meta(tx, ALIVE, now))

    async def away_since(self) -> datetime | None:
        """Return when the previous process was last known to be alive; None on a new database."""
        async with self._database.reading() as tx:
            written = await people.read_meta(tx, ALIVE)
        return None if written is None else datetime.fromisoformat(written)

    async def note(self, since: datetime, until: datetime, shard: int | None) -> None:
        """Store an outage: streaks and lateness are judged by it later."""
        _log.warning(
            "away from %s to %s (%s)", since, until, "process" if shard is None else f"shard {shard}"
        )

        async def write(tx: Tx) -> None:
            await people.add_outage(tx, since, until, shard)

        await self._recorder.write(write)

    def arrive(self) -> None:
        """Note that what stood open over the outage has been given its time: presses can be judged."""
        self._here.set()

    async def arrived(self) -> None:
        """Wait until presses can be judged, after a start."""
        await self._here.wait()
