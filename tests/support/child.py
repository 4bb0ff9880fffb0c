"""The bot as the tests' child process: the real application, which gets its instants from the tests.

Parent and child share a socket. A line in is {"now": instant} or {"ask": n}; a line out answers n with whether
anything is under way and until when the earliest of the bot's own waits lasts. `ETUT_KILL` names a point at which
the process kills itself, as `point:n` for the n-th time it is passed. None of this is in the product.
"""

import asyncio
import json
import logging
import os
import signal
import socket
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import aiohttp
from sqlalchemy import Engine, event
from sqlalchemy.pool import QueuePool

from bot import app as house
from bot.app import App
from bot.config import read_settings
from bot.core.cards import Card, QuestionCard, RevealCard
from bot.ports import Posting, Urgency
from bot.store.database import Database
from cogs.ui.messenger import DiscordMessenger
from tests.support.held_clock import HeldClock

Writer = asyncio.StreamWriter

PASSED: Counter[str] = Counter()


def passing(point: str) -> None:
    """Kill this process if this is the point and the time for it."""
    PASSED[point] += 1
    if os.environ.get("ETUT_KILL") == f"{point}:{PASSED[point]}":
        os.kill(os.getpid(), signal.SIGKILL)


class FailingMessenger(DiscordMessenger):
    """The real messenger, with points at which the process may die."""

    async def post(self, posting: Posting, card: Card) -> int:
        kind = "question" if isinstance(card, QuestionCard) else "other"
        passing(f"claimed-{kind}")
        message_id = await super().post(posting, card)
        passing(f"sent-{kind}")
        return message_id

    async def edit(self, posting: Posting, card: Card, urgency: Urgency) -> None:
        if isinstance(card, RevealCard):
            passing("before-reveal-edit")
        await super().edit(posting, card, urgency)
        if isinstance(card, RevealCard):
            passing("after-reveal-edit")


def engines(database: Database) -> tuple[Engine, Engine]:
    """Return the writing and the reading engine."""
    writer, reader = database._writer, database._reader  # pyright: ignore[reportPrivateUsage]
    return writer.sync_engine, reader.sync_engine


def install_points(app: App) -> None:
    """Add the points that lie in the store and the recorder."""
    engine = engines(app.database)[0]

    def before_write(
        _connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
    ) -> None:
        if statement.startswith("UPDATE turns SET state"):
            passing(f"writing-{parameters[0]}")

    event.listen(engine, "before_cursor_execute", before_write)
    respond = app.recorder.respond

    async def responding(pressed: Any) -> Any:
        recorded = await respond(pressed)
        passing("committed-press")
        return recorded

    app.recorder.respond = responding


class Watch:
    """Knows whether anything is under way that is not a wait of ours for time."""

    def __init__(self, app: App, clock: HeldClock) -> None:
        self._app = app
        self._clock = clock
        self._requests = 0
        trace = app.client.http.http_trace
        assert trace is not None
        trace.on_request_start.append(self._begin)
        trace.on_request_end.append(self._end)
        trace.on_request_exception.append(self._end)

    # The connection to the gateway is made with real time, and may be kept waiting by a test.

    async def _begin(
        self, _session: object, _context: object, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        self._requests += asked.url.scheme == "http"

    async def _end(
        self,
        _session: object,
        _context: object,
        answered: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._requests -= answered.url.scheme == "http"

    def busy(self) -> bool:
        """Tell whether a request, a read or a write is under way."""
        pools = (cast("QueuePool", engine.pool) for engine in engines(self._app.database))
        in_use = any(pool.checkedout() for pool in pools)
        return bool(self._requests or in_use or not self._app.recorder.idle)

    async def answer(self, number: int) -> dict[str, Any]:
        """Say how things stand, after everything that was ready to run has run."""
        busy = False
        for _ in range(20):
            await asyncio.sleep(0)
            busy = busy or self.busy()
        upcoming = self._clock.next()
        return {
            "asked": number,
            "busy": busy,
            "connected": self._app.services.presence.connected.is_set(),
            "away": self._app.services.presence.is_away(None),
            "next": upcoming.isoformat() if upcoming else None,
        }


def stay_here(name: str, facts: tuple[Any, ...]) -> None:
    """Report, in the log, whoever asks for the address of another machine or connects to one."""
    host: object = None
    if name == "socket.getaddrinfo":
        host = facts[0]
    elif name == "socket.connect" and not isinstance(
        facts[1], str | bytes
    ):  # a local socket's address is a path
        host = facts[1][0]
    if host not in (None, "127.0.0.1", "localhost"):
        print(f"FOREIGN {host}", file=sys.stderr, flush=True)


async def listen(clock: HeldClock, watch: Watch, reader: asyncio.StreamReader, writer: Writer) -> None:
    """Follow the parent; when it is gone, so is this process."""
    while line := await reader.readline():
        said = json.loads(line)
        if "now" in said:
            clock.set(datetime.fromisoformat(said["now"]))
        else:
            writer.write(json.dumps(await watch.answer(said["ask"])).encode() + b"\n")
    os._exit(1)


async def main(parent: socket.socket) -> int:
    """Run the bot until it is told to stop."""
    reader, writer = await asyncio.open_connection(sock=parent)
    clock = HeldClock(datetime.fromisoformat(json.loads(await reader.readline())["now"]))
    house.DiscordMessenger = FailingMessenger
    app = await house.build(read_settings(), clock)
    install_points(app)
    listening = asyncio.create_task(listen(clock, Watch(app, clock), reader, writer))
    status = await house.serve(app)
    listening.cancel()
    writer.close()
    return status


def run(environment: dict[str, str], parent: socket.socket, log: str) -> None:
    """Be the bot: the target of a process that was forked when all of this had been imported."""
    os.environ.clear()
    os.environ.update(environment)
    with Path(log).open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    logging.basicConfig(level=environment.get("LOG_LEVEL", "INFO"), stream=sys.stderr)
    sys.addaudithook(stay_here)
    sys.exit(asyncio.run(main(parent)))
