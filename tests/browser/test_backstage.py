"""The page's backstage: members who play by themselves, what the bot sent and received, and the faults one can play."""

import asyncio
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import PHONE, TOKEN, Stage, button, private, row, text, whisper

pytestmark = pytest.mark.browser


def question() -> list[dict[str, Any]]:
    def option(letter: str) -> dict[str, Any]:
        return {"type": 9, "components": [text(f"{letter} · text")], "accessory": button(letter, letter)}

    return [{"type": 17, "components": [text("Which one?"), *map(option, "ABCD")]}]


async def open_backstage(page: Page, tab: str) -> None:
    await page.get_by_role("button", name="Backstage", exact=True).click()
    await page.get_by_role("tab", name=tab).click()


async def test_members_play_by_themselves_and_the_one_at_the_screen_is_left_alone(stage: Stage) -> None:
    stage.bot.answers = {letter: whisper(f"Saved: {letter}") for letter in "ABCD"}
    page = await stage.window("Ada")
    await open_backstage(page, "Players")
    panel = page.get_by_role("tabpanel")
    await expect(panel.get_by_role("status")).to_have_text("Nobody plays by themselves now.")
    await panel.get_by_label("How many members").fill("5")
    await panel.get_by_label("quick").check()
    await panel.get_by_role("button", name="Let them play").click()
    status = panel.get_by_role("status")
    await expect(status).to_contain_text("5 playing by themselves: Deniz, Maya, Kerem, Tom, Elif")
    await expect(status).to_contain_text("#quiz-night · quick · until 9:00 PM")
    await expect(page.get_by_role("option", name="Tom plays by themselves")).to_be_visible()
    await expect(page.get_by_role("option", name="Ada plays")).to_have_count(0)

    await stage.say(question())
    await stage.let_play(4)
    played = {one["member"]["user"]["global_name"] for one in stage.bot.received}
    assert played == {"Deniz", "Maya", "Kerem", "Tom", "Elif"}
    await expect(private(page)).to_have_count(0)
    await page.get_by_test_id("member-switcher").get_by_text("Tom").click()
    await expect(private(page).first).to_contain_text("Saved:")

    await panel.get_by_role("button", name="Stop").click()
    await expect(panel.get_by_role("status")).to_have_text("Nobody plays by themselves now.")
    await expect(panel.get_by_role("button", name="Let them play")).to_be_focused()


async def test_members_are_added_by_a_click(stage: Stage) -> None:
    page = await stage.window("Kerem")
    await page.get_by_role("button", name="Kulis", exact=True).click()
    await page.get_by_role("button", name="5 üye ekle").click()
    await expect(page.get_by_role("heading", name="11 üye")).to_be_visible()
    await expect(page.get_by_test_id("member-switcher").get_by_role("option")).to_have_count(11)
    await expect(page.get_by_role("option", name="Zeynep")).to_be_visible()


async def test_what_the_bot_sent_and_received_is_listed_live_and_can_be_filtered(stage: Stage) -> None:
    stage.bot.answers = {"b": whisper("Saved: B")}
    await stage.say([row(button("B", "b"))])
    page = await stage.window("Ada")
    await open_backstage(page, "Traffic")
    rows = page.get_by_role("list", name="Traffic").get_by_role("listitem")
    await expect(rows.filter(has_text="OP 2IDENTIFY")).to_have_count(1)
    await page.get_by_role("button", name="B", exact=True).click()
    heard = rows.filter(has_text="INTERACTION_CREATE")
    await expect(heard).to_contain_text("Ada · b")
    await expect(heard.get_by_role("img", name="received by the bot")).to_be_visible()
    answered = rows.filter(has_text="/callback")
    await expect(answered.get_by_role("img", name="sent by the bot")).to_be_visible()
    await expect(answered).to_contain_text("ms")
    await heard.locator("summary").press("Enter")
    await expect(heard.locator("pre")).to_contain_text('"custom_id": "b"')

    token = stage.bot.received[-1]["token"]
    shown = await page.content()
    assert token not in shown
    assert TOKEN not in shown

    await page.get_by_role("combobox", name="Show").select_option("requests of the bot")
    await expect(heard).to_have_count(0)
    await page.get_by_label("Containing").fill("#quiz-night")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("POST/channels/#quiz-night/messages")
    await page.get_by_label("Containing").fill("nothing like this")
    await expect(page.get_by_text("Nothing yet that fits.")).to_be_visible()
    path = f"/channels/{stage.channels['quiz-night']}/messages"
    await page.get_by_label("Containing").fill("quiz-night")
    with pytest.raises(AssertionError):
        await stage.bot.rest("POST", path, {})
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("400")
    await expect(rows.first).to_have_class("failed")


