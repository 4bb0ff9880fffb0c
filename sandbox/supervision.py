"""The bot's process, as far as the sandbox has a say in it: none. Whoever runs the bot asks here what is wished, and
carries it out; without somebody who asks, nothing can be wished.
"""

import asyncio
from contextlib import suppress

from sandbox.events import WorldChanged
from sandbox.faults import Fault
from sandbox.hub import Hub
from sandbox.wire import JsonObject

RUNNING, STOPPED = "running", "stopped"
_ACTIONS = {"kill": STOPPED, "start": RUNNING}

MOST_WAIT_S = 30.0
"""Real seconds that a supervisor is kept waiting at most; it then asks anew."""

PATIENCE_S = 5.0
"""Real seconds after which a supervisor that does not ask again is taken to be gone."""


class Supervision:
    """The state that is wished for the bot's process, and the one its supervisor tells."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._state: str | None = None
        self._wanted = RUNNING
        self._news = asyncio.Event()
        self._asked = 0
        self._lapse: asyncio.TimerHandle | None = None
        self._closed = False

    def view(self) -> JsonObject:
        """Write what is known and wished; the state is null where nobody supervises."""
        return {"supervised": self._state is not None, "state": self._state, "wanted": self._wanted}

    def wish(self, action: str) -> None:
        """Wish the process killed or started; raises a Fault where nobody would do it."""
        if action not in _ACTIONS:
            raise Fault(400, '"action" must be kill or start')
        if self._state is None:
            raise Fault(400, "Nobody supervises the bot's process; start it with `python -m bot sandbox`")
        if self._wanted != _ACTIONS[action]:
            self._wanted = _ACTIONS[action]
            self._wake()
            self._hub.feed.publish(WorldChanged())

    async def report(self, state: str, wait_s: float) -> JsonObject:
        """Note the state a supervisor tells; answers as soon as another one is wished, or after the wait."""
        if state not in (RUNNING, STOPPED):
            raise Fault(400, '"state" must be running or stopped')
        changed = state != self._state
        self._state = state
        self._asked += 1
        mine = self._asked
        self._keep_lapse(None)
        # Whoever asked before has gone, or would have been told by now: only the newest question is kept waiting.
        self._wake()
        if changed:
            self._hub.feed.publish(WorldChanged())
        if state == self._wanted and not self._closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), min(wait_s, MOST_WAIT_S))
        if mine == self._asked and not self._closed:
            self._keep_lapse(asyncio.get_running_loop().call_later(PATIENCE_S, self._be_alone))
        return {"wanted": self._wanted}

    def close(self) -> None:
        """Let nobody wait any longer, because the sandbox stops."""
        self._closed = True
        self._keep_lapse(None)
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _keep_lapse(self, handle: asyncio.TimerHandle | None) -> None:
        if self._lapse is not None:
            self._lapse.cancel()
        self._lapse = handle

    def _be_alone(self) -> None:
        self._lapse = None
        self._state = None
        self._wanted = RUNNING
        self._hub.feed.publish(WorldChanged())
