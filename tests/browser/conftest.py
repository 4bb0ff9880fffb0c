"""The stage of the browser tests. They need Chromium; without one they are left out, and one line says so."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import async_playwright

from sandbox import Clock, Sandbox
from tests.browser.stage import COMMANDS, START, Bot, Stage
from tests.support.page import CHROMIUM

collect_ignore_glob = [] if CHROMIUM else ["test_*.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one clear line that the browser tests were left out."""
    if CHROMIUM is None:
        terminalreporter.write_line(
            "SKIPPED: the browser tests, since no Chromium was found; install chromium to run them."
        )


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    sandbox = Sandbox(clock=Clock(held_at=START))
    await sandbox.start()
    bot = Bot(sandbox)
    online = asyncio.create_task(bot.run())
    await asyncio.wait_for(bot.ready.wait(), 10)
    await bot.rest("PUT", f"/applications/{bot.id}/commands", COMMANDS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = Stage(sandbox, bot, browser)
        yield made
        await browser.close()
    online.cancel()
    await asyncio.gather(online, return_exceptions=True)
    await sandbox.stop()
    assert not made.faults
