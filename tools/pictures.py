"""Make the pictures in the docs anew, from the running product: `make pictures`, about two minutes.

A round is played on the page that `make run` serves, by clicks and keys, at the width of a desk and of a phone.
"""

import asyncio
from pathlib import Path

from playwright.async_api import Browser, Page

from tests.support.page import act_as, chromium, messages, option, private, served_page, start_quiz

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
PATIENCE_MS = 90_000


async def main() -> None:
    """Play one question and take the pictures on the way."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    async with served_page() as url, chromium() as browser:
        page = await _open(browser, url, 1280, 800)
        await start_quiz(page, "activation", 1)
        question = messages(page, "Question 1 of 1")
        await question.wait_for()
        for name, text in (("Tom", "Network bandwidth"), ("Elif", "Extra computation")):
            await act_as(page, name)
            await option(question, text).click()
            await private(page).wait_for()
        await act_as(page, "Ada")
        await option(question, "Extra computation").click()
        await private(page).wait_for()
        await messages(page, "3 have answered").wait_for(timeout=PATIENCE_MS)
        await _take(page, "question")
        phone = await _open(browser, url, 390, 780)
        await act_as(phone, "Kerem")
        await option(messages(phone, "Question 1 of 1"), "Numerical precision").click()
        await private(phone).wait_for()
        await _take(phone, "receipt-tr")
        await messages(page, "took part").wait_for(timeout=PATIENCE_MS)
        await page.get_by_role("button", name="Dismiss message").click()
        await _take(page, "result")
        await messages(phone, "took part").get_by_role("button", name="Review my mistakes").click()
        await messages(phone, "Yanlış 1/1").get_by_role("button", name="Neden?").click()
        await messages(phone, "Neden").last.wait_for()
        await _take(phone, "mistake-tr")


async def _open(browser: Browser, url: str, width: int, height: int) -> Page:
    page = await browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=2)
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(url)
    await page.get_by_test_id("message-input").wait_for()
    if await page.get_by_role("button", name="Close").count():
        await page.get_by_role("button", name="Close").first.click()
    return page


async def _take(page: Page, name: str) -> None:
    await page.wait_for_timeout(400)  # lets a scroll come to rest
    await page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    asyncio.run(main())
