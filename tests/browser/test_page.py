"""The sandbox's page in a real browser, against a real sandbox whose clock is held, with a bot that says what a test
tells it to. Every act is a click or a key, and everything is read from the page.
"""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.stage import EPHEMERAL, PHONE, START, Stage, button, private, row, text, whisper

pytestmark = pytest.mark.browser


async def test_a_command_is_filled_in_and_sent_by_keys_alone_in_the_members_language(stage: Stage) -> None:
    stage.bot.answers = {
        "quiz?": {
            "type": 8,
            "data": {"choices": [{"name": "Yapısal Budama", "value": "structured-pruning"}]},
        },
        "quiz": whisper("Başladı"),
    }
    page = await stage.window("Deniz")
    await page.get_by_test_id("message-input").click()
    await page.keyboard.type("/quiz baş")
    option = page.locator('[data-testid="command-option"][data-path="quiz start"]')
    await expect(option).to_contain_text("/quiz başlat")
    await page.keyboard.press("Enter")
    await page.keyboard.type("budama")
    await expect(page.get_by_test_id("option-suggestion")).to_have_text("Yapısal Budama")
    await page.keyboard.press("Enter")
    await page.keyboard.type("26")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="questions")).to_have_text(
        "questions: En çok 25 olmalı."
    )
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Enter")
    await expect(private(page)).to_contain_text("Başladı")
    await expect(private(page)).to_contain_text("Bunu yalnızca sen görebilirsin")
    used = next(one for one in stage.bot.received if one["type"] == 2)
    options = used["data"]["options"][0]["options"]
    assert {one["name"]: one["value"] for one in options} == {"quiz": "structured-pruning", "questions": 2}


async def test_a_command_typed_in_full_asks_for_its_options(stage: Stage) -> None:
    page = await stage.window("Maya")
    await page.get_by_test_id("message-input").click()
    await page.keyboard.type("/quiz start ")
    await expect(page.get_by_test_id("command-line")).to_have_attribute("data-path", "quiz start")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="quiz:")).to_have_text(
        "quiz: This option is required."
    )
    assert not [one for one in stage.bot.received if one["type"] == 2]


async def test_members_see_only_the_commands_they_may_use(stage: Stage) -> None:
    page = await stage.window("Ada")
    await page.get_by_test_id("message-input").click()
    await page.keyboard.type("/")
    await expect(page.get_by_test_id("command-option")).to_have_count(1)
    await expect(page.get_by_test_id("command-option")).to_have_attribute("data-path", "help")


async def test_an_answer_for_one_member_is_seen_in_no_other_window_and_can_be_dismissed(stage: Stage) -> None:
    stage.bot.answers = {"b": whisper("Saved: B")}
    await stage.say([text("Which one?"), row(button("A", "a"), button("B", "b"))])
    ada, tom = await stage.window("Ada"), await stage.window("Tom")
    await ada.get_by_role("button", name="B", exact=True).click()
    await expect(private(ada)).to_contain_text("Saved: B")
    await tom.get_by_test_id("message-input").fill("anybody there?")
    await tom.keyboard.press("Enter")
    await expect(ada.get_by_test_id("message").last).to_contain_text("anybody there?")
    await expect(private(tom)).to_have_count(0)
    await private(ada).get_by_role("button", name="Dismiss message").click()
    await expect(private(ada)).to_have_count(0)
    await ada.reload()
    await expect(ada.get_by_test_id("message").last).to_contain_text("anybody there?")
    await expect(private(ada)).to_have_count(0)


async def test_switching_the_member_switches_rights_language_and_private_messages(stage: Stage) -> None:
    stage.bot.answers = {"b": whisper("Saved: B")}
    await stage.say([row(button("B", "b"))])
    page = await stage.window("Ada")
    await page.get_by_role("button", name="B", exact=True).click()
    await expect(private(page)).to_contain_text("Saved: B")
    await page.keyboard.press("Alt+m")
    await expect(page.get_by_role("option", selected=True)).to_contain_text("Kerem")
    await expect(page.get_by_test_id("bot-state")).to_have_text("Etüt çevrimiçi")
    await expect(private(page)).to_have_count(0)
    assert stage.members["Kerem"] in page.url
    await page.get_by_test_id("member-switcher").get_by_role("option", name="Ada").click()
    await expect(private(page)).to_contain_text("Saved: B")


async def test_a_press_or_command_without_an_answer_fails_after_three_seconds(stage: Stage) -> None:
    await stage.say([row(button("Silent", "silent"))])
    page = await stage.window("Ada")
    pressed = page.get_by_role("button", name="Silent")
    await pressed.click()
    await page.get_by_test_id("message-input").fill("/help")
    await page.get_by_test_id("command-option").click()
    await page.get_by_role("button", name="Send command").click()
    await expect(pressed).to_have_attribute("aria-busy", "true")
    await expect(page.get_by_text("Sending the command")).to_be_visible()
    await stage.control("clock", action="advance", by=3.1)
    failures = page.get_by_test_id("interaction-error")
    await expect(failures).to_have_text(["This interaction failed", "The application did not respond"])
    await expect(pressed).not_to_have_attribute("aria-busy", "true")


