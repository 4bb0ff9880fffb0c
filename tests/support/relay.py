"""A wire between the bot and the sandbox that tests can cut or hold: TCP, whatever runs over it.

It changes nothing of what passes but the Host header, since the sandbox answers only to its own name.
"""

import asyncio
from contextlib import suppress


class Relay:
    """Passes connections on to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._server: asyncio.Server | None = None
        self._whole = asyncio.Event()
        self._whole.set()
        self._answering = asyncio.Event()
        self._answering.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.opened = 0
        """How many connections have been made through here."""

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Break every connection; new ones come through once it is mended."""
        self._whole.clear()
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        """Let connections through again."""
        self._whole.set()

    def hold_answers(self) -> None:
        """Keep what comes back until it is let go: requests arrive, their answers do not."""
        self._answering.clear()

    def let_go(self) -> None:
        """Let through what was held, and what follows."""
        self._answering.set()

    async def stop(self) -> None:
        """End everything."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # an aborted connection is closed in the loop's next turn

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with suppress(OSError, asyncio.CancelledError):
            try:
                await self._whole.wait()
                self.opened += 1
                await self._join(reader, writer)
            finally:
                writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        both = {writer, far_writer}
        self._writers |= both
        passing = {
            asyncio.create_task(self._ask(reader, far_writer)),
            asyncio.create_task(self._answer(far_reader, writer)),
        }
        try:
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers -= both
            for task in passing:
                task.cancel()
            for one in both:
                one.transport.abort()
            await asyncio.gather(*passing, return_exceptions=True)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = f"Host: 127.0.0.1:{self.port}".encode()
        while data := await reader.read(1 << 16):
            writer.write(data.replace(own, b"Host: 127.0.0.1", 1))
            await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            await self._answering.wait()
            writer.write(data)
            await writer.drain()
