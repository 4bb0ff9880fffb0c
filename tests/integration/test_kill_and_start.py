"""Killing the bot on the sandbox's page and starting it again, with the processes that `make run` starts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from tests.support.page import served_page

PATIENCE_S = 60


class Window:
    """What somebody at the page can read and do, without the page."""

    def __init__(self, http: aiohttp.ClientSession, address: str) -> None:
        self._http, self._control = http, f"{address}control/"

    async def read(self, path: str, **query: Any) -> Any:
        async with self._http.get(self._control + path, params=query) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def do(self, path: str, **fields: Any) -> Any:
        async with self._http.post(self._control + path, json=fields) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def until(self, state: str, *, online: bool) -> None:
        """Follow the page's live connection until the bot's process and the bot are as they should be."""
        member = (await self.read("world"))["guilds"][0]["members"][-1]["id"]
        async with (
            asyncio.timeout(PATIENCE_S),
            self._http.ws_connect(f"{self._control}live", params={"member": member}) as socket,
        ):
            while True:
                seen = (await self.read("bot"))["state"], (await self.read("world"))["bot"]["online"]
                if seen == (state, online):
                    return
                await socket.receive_json()


@asynccontextmanager
async def window() -> AsyncIterator[Window]:
    async with served_page() as address, aiohttp.ClientSession() as http:
        yield Window(http, address)


async def identified(page: Window) -> int:
    """Count how often a bot has introduced itself at the gateway."""
    log = await page.read("log")
    return len([one for one in log if one["dir"] == "gateway-in" and one["path"] == "IDENTIFY"])


async def test_a_killed_bot_stays_away_until_it_is_started_and_then_answers_again() -> None:
    async with window() as page:
        await page.until("running", online=True)
        for times in range(1, 3):
            await page.do("bot", action="kill")
            await page.until("stopped", online=False)
            assert await identified(page) == times
            await page.do("bot", action="start")
            await page.until("running", online=True)
        world = await page.read("world")
        guild = world["guilds"][0]
        names = {one["name"]: one["id"] for one in (*guild["members"], *guild["channels"])}
        asked = {"member": names["Ada"], "channel": names["quiz-night"], "command": "help", "wait": 10}
        assert (await page.do("slash", **asked))["result"]["state"] == "done"


async def test_a_sandbox_whose_bot_was_killed_ends_as_usual() -> None:
    async with window() as page:
        await page.until("running", online=True)
        await page.do("bot", action="kill")
        await page.until("stopped", online=False)
