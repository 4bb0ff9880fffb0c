"""A table to play at, for the tests: a sandbox in this process, the bot in another, people who press, and time.

Time stands still unless a test moves it, and moves only when nothing is under way: so a round of minutes takes
moments, and never depends on how fast the machine is. People act through the sandbox's documented control interface.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from sandbox.clock import Clock
from sandbox.server import Sandbox

ROOT = Path(__file__).resolve().parent.parent.parent
BEGIN = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)
QUIET_LOOKS = 3
PATIENCE_S = 30.0
"""Real seconds after which something that hangs is a failure; nothing is measured by it."""

Json = dict[str, Any]


class Bot:
    """The bot's process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._asked = 0

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.returncode is None

    def tell(self, now: datetime) -> None:
        """Tell the time."""
        self._say({"now": now.isoformat()})

    async def ask(self) -> Json | None:
        """Ask how things stand; None when the process has died."""
        self._asked += 1
        self._say({"ask": self._asked})
        assert self._process.stdout is not None
        while self.alive:
            line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE_S)
            if not line:
                await self._process.wait()
                return None
            answer = json.loads(line)
            if answer["asked"] == self._asked:
                return answer
        return None

    def _say(self, said: Json) -> None:
        if self.alive and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(json.dumps(said).encode() + b"\n")

    async def end(self, number: signal.Signals) -> int:
        """Send a signal; return the exit status."""
        if self.alive:
            self._process.send_signal(number)
        return await asyncio.wait_for(self._process.wait(), PATIENCE_S)


@dataclass(frozen=True)
class Person:
    """Somebody in the guild."""

    table: "Table"
    id: str
    name: str

    async def slash(self, command: str, channel: str | None = None, **options: Any) -> Json:
        """Use a slash command; return the interaction once it is answered."""
        body = {"channel": channel or self.table.channel, "command": command, "options": options}
        return await self.table.act(self, "slash", body)

    async def autocomplete(self, command: str, focused: str, typed: str) -> list[Json]:
        """Type into an option; return the choices offered."""
        body = {"member": self.id, "channel": self.table.channel, "command": command}
        body |= {"options": {focused: typed}, "focused": focused}
        return (await self.table.post("autocomplete", body))["choices"]

    async def press(self, message: Json, label: str) -> Json:
        """Press the button with this label on a message; return the interaction once it is answered."""
        return await self.table.act(
            self, "press", {"message": message["id"], "custom_id": button(message, label)}
        )

    async def select(self, message: Json, *labels: str) -> Json:
        """Choose in the select of a message, by what the options begin with."""
        menu = next(part for part in parts(message) if part["type"] == 3)
        values = [
            next(option["value"] for option in menu["options"] if option["label"].startswith(label))
            for label in labels
        ]
        body = {"message": message["id"], "custom_id": menu["custom_id"], "values": values}
        return await self.table.act(self, "select", body)

    async def sees(self, channel: str | None = None) -> list[Json]:
        """Return the messages this person sees in a channel, oldest first."""
        where = {"member": self.id, "channel": channel or self.table.channel}
        return await self.table.get("messages", **where)

    async def says(self, channel: str | None = None) -> str:
        """Return all texts this person sees in a channel."""
        return "\n".join(words(message) for message in await self.sees(channel))


def parts(message: Json) -> Iterator[Json]:
    """Yield every component of a message, however deep."""
    pending = list(message["components"])
    while pending:
        part = pending.pop(0)
        yield part
        pending[:0] = [*part.get("components", ()), *([part["accessory"]] if part.get("accessory") else ())]


def words(message: Json) -> str:
    """Return the texts of a message, without the marks that keep names apart."""
    text = "\n".join(part["content"] for part in parts(message) if part["type"] == 10)
    return text.replace("\u2068", "").replace("\u2069", "")


def labels(message: Json) -> list[str]:
    """Return the labels of a message's buttons."""
    return [part["label"] for part in parts(message) if part["type"] == 2]


def button(message: Json, label: str) -> str:
    """Return the custom_id of the button with a label."""
    found = [part["custom_id"] for part in parts(message) if part["type"] == 2 and part.get("label") == label]
    assert found, f"no button {label!r} among {labels(message)}"
    return found[0]


def reply(interaction: Json) -> str:
    """Return the text that answered an interaction."""
    assert interaction["state"] == "done", interaction
    return "\n".join(words(message) for message in interaction["messages"])


