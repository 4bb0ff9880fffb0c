"""What bots can put into messages and forms, as the page shows it: pictures, covers, lists of members and channels, and
the boxes that stand for everything else.
"""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.stage import Stage, button, private, row, text, whisper

pytestmark = pytest.mark.browser


def item(number: int, **more: Any) -> dict[str, Any]:
    return {"media": {"url": f"attachment://{number}.png"}, "description": f"Picture {number}", **more}


async def test_a_gallery_shows_its_pictures_and_covers_those_that_are_spoilers(stage: Stage) -> None:
    section = {
        "type": 9,
        "components": [text("Beside a thumbnail")],
        "accessory": {"type": 11, **item(2)},
    }
    await stage.say_with_pictures([{"type": 12, "items": [item(0), item(1, spoiler=True)]}, section], 3)
    page = await stage.window("Ada")
    pictures = page.get_by_test_id("message").get_by_role("img")
    await expect(pictures).to_have_count(2)
    assert await pictures.first.evaluate("one => one.decode().then(() => one.naturalWidth)") == 1
    await page.get_by_role("button", name="Spoiler: press to show").press("Enter")
    for number in range(3):
        await expect(page.get_by_role("img", name=f"Picture {number}")).to_be_visible()


async def test_members_roles_and_channels_are_chosen_by_name(stage: Stage) -> None:
    ada, quiz_night = stage.members["Ada"], stage.channels["quiz-night"]
    await stage.say(
        [
            row({"type": 5, "custom_id": "who", "max_values": 2, "placeholder": "Who"}),
            row({"type": 6, "custom_id": "role", "placeholder": "Which role"}),
            row(
                {
                    "type": 8,
                    "custom_id": "where",
                    "channel_types": [0],
                    "default_values": [{"id": quiz_night, "type": "channel"}],
                }
            ),
        ]
    )
    stage.bot.answers = {one: whisper("Chosen") for one in ("who", "role", "where")}
    page = await stage.window("Maya")
    await page.get_by_role("button", name="Who").click()
    for name in ("Ada", "Etüt"):
        await page.get_by_role("listbox", name="Who").get_by_role("option", name=name).click()
    await page.get_by_role("button", name="Submit (2)").click()
    await expect(private(page)).to_have_count(1)
    assert set(stage.bot.received[-1]["data"]["values"]) == {ada, stage.bot.id}
    assert set(stage.bot.received[-1]["data"]["resolved"]["users"]) == {ada, stage.bot.id}
    await page.get_by_role("button", name="Which role").click()
    await page.get_by_role("option", name="Quizmaster", exact=True).click()
    await expect(private(page)).to_have_count(2)
    await page.locator('[data-custom-id="where"]').click()
    options = page.get_by_role("listbox", name="Make a selection").get_by_role("option")
    await expect(options).to_have_text(["general", "quiz-night", "çalışma-odası"])
    await expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    await options.first.click()
    await expect(private(page)).to_have_count(3)
    assert stage.bot.received[-1]["data"]["values"] == [stage.channels["general"]]


async def test_a_form_takes_a_member_and_names_what_it_cannot_take(stage: Stage) -> None:
    def label(name: str, component: dict[str, Any]) -> dict[str, Any]:
        return {"type": 18, "label": name, "component": component}

    form = {
        "title": "Thank somebody",
        "custom_id": "form",
        "components": [
            label("Whom", {"type": 5, "custom_id": "whom"}),
            label("Picture", {"type": 19, "custom_id": "file", "required": False}),
        ],
    }
    stage.bot.answers = {"open": {"type": 9, "data": form}, "form": whisper("Thanked")}
    await stage.say([row(button("Thank", "open"))])
    page = await stage.window("Ada")
    await page.get_by_role("button", name="Thank").click()
    modal = page.get_by_role("dialog")
    await expect(modal).to_contain_text("File upload: not shown in the sandbox")
    await modal.get_by_label("Whom").select_option("Tom")
    await modal.get_by_role("button", name="Submit").click()
    await expect(private(page)).to_contain_text("Thanked")
    chosen = stage.bot.received[-1]["data"]["components"][0]["component"]
    assert chosen["values"] == [stage.members["Tom"]]


async def test_what_the_page_does_not_know_is_a_box_that_says_what_it_is(stage: Stage) -> None:
    await stage.say([text("Buy"), row({"type": 2, "style": 6, "sku_id": "1"})])
    page = await stage.window("Elif")
    await expect(page.get_by_test_id("message")).to_contain_text(
        "Premium button: deneme sunucusunda gösterilmiyor"
    )


async def test_rounds_can_be_held_in_threads_posts_and_voice_channels(stage: Stage) -> None:
    await stage.say([text("A fine question")])
    page = await stage.window("Maya")
    message = page.get_by_test_id("message")
    await message.hover()
    await message.get_by_role("button", name="More about this message").click()
    await page.get_by_role("button", name="Begin a thread from this message").click()
    await expect(page.get_by_role("heading", name="A fine question")).to_be_visible()
    sidebar = page.get_by_role("navigation")
    await sidebar.get_by_role("button", name="questions").click()
    await page.get_by_label("New post").fill("Which one is it?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Which one is it?")).to_be_visible()
    for place in ("A fine question", "Which one is it?", "Study room"):
        await sidebar.get_by_role("button", name=place).click()
        await page.get_by_test_id("message-input").fill("hello")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("message").last).to_contain_text("hello")
