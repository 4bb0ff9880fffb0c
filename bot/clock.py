"""The real clock: a monotonic one, set by what Discord tells us of its own time.

First comes the `Date` header of the log-in requests, later the ids of our own messages and of interactions, of which
the least delayed in the last minutes is nearest to the truth. So neither a wrong nor a jumping host clock moves a
deadline.
"""

import asyncio
import logging
import time
from collections import deque
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_log = logging.getLogger(__name__)

WINDOW = timedelta(minutes=5)
REPLAYED = timedelta(seconds=2)
"""An instant that lags our time by more has been waiting somewhere and says nothing."""
LONGEST_SLEEP_S = 30.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _monotonic() -> timedelta:
    """Return a time that no setting of the host's clock moves, and which goes on while a laptop sleeps."""
    source = getattr(time, "CLOCK_BOOTTIME", None)
    seconds = time.monotonic() if source is None else time.clock_gettime(source)
    return timedelta(seconds=seconds)


class DiscordClock:
    """Discord's time; until anything is known of it, the host's."""

    def __init__(self) -> None:
        self._offset = datetime.now(UTC) - _EPOCH - _monotonic()
        self._seen: deque[tuple[timedelta, timedelta]] = deque(maxlen=1_000)
        self._dated = False

    def now(self) -> datetime:
        """Return the present aware UTC instant."""
        return _EPOCH + _monotonic() + self._offset

    async def sleep_until(self, instant: datetime) -> None:
        """Return at an instant; what is learnt of Discord's time meanwhile is heeded."""
        while (left := (instant - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - time is the event
            await asyncio.sleep(min(left, LONGEST_SLEEP_S))

    def set_by_date(self, header: str) -> None:
        """Set the clock by the `Date` header of an answer that has just arrived; ids tell the time better."""
        if self._seen:
            return
        try:
            told = parsedate_to_datetime(header)
        except ValueError:
            return
        if told.tzinfo is None:
            return
        # A whole second was cut off by the header: the middle is the likeliest.
        offset = told + timedelta(seconds=0.5) - _EPOCH - _monotonic()
        if not self._dated or abs(offset - self._offset) > timedelta(seconds=1):
            self._offset = offset
        if not self._dated:
            self._dated = True
            off = (datetime.now(UTC) - self.now()).total_seconds()
            if abs(off) > 2:
                _log.warning("this computer's clock is %+.1f s off Discord's; Discord's is used", off)

    def observe(self, made_at: datetime) -> None:
        """Take note of an instant that Discord has just put into an id."""
        now = _monotonic()
        offset = made_at - _EPOCH - now
        if self._seen and self._offset - offset > REPLAYED:
            return
        self._seen.append((now, offset))
        while now - self._seen[0][0] > WINDOW:
            self._seen.popleft()
        self._offset = max(seen for _, seen in self._seen)
