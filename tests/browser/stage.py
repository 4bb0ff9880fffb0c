"""What the browser tests play on: a real sandbox whose clock is held, a bot that says what a test tells it to, and
windows of members onto the page.
"""

import asyncio
import base64
import json
from datetime import UTC, datetime
from typing import Any

import aiohttp
from playwright.async_api import Browser, Locator, Page, expect

from sandbox import Sandbox

START = datetime(2026, 3, 1, 20, tzinfo=UTC)
TOKEN = "sandbox-token"
V2, EPHEMERAL = 1 << 15, 64
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""One pixel as PNG."""

COMMANDS: list[dict[str, Any]] = [
    {
        "name": "quiz",
        "description": "Quizzes",
        "default_member_permissions": str(1 << 33),
        "options": [
            {
                "type": 1,
                "name": "start",
                "name_localizations": {"tr": "başlat"},
                "description": "Start a quiz",
                "description_localizations": {"tr": "Quiz başlat"},
                "options": [
                    {
                        "type": 3,
                        "name": "quiz",
                        "description": "Which quiz",
                        "required": True,
                        "autocomplete": True,
                    },
                    {
                        "type": 4,
                        "name": "questions",
                        "description": "How many",
                        "min_value": 1,
                        "max_value": 25,
                    },
                ],
            }
        ],
    },
    {"name": "help", "description": "What I can do"},
]


class Bot:
    """A bot that answers each command or custom_id as it was told to, and nothing else."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._base = sandbox.api_base
        self._gateway = sandbox.gateway_url
        self.id = str(sandbox.world.bot_id)
        self.answers: dict[str, dict[str, Any]] = {}
        self.received: list[dict[str, Any]] = []
        self.ready = asyncio.Event()
        self.done = 0
        self._news = asyncio.Condition()

    async def run(self) -> None:
        """Be online."""
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{self._gateway}?v=10&encoding=json") as socket,
        ):
            properties = {"os": "x", "browser": "x", "device": "x"}
            await socket.send_json({"op": 2, "d": {"token": TOKEN, "intents": 1, "properties": properties}})
            async for frame in socket:
                payload = frame.json()
                if payload["t"] == "READY":
                    self.ready.set()
                elif payload["t"] == "INTERACTION_CREATE":
                    await self._answer(http, payload["d"])

    async def _answer(self, http: aiohttp.ClientSession, interaction: dict[str, Any]) -> None:
        self.received.append(interaction)
        data = interaction["data"]
        name = data["name"] if interaction["type"] in (2, 4) else data["custom_id"]
        answer = self.answers.get(f"{name}?" if interaction["type"] == 4 else name)
        if answer:
            path = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
            async with http.post(self._base + path, json=answer) as response:
                assert response.status in (200, 204), await response.text()
        self.done += 1
        async with self._news:
            self._news.notify_all()

    async def is_done_with(self, count: int) -> None:
        """Wait until it has dealt with so many interactions."""
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: self.done >= count)

    async def rest(self, method: str, path: str, body: Any) -> Any:
        """Make a request."""
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with (
            aiohttp.ClientSession() as http,
            http.request(method, self._base + path, json=body, headers=headers) as response,
        ):
            assert response.status in (200, 201), await response.text()
            return await response.json()


class Stage:
    """A sandbox, its bot, and windows onto its page."""

    def __init__(self, sandbox: Sandbox, bot: Bot, browser: Browser) -> None:
        self.sandbox, self.bot, self._browser = sandbox, bot, browser
        self.channels = {one.name: str(one.id) for one in sandbox.world.channels.values()}
        self.members = {one.display_name: str(one.id) for one in sandbox.world.users.values()}
        self.faults: list[str] = []

    async def window(
        self, member: str, channel: str = "quiz-night", size: Any = DESKTOP, scheme: Any = "light"
    ) -> Page:
        """Open a window of a member's own."""
        context = await self._browser.new_context(viewport=size, timezone_id="UTC", color_scheme=scheme)
        page = await context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        await page.goto(f"{self.sandbox.url}#member={member}&channel={channel}")
        await expect(page.get_by_test_id("bot-state")).to_be_visible()
        return page

    async def say(self, components: list[dict[str, Any]], channel: str = "quiz-night") -> str:
        """Have the bot send components; returns the message's id."""
        path = f"/channels/{self.channels[channel]}/messages"
        return (await self.bot.rest("POST", path, {"flags": V2, "components": components}))["id"]

    async def say_with_pictures(self, components: list[dict[str, Any]], count: int) -> str:
        """Have the bot send components that show attachment://0.png and so on; returns the message's id."""
        form = aiohttp.FormData()
        payload = {"flags": V2, "components": components}
        form.add_field("payload_json", json.dumps(payload), content_type="application/json")
        for index in range(count):
            form.add_field(f"files[{index}]", PICTURE, filename=f"{index}.png", content_type="image/png")
        url = f"{self.sandbox.api_base}/channels/{self.channels['quiz-night']}/messages"
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with aiohttp.ClientSession() as http, http.post(url, data=form, headers=headers) as response:
            assert response.status == 200, await response.text()
            return (await response.json())["id"]

    async def edit(self, message: str, components: list[dict[str, Any]], channel: str = "quiz-night") -> None:
        """Have the bot edit a message."""
        path = f"/channels/{self.channels[channel]}/messages/{message}"
        await self.bot.rest("PATCH", path, {"flags": V2, "components": components})

    async def let_play(self, seconds: int) -> None:
        """Let time pass, second by second, while members play by themselves and the bot answers each press."""
        for _ in range(seconds):
            await self.control("clock", action="advance", by=1)
            async with (
                aiohttp.ClientSession() as http,
                http.get(f"{self.sandbox.url}control/players") as answer,
            ):
                await self.bot.is_done_with((await answer.json())["presses"])

    async def control(self, path: str, **fields: Any) -> Any:
        """Use the control interface."""
        url = f"{self.sandbox.url}control/{path}"
        async with aiohttp.ClientSession() as http, http.post(url, json=fields) as response:
            assert response.status == 200, await response.text()
            return await response.json()


def private(page: Page) -> Locator:
    return page.get_by_test_id("ephemeral")


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(label: str, custom_id: str) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": label, "custom_id": custom_id}


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def whisper(content: str) -> dict[str, Any]:
    return {"type": 4, "data": {"content": content, "flags": EPHEMERAL}}
