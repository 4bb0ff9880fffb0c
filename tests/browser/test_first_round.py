"""A newcomer's first round, in a real browser on the page that `make run` serves, with real time.

Every act is a click or a key, and what each member sees, and does not see of the others, is read from the page.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.support.page import act_as, chromium, messages, option, private, served_page, start_quiz

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture
async def address() -> AsyncIterator[str]:
    async with served_page() as url:
        yield url


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as running:
        yield running


async def test_a_newcomer_plays_the_seed_quiz(address: str, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US")
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    expect.set_options(timeout=15_000)
    await page.goto(address)
    await expect(page.get_by_test_id("bot-state")).to_have_text("Etüt is online")

    # Maya starts the quiz with one question, by slash command and keys alone.
    await start_quiz(page, "activation", 1)
    question = messages(page, "Question 1 of 1")
    await expect(question).to_contain_text("What does activation recomputation trade")
    await expect(question.locator(".section").get_by_role("button")).to_have_count(4)
    await expect(private(page)).to_contain_text("Started: Activation Recomputation Quiz, 1 question.")

    # Two members press: one right, one wrong; each alone sees what they chose, in their own language.
    right = option(question, "Extra computation")
    wrong = option(question, "Network bandwidth")
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