async def test_several_choices_are_ticked_and_then_submitted_even_while_the_message_is_edited(
    stage: Stage,
) -> None:
    def card(count: int) -> list[dict[str, Any]]:
        options = [{"label": f"{one} · first words", "value": one} for one in "ABC"]
        select = {"type": 3, "custom_id": "many", "min_values": 1, "max_values": 2, "options": options}
        return [text(f"{count} have answered"), row({**select, "placeholder": "Mark all"})]

    stage.bot.answers = {"many": whisper("Saved: A, C")}
    message = await stage.say(card(0))
    page = await stage.window("Ada")
    await page.get_by_role("button", name="Mark all").press("Enter")
    await page.keyboard.press("Space")
    await stage.edit(message, card(1))
    await expect(page.get_by_test_id("message")).to_contain_text("1 have answered")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("option", name="B · first words")).to_have_attribute(
        "aria-disabled", "true"
    )
    await page.get_by_role("button", name="Submit (2)").click()
    await expect(private(page)).to_contain_text("Saved: A, C")
    assert stage.bot.received[-1]["data"]["values"] == ["A", "C"]


async def test_a_form_is_filled_in_and_sent(stage: Stage) -> None:
    def label(name: str, component: dict[str, Any]) -> dict[str, Any]:
        return {"type": 18, "label": name, "component": component}

    levels = [{"label": one, "value": one} for one in ("easy", "hard")]
    form = {
        "title": "Suggest a question",
        "custom_id": "form",
        "components": [
            label("Stem", {"type": 4, "style": 1, "custom_id": "stem", "required": True}),
            label("Topic", {"type": 3, "custom_id": "topic", "options": [{"label": "Memory", "value": "m"}]}),
            label("Level", {"type": 21, "custom_id": "level", "options": levels}),
            label("Tags", {"type": 22, "custom_id": "tags", "options": [*levels], "max_values": 1}),
        ],
    }
    stage.bot.answers = {"open": {"type": 9, "data": form}, "form": whisper("Thank you")}
    await stage.say([row(button("Suggest", "open"))])
    page = await stage.window("Ada")
    await page.get_by_role("button", name="Suggest").click()
    modal = page.get_by_role("dialog", name="Suggest a question")
    await expect(modal.get_by_role("textbox", name="Stem")).to_be_focused()
    await page.keyboard.type("Why?")
    await modal.get_by_label("Topic").select_option("Memory")
    await modal.get_by_role("radio", name="hard").check()
    await modal.get_by_role("button", name="Submit").click()
    await expect(modal.get_by_role("alert")).to_have_text("Choose 1")
    await modal.get_by_role("checkbox", name="easy").check()
    await modal.get_by_role("button", name="Submit").click()
    await expect(private(page)).to_contain_text("Thank you")
    await expect(modal).to_be_hidden()
    fields = [one["component"] for one in stage.bot.received[-1]["data"]["components"]]
    values = {one["custom_id"]: one.get("value", one.get("values")) for one in fields}
    assert values == {"stem": "Why?", "topic": ["m"], "level": "hard", "tags": ["easy"]}


async def test_a_thinking_answer_is_filled_in(stage: Stage) -> None:
    stage.bot.answers = {"think": {"type": 5, "data": {"flags": EPHEMERAL}}}
    await stage.say([row(button("Think", "think"))])
    page = await stage.window("Ada")
    await page.get_by_role("button", name="Think").click()
    await expect(private(page)).to_contain_text("Etüt is thinking")
    token = stage.bot.received[-1]["token"]
    await stage.bot.rest("PATCH", f"/webhooks/{stage.bot.id}/{token}/messages/@original", {"content": "Done"})
    await expect(private(page)).to_contain_text("Done")
    await expect(private(page)).not_to_contain_text("thinking")


async def test_timestamps_are_written_in_the_readers_language_by_the_sandboxs_clock(stage: Stage) -> None:
    closes = int(START.timestamp()) + 24
    await stage.say([text(f"⏱ <t:{closes}:R> <t:{closes}:D>")])
    ada, kerem, tom = [await stage.window(name) for name in ("Ada", "Kerem", "Tom")]
    await expect(ada.locator("time[data-unix]")).to_have_text(["in 24 seconds", "March 1, 2026"])
    await expect(kerem.locator("time[data-unix]").first).to_contain_text("24 saniye")
    await expect(kerem.locator("time[data-unix]").last).to_have_text("1 Mart 2026")
    await expect(tom.locator("time[data-unix]").last).to_have_text("1 March 2026")
    await stage.control("clock", action="advance", by=20)
    await stage.say([text("later")])
    await expect(ada.locator("time[data-unix]").first).to_have_text("in 4 seconds")


