"""Faults of the messenger, at the requests a test names: the port's errors, slowness, and the death of the process.

A fault strikes before the effect of a request or after it. Requests are counted from 1 over all processes; waits for
a place in the queue are not counted.
"""

import asyncio
from datetime import timedelta

from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown
from tests.support.fake_messenger import Call, FakeMessenger


class Death(Exception):
    """The process dies in the middle of a request: it never returns, and nothing that is sent later arrives."""


Fault = type[OutcomeUnknown] | type[AccessDenied] | type[ChannelLost] | type[MessageGone] | type[Death]


class Faults:
    """What goes wrong with a messenger."""

    def __init__(self, messenger: FakeMessenger) -> None:
        self.messenger = messenger
        messenger.before, messenger.after = self._before, self._after
        self.requests: list[Call] = []
        self.died = False
        self.queue_takes = timedelta(0)
        self.denied: set[int] = set()
        """Channels in which everything is refused."""
        self.unreadable: set[int] = set()
        """Channels whose history is refused."""
        self.lost: set[int] = set()
        """Channels that were deleted."""
        self._planned: dict[int, tuple[Fault, bool]] = {}
        self._slow: dict[int, timedelta] = {}
        self._to_strike: dict[int, Fault] = {}

    def fail(self, nth: int, fault: Fault, *, after: bool = False) -> None:
        """Let the n-th request fail, before its effect or after it."""
        self._planned[nth] = fault, after

    def fail_next(self, fault: Fault, times: int = 1, *, after: bool = False) -> None:
        """Let the requests to come fail."""
        for nth in range(len(self.requests) + 1, len(self.requests) + 1 + times):
            self.fail(nth, fault, after=after)

    def slow_down(self, nth: int, takes: timedelta) -> None:
        """Let the n-th request take some time before it has its effect."""
        self._slow[nth] = takes

    def mend(self) -> None:
        """Let nothing that was planned go wrong any more."""
        self._planned.clear()
        self._slow.clear()

    async def _before(self, call: Call) -> None:
        if self.died:
            await for_ever()
        clock = self.messenger.clock
        if call.posting is None:
            await clock.sleep_until(clock.now() + self.queue_takes)
            return
        self.requests.append(call)
        nth = len(self.requests)
        fault, after = self._planned.pop(nth, (None, False))
        if fault is MessageGone and call.name != "edit":
            fault = None
        await clock.sleep_until(clock.now() + self._slow.pop(nth, timedelta(0)))
        if fault is not None and not after:
            await self._strike(fault, call)
        channel = call.posting.channel_id
        if channel in self.lost:
            raise ChannelLost
        if channel in self.denied or (call.name == "find" and channel in self.unreadable):
            raise AccessDenied("50013 Missing Permissions")
        if fault is not None:
            self._to_strike[call.number] = fault

    async def _after(self, call: Call) -> None:
        fault = self._to_strike.pop(call.number, None)
        if fault is not None:
            await self._strike(fault, call)

    async def _strike(self, fault: Fault, call: Call) -> None:
        assert call.posting is not None
        if fault is Death:
            self.died = True
            await for_ever()
        if fault is ChannelLost:
            self.lost.add(call.posting.channel_id)
        if fault is MessageGone:
            for message in self.messenger.messages:
                message.deleted = message.deleted or message.id == call.posting.message_id
        raise fault(f"brought about by the test at request {call.number}")


async def for_ever() -> None:
    """Never return."""
    await asyncio.get_running_loop().create_future()