async def test_the_bot_is_killed_and_started_by_whoever_runs_it(stage: Stage) -> None:
    page = await stage.window("Ada")
    await open_backstage(page, "Faults")
    await expect(page.get_by_role("heading", name="Its connection")).to_be_visible()
    await expect(page.get_by_role("button", name="Kill the bot")).to_have_count(0)

    async with aiohttp.ClientSession() as http:

        async def supervise(state: str) -> str:
            url = f"{stage.sandbox.url}control/bot/state"
            async with http.post(url, json={"state": state, "wait": 20}) as response:
                return (await response.json())["wanted"]

        asking = asyncio.create_task(supervise("running"))
        await page.get_by_role("button", name="Kill the bot").click()
        assert await asyncio.wait_for(asking, 10) == "stopped"
        await expect(page.get_by_role("button", name="Kill the bot")).to_be_disabled()
        await stage.control("gateway", action="drop")
        asking = asyncio.create_task(supervise("stopped"))
        await expect(page.get_by_role("tabpanel").get_by_text("It was killed.")).to_be_visible()
        await page.get_by_test_id("bot-offline").get_by_role("button", name="Start the bot").click()
        assert await asyncio.wait_for(asking, 10) == "running"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Cut the connection", "CUT"),
        ("Cut it and forget the session", "CUT"),
        ("Declare the session invalid", "OP 9"),
        ("Ask it to reconnect", "OP 7"),
    ],
)
async def test_the_gateway_is_disturbed(stage: Stage, name: str, told: str) -> None:
    page = await stage.window("Ada")
    await open_backstage(page, "Faults")
    await page.get_by_role("button", name=name).click()
    await page.get_by_role("tab", name="Traffic").click()
    await page.get_by_role("combobox", name="Show").select_option("gateway")
    await expect(page.get_by_role("list", name="Traffic")).to_contain_text(told)
    if told == "CUT":
        await expect(page.get_by_test_id("bot-offline")).to_be_visible()


async def test_a_permission_is_taken_away_in_the_channel_on_show_and_given_back(stage: Stage) -> None:
    page = await stage.window("Ada")
    await open_backstage(page, "Faults")
    switch = page.get_by_role("switch", name="Send messages", exact=True)
    await expect(switch).to_be_checked()
    await switch.press("Space")
    await expect(switch).not_to_be_checked()
    await expect(switch).to_be_focused()
    with pytest.raises(AssertionError, match="50013"):
        await stage.say([text("denied")])
    await stage.say([text("elsewhere")], "general")
    await switch.press("Space")
    await expect(switch).to_be_checked()
    await stage.say([text("allowed")])
    channel = stage.sandbox.world.channels[int(stage.channels["quiz-night"])]
    assert channel.overwrites == {}


async def test_a_message_is_deleted_from_its_own_menu_by_keys_alone(stage: Stage) -> None:
    message = await stage.say([text("Gone soon")])
    kept = await stage.say([text("Stays")])
    page = await stage.window("Ada")
    menu = page.locator(f'[data-message-id="{message}"]').get_by_role("button", name="More about")
    await menu.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Begin a thread")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(menu).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("message")).to_have_count(1)
    await expect(page.get_by_test_id("message")).to_have_attribute("data-message-id", kept)
    await expect(page.locator("#announcer")).to_contain_text("The message was deleted.")
    await open_backstage(page, "Faults")
    await page.get_by_role("button", name="Delete the newest message of Etüt").click()
    await expect(page.get_by_test_id("message")).to_have_count(0)