async def test_links_jump_to_messages_of_other_channels_and_spoilers_open(stage: Stage) -> None:
    guild = next(iter(stage.sandbox.world.guilds))
    target = await stage.say([text("The target")], "general")
    link = f"https://discord.com/channels/{guild}/{stage.channels['general']}/{target}"
    await stage.say([text(f"||hidden words|| [there]({link})")])
    page = await stage.window("Ada")
    spoiler = page.get_by_role("button", name="Spoiler: press to show")
    await spoiler.press("Enter")
    await expect(spoiler).to_have_count(0)
    await expect(page.get_by_test_id("message")).to_contain_text("hidden words")
    await page.get_by_role("link", name="there").click()
    await expect(page.get_by_role("heading", name="general")).to_be_visible()
    await expect(page.locator(f'[data-message-id="{target}"]')).to_be_focused()


async def test_the_sidebar_marks_what_is_unread_and_shows_threads_and_only_what_the_member_sees(
    stage: Stage,
) -> None:
    page = await stage.window("Ada")
    sidebar = page.get_by_role("navigation")
    await stage.say([text("News")], "general")
    await expect(sidebar.get_by_role("button", name="general unread")).to_be_visible()
    await sidebar.get_by_role("button", name="general").click()
    await expect(page.get_by_test_id("message")).to_contain_text("News")
    await expect(sidebar.get_by_role("img", name="unread")).to_have_count(0)
    await stage.control("world", action="create_thread", channel=stage.channels["general"], name="Round one")
    await sidebar.get_by_role("button", name="Round one").click()
    await page.get_by_test_id("message-input").fill("hello")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("message").last).to_contain_text("hello")
    target, channel = stage.members["Ada"], stage.channels["quiz-night"]
    await stage.control(
        "world", action="set_overwrite", channel=channel, target=target, allow="0", deny=str(1 << 10)
    )
    await expect(sidebar.get_by_role("button", name="quiz-night")).to_have_count(0)


async def test_the_page_says_that_the_bot_is_away_and_comes_back_after_a_lost_connection(
    stage: Stage,
) -> None:
    page = await stage.window("Ada")
    await expect(page.get_by_test_id("bot-state")).to_have_text("Etüt is online")
    port = stage.sandbox.port
    await stage.sandbox.stop()
    await expect(
        page.get_by_role("alert").filter(has_text="connection to the sandbox is lost")
    ).to_be_visible()
    await stage.sandbox.start(port)
    await expect(page.get_by_test_id("bot-offline")).to_contain_text("Etüt is offline", timeout=15_000)
    await stage.say([text("Written meanwhile")])
    await expect(page.get_by_test_id("message")).to_contain_text("Written meanwhile")
    await expect(page.get_by_text("connection to the sandbox is lost")).to_have_count(0)


@pytest.mark.parametrize("member", ["Ada", "Elif"])
async def test_nothing_is_wider_than_a_phone_and_the_sidebar_is_a_drawer(stage: Stage, member: str) -> None:
    section = {
        "type": 9,
        "components": [text("**A** · " + "ein sehr langes Wort: " + "Aktivierungsneuberechnung" * 4)],
        "accessory": button("A", "a"),
    }
    options = [{"label": "B · " + "first words of a long option " * 3, "value": "b"}]
    await stage.say(
        [
            {"type": 17, "accent_color": 255, "components": [text("### Question"), section]},
            text("```\n" + "code " * 60 + "\n```\nhttps://example.com/" + "long" * 40),
            row(*[button(f"Button {number} with words", f"b{number}") for number in range(5)]),
            row({"type": 3, "custom_id": "s", "options": options, "placeholder": "Choose " * 12}),
        ]
    )
    page = await stage.window(member, size=PHONE)
    await expect(page.get_by_test_id("message")).to_contain_text("Question")
    wide = """() => [...document.querySelectorAll("body, #scroller, #room, #composer")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.id || one.tagName)"""
    assert await page.evaluate(wide) == []
    sidebar = page.get_by_role("navigation")
    await expect(sidebar).to_be_hidden()
    await page.locator("#drawer-button").click()
    await expect(sidebar.get_by_role("button", name="general")).to_be_visible()
    await expect(page.get_by_test_id("member-switcher")).to_be_in_viewport()
    await page.keyboard.press("Escape")
    await expect(sidebar).to_be_hidden()


async def test_the_first_visit_says_what_to_click(stage: Stage) -> None:
    page = await stage.window("Maya")
    await expect(page.get_by_test_id("hint")).to_contain_text(
        "You are Maya, who may start quizzes. Type /quiz start"
    )
    await page.get_by_test_id("hint").get_by_role("button").click()
    await page.reload()
    await expect(page.get_by_test_id("message-input")).to_be_visible()
    await expect(page.get_by_test_id("hint")).to_have_count(0)


async def test_an_address_without_a_place_leads_to_someone_who_may_start_and_to_the_message_box(
    stage: Stage,
) -> None:
    page = await (await stage.window("Ada", "general")).context.new_page()
    await page.goto(stage.sandbox.url)
    await expect(page.get_by_role("option", selected=True)).to_contain_text("Maya")
    await expect(page.get_by_role("heading", name="quiz-night")).to_be_visible()
    await expect(page.get_by_test_id("message-input")).to_be_focused()
