"""A table to play at, for the tests: a sandbox in this process, the bot in another, people who press, and time.

Time stands still unless a test moves it, and moves only when nothing is under way: so a round of minutes takes
moments, and never depends on how fast the machine is. People act through the sandbox's documented control interface.
The bot reaches the sandbox through two relays, so that a test can break either line.
"""

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from sandbox.clock import Clock
from sandbox.server import Sandbox
from sandbox.start_world import study_hall
from tests.support.people import Person
from tests.support.process import PATIENCE_S, Bot, clean_environment, start_child
from tests.support.reading import Json, words
from tests.support.relay import Relay

BEGIN = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)
QUIET_LOOKS = 3
UPDATED = 7
"""Discord's callback type of an answer that draws the pressed message anew."""
MOVES = 10_000
"""A bound on how often time moves towards one instant."""


class Table:
    """The sandbox, the bot, and time."""

    def __init__(
        self, folder: Path, quizzes: Path | None, sandbox: Sandbox, http: aiohttp.ClientSession
    ) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.http = http
        self.bot: Bot | None = None
        self.rest = Relay(sandbox.port)
        self.gateway = Relay(sandbox.port)
        self.people: dict[str, Person] = {}
        self.channels: dict[str, str] = {}
        self.roles: dict[str, str] = {}
        self.guild = ""
        self.channel = ""
        self.deaths = 0
        """How often the bot has died at a point it was told to die at, and was started again."""
        self.forgiven: set[int] = set()
        """Discord's codes of the refusals that this test brings about itself."""
        self.complaints_expected = False
        """Whether this test brings about what the bot must complain of in its log."""
        self._quizzes = quizzes
        self._revive = False
        self._acts: list[int] = []

    @property
    def now(self) -> datetime:
        """Return what time it is at this table."""
        return self.sandbox.clock.now()

    async def read_world(self) -> None:
        """Learn who and what there is."""
        guild = (await self.get("world"))["guilds"][0]
        self.guild = guild["id"]
        self.people = {one["name"]: Person(self, one["id"], one["name"]) for one in guild["members"]}
        self.channels = {one["name"]: one["id"] for one in guild["channels"]}
        self.roles = {one["name"]: one["id"] for one in guild["roles"]}
        self.channel = self.channel or self.channels["quiz-night"]

    # The bot's process.

    def environment(self, **settings: str) -> dict[str, str]:
        """Return the settings that point the bot at this table, through the relays."""
        return {
            **clean_environment(),
            "DISCORD_TOKEN": self.sandbox.hub.settings.token,
            "DISCORD_API_BASE": f"http://127.0.0.1:{self.rest.port}/api/v10",
            "DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{self.gateway.port}/gateway/",
            "DISCORD_CDN_BASE": self.sandbox.cdn_base,
            "DATABASE_URL": f"sqlite:///{self.folder / 'etut.db'}",
            "LOG_LEVEL": "INFO",
            **({"QUIZ_DIR": str(self._quizzes)} if self._quizzes else {}),
            **settings,
        }

    async def start_bot(self, kill: str = "", *, revive: bool = False, **settings: str) -> None:
        """Start the bot and wait until it is connected and has nothing to do; or dead, with a point to die at.

        With `revive` it is started again, without a point to die at, as soon as it is found dead.
        """
        self._revive = revive
        self.bot = await start_child(self.environment(ETUT_KILL=kill, **settings), self.folder / "bot.log")
        self.bot.tell(self.now)
        await self.until(self._connected)
        await self.settle()

    async def _connected(self) -> bool:
        state = await self._state()
        return state is None or state["connected"]

    async def kill_bot(self) -> None:
        """Kill the bot as nothing can be caught or finished."""
        await self._end_bot(signal.SIGKILL)

    async def stop_bot(self, within_s: float = PATIENCE_S) -> int:
        """Ask the bot to stop; return its exit status."""
        return await self._end_bot(signal.SIGTERM, within_s)

    async def _end_bot(self, number: signal.Signals, within_s: float = PATIENCE_S) -> int:
        assert self.bot is not None
        self.bot.signal(number)
        status = await self.bot.ended(within_s)
        self.bot = None
        self._acts.clear()
        return status

    async def bot_dies(self) -> None:
        """Wait until the bot has killed itself, where it was told to."""
        assert self.bot is not None
        assert await self.bot.ended() == -signal.SIGKILL
        self.deaths += 1
        self.bot = None
        self._acts.clear()

    @property
    def bot_log(self) -> str:
        """Return what the bot has logged."""
        log = self.folder / "bot.log"
        return log.read_text("utf-8") if log.exists() else ""

    # Time.

    async def settle(self) -> datetime | None:
        """Wait until nothing is under way; return until when the bot waits."""
        quiet = 0
        upcoming: datetime | None = None

        async def look() -> bool:
            nonlocal quiet, upcoming
            state = await self._state()
            if state is None:
                upcoming = None  # no bot waits for anything
                return True
            upcoming = datetime.fromisoformat(state["next"]) if state["next"] else None
            quiet = 0 if state["busy"] or self._awaits_answer() else quiet + 1
            return quiet >= QUIET_LOOKS

        await self.until(look)
        if self._revive and upcoming is None and self.bot is not None:
            await self.bot_dies()
            await self.start_bot()
            return await self.settle()
        return upcoming

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self.advance_to(self.now + timedelta(seconds=seconds))

    async def advance_to(self, target: datetime) -> None:
        """Let time pass until an instant, stopping wherever the bot waits for something."""
        for _ in range(MOVES):
            upcoming = await self.settle()
            if self.now >= target:
                return
            self.move(target if upcoming is None else min(target, max(upcoming, self.now)))
        raise AssertionError("time does not get on")

    def move(self, to: datetime) -> None:
        """Make it an instant, whatever is under way."""
        self.sandbox.clock.set(to)
        if self.bot is not None:
            self.bot.tell(to)

    async def advance_until(self, seen: Callable[[], Awaitable[Any]], limit_s: float = 3_600) -> Any:
        """Let time pass until something is there; return it."""
        target = self.now + timedelta(seconds=limit_s)
        for _ in range(MOVES):
            upcoming = await self.settle()
            found = await seen()
            if found:
                return found
            assert upcoming is not None, "the bot is not there"
            assert self.now < target, "it does not come"
            self.move(max(upcoming, self.now))
        raise AssertionError("time does not get on")

    async def advance_until_dead(self, limit_s: float = 3_600) -> None:
        """Let time pass until the bot has killed itself where it was told to."""
        target = self.now + timedelta(seconds=limit_s)
        assert self.bot is not None
        for _ in range(MOVES):
            upcoming = await self.settle()
            if upcoming is None:
                await self.bot_dies()
                return
            assert self.now < target, "it does not die"
            self.move(max(upcoming, self.now))

    async def _state(self) -> Json | None:
        return None if self.bot is None else await self.bot.ask()

    def _awaits_answer(self) -> bool:
        known = (self.sandbox.hub.interactions.find(number) for number in self._acts)
        self._acts = [one.id for one in known if one is not None and one.state == "pending"]
        return bool(self._acts)

    async def until(self, done: Callable[[], Awaitable[Any]]) -> None:
        """Wait in real time until something is so that does not depend on the time at the table."""
        async with asyncio.timeout(PATIENCE_S):
            while not await done():  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.001)

    # The line to the gateway.

    async def cut_gateway(self) -> None:
        """Break the bot's connection to the gateway, and keep it from coming back."""
        self.gateway.cut()
        await self.until(self._away)

    async def mend_gateway(self) -> None:
        """Let the bot connect again, and wait until it has."""
        self.gateway.mend()
        await self.until(self.is_back)
        await self.settle()

    async def _away(self) -> bool:
        state = await self._state()
        return state is not None and state["away"]

    async def is_back(self) -> bool:
        """Tell whether the bot is connected to the gateway."""
        return not await self._away()

    # The control interface.

    async def get(self, path: str, **query: str) -> Any:
        """Read from the control interface."""
        async with self.http.get(f"{self.sandbox.url}control/{path}", params=query) as answer:
            body = await answer.json()
            assert answer.status == 200, body
            return body

    async def post(self, path: str, body: Json) -> Any:
        """Write to the control interface."""
        async with self.http.post(f"{self.sandbox.url}control/{path}", json=body) as answer:
            found = await answer.json()
            assert answer.status == 200, found
            return found

    async def act(self, person: Person, path: str, body: Json) -> Json:
        """Let a person do something; return the interaction once it is answered or the bot is dead.

        Where the answer is that the pressed message was drawn anew, this message counts as its answer.
        """
        number = (await self.post(path, {"member": person.id, **body}))["interaction"]
        self._acts.append(int(number))
        await self.settle()
        done = await self.interaction(number)
        if done["callback_type"] == UPDATED:
            seen = await person.sees(done["channel_id"])
            done["messages"] = [one for one in seen if one["id"] == body["message"]]
        return done

    async def interaction(self, number: str) -> Json:
        """Return what became of an act."""
        return await self.get(f"interactions/{number}")

    async def change_world(self, action: str, **facts: Any) -> str:
        """Change the world; return the id of what was made or changed."""
        return (await self.post("world", {"action": action, **facts}))["id"]

    async def log(self) -> list[Json]:
        """Return everything sent and received."""
        return await self.get("log", limit="20000")

    async def sent(self, method: str, path: str) -> list[Json]:
        """Return the requests of the bot whose path contains a text, with their answers."""
        return [
            one
            for one in await self.log()
            if one["dir"] == "rest" and one["method"] == method and path in one["path"]
        ]

    # What the channel shows.

    async def messages(
        self, contains: str = "", *, viewer: str = "Ada", channel: str | None = None
    ) -> list[Json]:
        """Return the bot's public messages in the channel that contain a text."""
        seen = await self.people[viewer].sees(channel)
        return [one for one in seen if not one["ephemeral"] and contains in words(one)]

    async def message(self, contains: str, limit_s: float = 3_600, channel: str | None = None) -> Json:
        """Let time pass until a public message contains a text; return the newest such."""

        async def look() -> Json | None:
            found = await self.messages(contains, channel=channel)
            return found[-1] if found else None

        return await self.advance_until(look, limit_s)

    async def again(self, message: Json) -> Json:
        """Return a public message as it stands now."""
        return next(
            one for one in await self.messages(channel=message["channel_id"]) if one["id"] == message["id"]
        )


@asynccontextmanager
async def laid_table(
    folder: Path, *, start: bool = True, locale: str = "en-US", quizzes: Path | None = None
) -> AsyncGenerator[Table]:
    """Lay a table: a sandbox whose time stands still, and the bot in it, with an operator's own quizzes."""
    world = study_hall()
    for guild in world.guilds.values():
        guild.locale = locale
    sandbox = Sandbox(clock=Clock(held_at=BEGIN), world=world)
    await sandbox.start()
    async with aiohttp.ClientSession() as http:
        table = Table(folder, quizzes, sandbox, http)
        try:
            await table.rest.start()
            await table.gateway.start()
            await table.read_world()
            if start:
                await table.start_bot()
            yield table
        finally:
            if table.bot is not None:
                table.bot.signal(signal.SIGKILL)
                await table.bot.ended()
            await table.rest.stop()
            await table.gateway.stop()
            await sandbox.stop()
