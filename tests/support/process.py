"""The bot's process as the tests hold it: it is told the time, asked how things stand, and ended in every way."""

import asyncio
import json
import multiprocessing
import os
import signal
import socket
import sys
from contextlib import suppress
from datetime import datetime
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.support import child
from tests.support.reading import Json

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 30.0
"""Real seconds after which something that hangs is a failure; nothing is measured by it."""


FORKS = multiprocessing.get_context("forkserver")
"""Importing the product takes most of a start: a server imports it once, and each child is forked from it."""
FORKS.set_forkserver_preload(["tests.support.child"])


class Bot:
    """The child process of `tests.support.child`. Make it with `start_child`."""

    def __init__(
        self, process: BaseProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._asked = 0

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.is_alive()

    def tell(self, now: datetime) -> None:
        """Tell the time."""
        self._say({"now": now.isoformat()})

    async def ask(self) -> Json | None:
        """Ask how things stand; None when the process has died."""
        self._asked += 1
        self._say({"ask": self._asked})
        with suppress(ConnectionError):
            while line := await asyncio.wait_for(self._reader.readline(), PATIENCE_S):
                answer = json.loads(line)
                if answer["asked"] == self._asked:
                    return answer
        return None

    def _say(self, said: Json) -> None:
        if not self._writer.is_closing():
            self._writer.write(json.dumps(said).encode() + b"\n")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        assert self._process.pid is not None
        if self.alive:
            os.kill(self._process.pid, number)

    async def ended(self, within_s: float = PATIENCE_S) -> int:
        """Wait for the end; return the exit status, below 0 the signal that killed it."""
        await asyncio.to_thread(self._process.join, within_s)
        status = self._process.exitcode
        assert status is not None, f"the bot has not ended within {within_s} s"
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()
        return status


async def start_child(environment: dict[str, str], log: Path) -> Bot:
    """Start the bot as a child that is told the time; its log is appended to a file."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = FORKS.Process(target=child.run, args=(environment, theirs, str(log)), daemon=True)
        await asyncio.to_thread(process.start)
    return Bot(process, *await asyncio.open_connection(sock=ours))


async def run_product(*arguments: str, environment: dict[str, str]) -> tuple[int, str]:
    """Run `python -m bot` to its end, with real time; return exit status and all that it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *arguments,
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode is not None
    return process.returncode, printed.decode()


def clean_environment() -> dict[str, str]:
    """Return this process's environment without what would set the product up."""
    ours = ("DISCORD_", "DATABASE_", "QUIZ_", "DEFAULT_", "TIME_ZONE", "LOG_LEVEL", "ETUT_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}
