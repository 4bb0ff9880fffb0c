"""A newcomer's first round, in a real browser on the page that `make run` serves, with real time.

Every act is a click or a key, and what each member sees, and does not see of the others, is read from the page.
"""

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: browser tests are skipped"),
]


@pytest_asyncio.fixture
async def address() -> AsyncIterator[str]:
    """Start what `make run` starts, without a token; give the page's address."""
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
                pytest.fail("it ended without an address")
        yield found[0].decode()
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        await running.close()


def messages(page: Page, containing: str) -> Locator:
    return page.get_by_test_id("message").filter(has_text=containing)


def private(page: Page) -> Locator:
    return page.locator('[data-testid="message"][data-ephemeral="true"]')


async def act_as(page: Page, name: str) -> None:
    await page.get_by_test_id("member-switcher").get_by_text(name, exact=True).click()


async def test_a_newcomer_plays_the_seed_quiz(address: str, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US")
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    expect.set_options(timeout=15_000)
    await page.goto(address)
    await expect(page.get_by_test_id("bot-state")).to_have_text("Etüt is online")

    # Maya starts the quiz with one question, by slash command and keys alone.
    await page.get_by_test_id("message-input").click()
    await page.keyboard.type("/quiz start")
    await expect(page.locator('[data-testid="command-option"][data-path="quiz start"]')).to_be_visible()
    await page.keyboard.press("Enter")
    await page.keyboard.type("activation")
    await expect(page.get_by_test_id("option-suggestion").first).to_contain_text("Activation Recomputation")
    await page.keyboard.press("Enter")
    await page.keyboard.type("1")
    await page.keyboard.press("Enter")
    question = messages(page, "Question 1 of 1")
    await expect(question).to_contain_text("What does activation recomputation trade")
    await expect(question.get_by_role("button")).to_have_count(4)
    await expect(private(page)).to_contain_text("Started: Activation Recomputation Quiz, 1 question.")

    # Two members press: one right, one wrong; each alone sees what they chose, in their own language.
    right = question.locator(".section", has_text="Extra computation").get_by_role("button")
    wrong = question.locator(".section", has_text="Network bandwidth").get_by_role("button")
    letter = await right.inner_text()
    await act_as(page, "Ada")
    await expect(private(page)).to_have_count(0)
    await right.click()
    await expect(private(page)).to_contain_text(f"Saved: {letter}, Extra computation (FLOPs).")
    await act_as(page, "Kerem")
    await expect(private(page)).to_have_count(0)
    await wrong.click()
    await expect(private(page)).to_contain_text("Cevabın kaydedildi:")
    await expect(question).to_contain_text("2 have answered")
    assert "Saved" not in await page.locator("main").inner_text()

    # The time runs out: the answer, then the result, in public.
    await expect(question).to_contain_text("right answer", timeout=60_000)
    await expect(question).to_contain_text("Explanation")
    result = messages(page, "took part")
    await expect(result).to_contain_text("2 took part · average 0.5 of 1", timeout=30_000)
    await expect(result).to_contain_text("Ada")
    await expect(result).not_to_contain_text("Kerem")

    # Kerem reviews his mistake: what he chose, and why it is wrong, in Turkish and for him alone.
    await result.get_by_role("button", name="Review my mistakes").click()
    mistake = private(page).last
    await expect(mistake).to_contain_text("Yanlış 1/1")
    await expect(mistake.locator("p", has_text="senin cevabın").last).to_contain_text("Ağ bant genişliği")
    await mistake.get_by_role("button", name="Neden?").click()
    await expect(mistake).to_contain_text("Açıklama")
    await expect(mistake).to_contain_text("Doğru cevap:")

    # Ada had it right; the host sees nobody's answers.
    await act_as(page, "Ada")
    await expect(private(page)).not_to_contain_text(["Yanlış"])
    await result.get_by_role("button", name="My result").click()
    await expect(private(page).last).to_contain_text("Your points: 1 of 1 · your rank: 1 of 2")
    await result.get_by_role("button", name="Review my mistakes").click()
    await expect(private(page).last).to_contain_text("You had everything right.")
    await act_as(page, "Maya")
    await expect(private(page)).to_have_count(1)
    await expect(private(page)).to_contain_text("Started:")
    assert not faults
