"""What `make run` starts, and a browser on its page: for the browser tests and for the pictures in the docs."""

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, async_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@asynccontextmanager
async def served_page() -> AsyncIterator[str]:
    """Start the sandbox and the bot as `make run` does without a token; give the page's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "DATABASE_"))
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "start",
        cwd=ROOT,
        env=environment | {"SANDBOX_PORT": str(port), "DISCORD_TOKEN": ""},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            async for line in process.stdout:
                if found := re.search(rb"http://\S+", line):
                    break
            else:
                raise AssertionError("it ended without an address")
        yield found[0].decode()
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), 30)
    assert status == 0


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run the system's Chromium without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


def messages(page: Page, containing: str) -> Locator:
    """Return the messages on the page that contain a text."""
    return page.get_by_test_id("message").filter(has_text=containing)


def private(page: Page) -> Locator:
    """Return the messages that only the acting member sees."""
    return page.locator('[data-testid="message"][data-ephemeral="true"]')


def option(question: Locator, text: str) -> Locator:
    """Return the button beside an option of a question."""
    return question.locator(".section", has_text=text).get_by_role("button")


async def act_as(page: Page, name: str) -> None:
    """Switch to a member."""
    await page.get_by_test_id("member-switcher").get_by_text(name, exact=True).click()


async def start_quiz(page: Page, typed: str, questions: int) -> None:
    """Start a quiz by slash command, with the keys alone."""
    await page.get_by_test_id("message-input").click()
    await page.keyboard.type("/quiz start")
    await page.locator('[data-testid="command-option"][data-path="quiz start"]').wait_for()
    await page.keyboard.press("Enter")
    await page.keyboard.type(typed)
    await page.get_by_test_id("option-suggestion").first.wait_for()
    await page.keyboard.press("Enter")
    await page.keyboard.type(str(questions))
    await page.keyboard.press("Enter")
