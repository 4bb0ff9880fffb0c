"""What a keyboard, a screen reader and weak eyes need of the page: names and roles as the browser computes them, an
order of focus, contrasts, in each state the page can be in; in both languages, light and dark.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.stage import PHONE, Stage, button, private, row, text, whisper

pytestmark = pytest.mark.browser

AUDIT = (Path(__file__).parent / "audit.js").read_text()
LOOKS = [("Ada", "light"), ("Elif", "dark")]
FORM = {
    "title": "Suggest",
    "custom_id": "form",
    "components": [
        {"type": 18, "label": "Stem", "component": {"type": 4, "style": 1, "custom_id": "stem"}},
        {"type": 18, "label": "Whom", "component": {"type": 5, "custom_id": "whom"}},
        {
            "type": 18,
            "label": "Level",
            "component": {
                "type": 21,
                "custom_id": "level",
                "options": [{"label": one, "value": one} for one in ("easy", "hard")],
            },
        },
    ],
}


async def furnish(stage: Stage) -> None:
    """Fill the channel with one of everything."""
    section = {
        "type": 9,
        "components": [text("**A** · an option with `code`")],
        "accessory": button("A", "a"),
    }
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://0.png"}, "description": "A chart"}]}
    styles = [{**button(f"Style {style}", f"style{style}"), "style": style} for style in (1, 2, 3, 4)]
    link = {"type": 2, "style": 5, "label": "Link", "url": "https://example.org"}
    options = [{"label": "One", "value": "1", "description": "the first"}, {"label": "Two", "value": "2"}]
    select = {"type": 3, "custom_id": "many", "options": options, "max_values": 2, "placeholder": "Mark all"}
    body = text(
        "### Heading\n-# small print\n||hidden|| <t:1772395260:R> <@&1> [a link](https://example.org)\n> said"
    )
    await stage.say([{"type": 17, "accent_color": 255, "components": [body, section]}])
    await stage.say_with_pictures([gallery, row(*styles, link), row(select), text("```\ncode\n```")], 1)
    stage.bot.answers = {"a": whisper("Saved: A"), "style1": {"type": 9, "data": FORM}}
    await stage.control(
        "send", member=stage.members["Tom"], channel=stage.channels["quiz-night"], content="hello"
    )


async def faults(page: Page) -> list[str]:
    """List what is wrong now: what the audit finds, and what can be focused without saying what it is."""
    found = await page.evaluate(AUDIT)
    session = await page.context.new_cdp_session(page)
    tree = await session.send("Accessibility.getFullAXTree")
    await session.detach()
    for node in tree["nodes"]:
        if node.get("ignored"):
            continue
        role, name = node["role"]["value"], node.get("name", {}).get("value", "")
        facts: dict[str, Any] = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        if role != "RootWebArea" and (facts.get("focusable") or role == "image") and not name.strip():
            found.append(f"no name: {role} {node.get('backendDOMNodeId')}")
        if facts.get("focusable") and role in ("generic", "none"):
            found.append(f"can be focused and has no role: {name}")
    return found


@pytest.mark.parametrize(("member", "scheme"), LOOKS)
async def test_nothing_is_nameless_or_hard_to_read_in_any_state(
    stage: Stage, member: str, scheme: str
) -> None:
    await furnish(stage)
    page = await stage.window(member, scheme=scheme)
    await expect(page.get_by_test_id("message")).to_have_count(3)
    assert await faults(page) == []
    await page.get_by_role("button", name="A", exact=True).click()
    await expect(private(page)).to_have_count(1)
    await page.get_by_role("button", name="Mark all").click()
    await page.get_by_test_id("message").first.hover()
    assert await faults(page) == []
    await page.get_by_test_id("message").first.locator(".menu-button").click()
    assert await faults(page) == []
    await page.keyboard.press("Escape")
    await page.get_by_test_id("message-input").fill("/")
    await page.get_by_test_id("command-option").first.wait_for()
    assert await faults(page) == []
    await page.get_by_test_id("message-input").fill("")
    await page.get_by_role("button", name="Style 1").click()
    await page.get_by_role("dialog").wait_for()
    assert await faults(page) == []
    await page.keyboard.press("Escape")
    await stage.control("gateway", action="drop")
    await page.get_by_test_id("bot-offline").wait_for()
    await page.locator("[data-channel-id]", has_text="questions").click()
    assert await faults(page) == []


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("member", "scheme"), LOOKS)
async def test_nothing_is_nameless_or_hard_to_read_backstage(
    stage: Stage, member: str, scheme: str, size: Any
) -> None:
    await furnish(stage)
    await stage.control("bot/state", state="running")
    await stage.control("players", action="start", channel=stage.channels["quiz-night"], count=3)
    page = await stage.window(member, scheme=scheme, size=size)
    await page.locator("#backstage-button").click()
    assert await faults(page) == []
    await page.get_by_role("tab").nth(1).click()
    await page.get_by_role("listitem").locator("summary").first.click()
    assert await faults(page) == []
    await page.get_by_role("tab").nth(2).click()
    await page.get_by_role("switch").last.click()
    await page.locator("#delete-channel").click()
    assert await faults(page) == []


async def test_the_focus_goes_from_who_through_where_to_what_and_to_the_message_box(stage: Stage) -> None:
    await stage.say([row(button("A", "a"))])
    page = await stage.window("Ada")
    await page.get_by_role("option", selected=True).focus()
    places = ["people", "sidebar", "room-header", "scroller", "messages", "notices", "composer"]
    where = f"document.activeElement.closest('{', '.join(f'#{one}' for one in places)}')?.id"
    seen = []
    for _ in range(30):
        seen.append(await page.evaluate(where))
        await page.keyboard.press("Tab")
        if seen[-1] == "composer":
            break
    assert list(dict.fromkeys(seen)) == places


async def test_what_happens_is_said_once_and_not_what_one_did_oneself(stage: Stage) -> None:
    page = await stage.window("Ada")
    await page.get_by_test_id("message-input").fill("my own words")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("message")).to_have_count(1)
    await stage.say([text("Question 1 ||and the key||")])
    spoken = page.get_by_role("status").filter(has_text="Question 1")
    await expect(spoken).to_have_text("Etüt: Question 1 …")
    await expect(page.locator("#announcer p")).to_have_count(1)