class Table:
    """The sandbox, the bot, and time."""

    def __init__(self, folder: Path, sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.bot: Bot | None = None
        self._http = http
        self.people: dict[str, Person] = {}
        self.channels: dict[str, str] = {}
        self.guild = ""
        self.channel = ""
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
        self.channel = self.channel or self.channels["quiz-night"]

    async def start_bot(self, kill: str = "", **settings: str) -> None:
        """Start the bot and wait until it is connected and has nothing to do; or dead, with a point to die at."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DISCORD_", "DATABASE_"))
        }
        environment |= {
            "DISCORD_TOKEN": self.sandbox.hub.settings.token,
            "DISCORD_API_BASE": self.sandbox.api_base,
            "DISCORD_GATEWAY_URL": self.sandbox.gateway_url,
            "DATABASE_URL": f"sqlite:///{self.folder / 'etut.db'}",
            "LOG_LEVEL": "INFO",
            "ETUT_KILL": kill,
            **settings,
        }
        with (self.folder / "bot.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.support.child",
                cwd=ROOT,
                env=environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        self.bot = Bot(process)
        self.bot.tell(self.now)
        await self._until(self._ready)

    async def _ready(self) -> bool:
        state = await self._state()
        return state is None or state["connected"]

    async def kill_bot(self) -> None:
        """Kill the bot as nothing can be caught or finished."""
        assert self.bot is not None
        await self.bot.end(signal.SIGKILL)
        self.bot = None

    async def stop_bot(self) -> int:
        """Ask the bot to stop; return its exit status."""
        assert self.bot is not None
        ending = asyncio.create_task(self.bot.end(signal.SIGTERM))
        status = await ending
        self.bot = None
        return status

    async def bot_dies(self) -> None:
        """Wait until the bot has killed itself."""
        assert self.bot is not None
        await asyncio.wait_for(self.bot._process.wait(), PATIENCE_S)
        self.bot = None

    # Time.

    async def settle(self) -> datetime | None:
        """Wait until nothing is under way; return until when the bot waits."""
        quiet = 0
        upcoming: datetime | None = None

        async def look() -> bool:
            nonlocal quiet, upcoming
            state = await self._state()
            if state is None:
                return True
            upcoming = datetime.fromisoformat(state["next"]) if state["next"] else None
            quiet = 0 if state["busy"] or self._awaits_answer() else quiet + 1
            return quiet >= QUIET_LOOKS

        await self._until(look)
        return upcoming

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self.advance_to(self.now + timedelta(seconds=seconds))

    async def advance_to(self, target: datetime) -> None:
        """Let time pass until an instant, stopping wherever the bot waits for something."""
        for _ in range(10_000):
            upcoming = await self.settle()
            if self.now >= target:
                return
            to = target if upcoming is None else min(target, max(upcoming, self.now))
            self._move(to)
        raise AssertionError("time does not get on")

    def _move(self, to: datetime) -> None:
        self.sandbox.clock.set(to)
        if self.bot is not None:
            self.bot.tell(to)

    async def advance_until(self, seen: Callable[[], Any], limit_s: float = 3_600) -> Any:
        """Let time pass until something is there; return it."""
        target = self.now + timedelta(seconds=limit_s)
        for _ in range(10_000):
            upcoming = await self.settle()
            found = await seen()
            if found:
                return found
            assert upcoming is not None and self.now < target, "it does not come"
            self._move(max(upcoming, self.now))
        raise AssertionError("time does not get on")

    async def _state(self) -> Json | None:
        if self.bot is None:
            return None
        return await self.bot.ask()

    def _awaits_answer(self) -> bool:
        known = (self.sandbox.hub.interactions.find(number) for number in self._acts)
        waiting = [one.id for one in known if one is not None and one.state == "pending"]
        self._acts = waiting
        return bool(waiting)

    async def _until(self, done: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not await done():
                await asyncio.sleep(0.001)

    # The control interface.

    async def get(self, path: str, **query: str) -> Any:
        """Read from the control interface."""
        async with self._http.get(f"{self.sandbox.url}control/{path}", params=query) as answer:
            body = await answer.json()
            assert answer.status == 200, body
            return body

    async def post(self, path: str, body: Json) -> Any:
        """Write to the control interface."""
        async with self._http.post(f"{self.sandbox.url}control/{path}", json=body) as answer:
            found = await answer.json()
            assert answer.status == 200, found
            return found

    async def act(self, person: Person, path: str, body: Json) -> Json:
        """Let a person do something; return the interaction once it is answered or the bot is dead."""
        number = (await self.post(path, {"member": person.id, **body}))["interaction"]
        self._acts.append(int(number))
        await self.settle()
        return await self.get(f"interactions/{number}")

    async def change_world(self, action: str, **facts: Any) -> Json:
        """Change the world."""
        return await self.post("world", {"action": action, **facts})

    async def sent(self, method: str, path: str) -> list[Json]:
        """Return the requests of the bot whose path contains a text, with their answers."""
        log = await self.get("log", limit="20000")
        return [
            one for one in log if one["dir"] == "rest" and one["method"] == method and path in one["path"]
        ]

    # What the channel shows.

    async def messages(self, contains: str = "", viewer: str = "Ada") -> list[Json]:
        """Return the bot's public messages in the channel that contain a text."""
        seen = await self.people[viewer].sees()
        return [one for one in seen if not one["ephemeral"] and contains in words(one)]

    async def message(self, contains: str, limit_s: float = 3_600) -> Json:
        """Let time pass until a public message contains a text; return the newest such."""

        async def look() -> Json | None:
            found = await self.messages(contains)
            return found[-1] if found else None

        return await self.advance_until(look, limit_s)


@asynccontextmanager
async def laid_table(folder: Path, *, start: bool = True) -> AsyncIterator[Table]:
    """Lay a table: a sandbox whose time stands still, and the bot in it."""
    sandbox = Sandbox(clock=Clock(held_at=BEGIN))
    await sandbox.start()
    async with aiohttp.ClientSession() as http:
        table = Table(folder, sandbox, http)
        try:
            await table.read_world()
            if start:
                await table.start_bot()
            yield table
        finally:
            if table.bot is not None:
                await table.bot.end(signal.SIGKILL)
            await sandbox.stop()