async def test_commands_for_messages_are_in_the_menu(stage: Stage) -> None:
    command = {"name": "Make a question", "name_localizations": {"tr": "Soru yap"}, "type": 3}
    await stage.bot.rest("POST", f"/applications/{stage.bot.id}/commands", command)
    stage.bot.answers = {"Make a question": whisper("Yapıldı")}
    message = await stage.say([text("Water boils at 100 °C")])
    page = await stage.window("Elif")
    await page.get_by_test_id("message").hover()
    await page.get_by_role("button", name="Bu mesaj için seçenekler").click()
    await page.get_by_role("button", name="Soru yap").click()
    await expect(private(page)).to_contain_text("Yapıldı")
    assert stage.bot.received[-1]["data"]["target_id"] == message


async def test_a_channel_is_deleted_only_after_a_second_word(stage: Stage) -> None:
    page = await stage.window("Ada")
    await open_backstage(page, "Faults")
    await page.get_by_role("button", name="Delete #quiz-night …").click()
    await expect(page.get_by_role("button", name="Keep")).to_be_focused()
    await page.get_by_role("button", name="Keep").click()
    await expect(page.get_by_role("button", name="Delete #quiz-night …")).to_be_focused()
    await page.get_by_role("button", name="Delete #quiz-night …").click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("navigation").get_by_role("button", name="quiz-night")).to_have_count(0)
    await expect(page.get_by_role("heading", name="general", exact=True)).to_be_visible()


async def test_an_idle_page_follows_a_clock_that_is_moved(stage: Stage) -> None:
    await stage.say([text("⏱ <t:1772395260:R>")])
    page = await stage.window("Ada")
    await expect(page.locator("time[data-unix]")).to_have_text("in 1 minute")
    await stage.control("clock", action="advance", by=50)
    await expect(page.locator("time[data-unix]")).to_have_text("in 10 seconds")


async def test_it_is_one_button_that_opens_and_closes_by_keys(stage: Stage) -> None:
    page = await stage.window("Ada")
    await expect(page.get_by_role("complementary")).to_have_count(0)
    opener = page.get_by_role("button", name="Backstage", exact=True)
    await opener.press("Enter")
    await expect(page.get_by_role("tab", name="Players")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("tab", name="Faults")).to_be_focused()
    await expect(page.get_by_role("tab", selected=True)).to_have_text("Faults")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("complementary")).to_have_count(0)
    await expect(opener).to_be_focused()


@pytest.mark.parametrize("member", ["Ada", "Elif"])
async def test_on_a_phone_it_is_a_sheet_over_the_whole_page(stage: Stage, member: str) -> None:
    await stage.say(question())
    page = await stage.window(member, size=PHONE)
    opener = page.locator("#backstage-button")
    await opener.click()
    sheet = page.get_by_role("complementary")
    box = await sheet.bounding_box()
    assert box == {"x": 0, "y": 0, **PHONE}
    for _ in range(20):
        await page.keyboard.press("Tab")
        focused = "document.activeElement === document.body || !!document.activeElement.closest('#backstage')"
        assert await page.evaluate(focused)
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        await page.get_by_role("tabpanel").wait_for()
        wide = """() => [document.body, ...document.querySelectorAll("#backstage, #backstage *")]
            .filter((one) => !one.matches("pre") && one.getBoundingClientRect().right > innerWidth + 0.5)
            .map((one) => one.outerHTML.slice(0, 100))"""
        assert await page.evaluate(wide) == []
    await page.get_by_role("tab", selected=True).press("Escape")
    await expect(sheet).to_be_hidden()
    await expect(opener).to_be_focused()
