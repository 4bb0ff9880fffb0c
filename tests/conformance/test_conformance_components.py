"""discord-facts §3 and §4: components, classic and V2."""

import pytest

V2 = 32768


def button(**fields):
    return {"type": 2, "style": 1, "label": "A", "custom_id": "a", **fields}


def option(value="v", **fields):
    return {"label": "L", "value": value, **fields}


def select(**fields):
    return {"type": 3, "custom_id": "s", "options": [option()], **fields}


def row(*parts):
    return {"type": 1, "components": list(parts)}


def text(content="x"):
    return {"type": 10, "content": content}


def section(*texts, **fields):
    return {"type": 9, "components": list(texts) or [text()], "accessory": button(), **fields}


def container(*parts, **fields):
    return {"type": 17, "components": list(parts) or [text()], **fields}


def gallery(count, **fields):
    return {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}, **fields}] * count}


def buttons(count):
    return [button(custom_id=f"b{n}") for n in range(count)]


def options(count):
    return [option(str(n)) for n in range(count)]


CLASSIC_ACCEPTED = {
    "five rows of five buttons": [row(*[button(custom_id=f"{r}{n}") for n in range(5)]) for r in range(5)],
    "label of 80": [row(button(label="x" * 80))],
    "custom_id of 100": [row(button(custom_id="x" * 100))],
    "a link": [row({"type": 2, "style": 5, "label": "L", "url": "https://example.org"})],
    "only an emoji": [row({"type": 2, "style": 1, "custom_id": "a", "emoji": {"name": "🌐"}})],
    "a select of 25": [row(select(options=options(25), max_values=25, placeholder="x" * 150))],
}

CLASSIC_REFUSED = {
    "six rows": ([row(button(custom_id=str(n))) for n in range(6)], ()),
    "six buttons": ([row(*buttons(6))], ("0", "components")),
    "a select beside a button": ([row(select(), button())], ("0", "components")),
    "two selects": ([row(select(), select(custom_id="t"))], ("0", "components")),
    "an empty row": ([row()], ("0", "components")),
    "a bare button": ([button()], ("0", "type")),
    "a V2 part without the flag": ([text()], ("0", "type")),
    "label of 81": ([row(button(label="x" * 81))], ("0", "components", "0", "label")),
    "no custom_id": ([row(button(custom_id=None))], ("0", "components", "0", "custom_id")),
    "custom_id of 0": ([row(button(custom_id=""))], ("0", "components", "0", "custom_id")),
    "custom_id of 101": ([row(button(custom_id="x" * 101))], ("0", "components", "0", "custom_id")),
    "a doubled custom_id": ([row(button(), button())], ("0", "components", "1", "custom_id")),
    "a doubled id": ([row(button(id=5), button(id=5, custom_id="b"))], ("0", "components", "1", "id")),
    "style 7": ([row(button(style=7))], ("0", "components", "0", "style")),
    "a link with custom_id": (
        [row(button(style=5, url="https://example.org"))],
        ("0", "components", "0", "custom_id"),
    ),
    "a link without url": ([row({"type": 2, "style": 5, "label": "L"})], ("0", "components", "0", "url")),
    "url of 513": (
        [row({"type": 2, "style": 5, "label": "L", "url": "https://" + "x" * 505})],
        ("0", "components", "0", "url"),
    ),
    "a url on a plain button": ([row(button(url="https://example.org"))], ("0", "components", "0", "url")),
    "neither label nor emoji": ([row(button(label=None))], ("0", "components", "0", "label")),
    "no options": ([row(select(options=[]))], ("0", "components", "0", "options")),
    "26 options": ([row(select(options=options(26)))], ("0", "components", "0", "options")),
    "option label 101": (
        [row(select(options=[option(label="x" * 101)]))],
        ("0", "components", "0", "options", "0", "label"),
    ),
    "option value 101": (
        [row(select(options=[option("x" * 101)]))],
        ("0", "components", "0", "options", "0", "value"),
    ),
    "option description 101": (
        [row(select(options=[option(description="x" * 101)]))],
        ("0", "components", "0", "options", "0", "description"),
    ),
    "doubled values": (
        [row(select(options=[option(), option()]))],
        ("0", "components", "0", "options", "1", "value"),
    ),
    "placeholder of 151": ([row(select(placeholder="x" * 151))], ("0", "components", "0", "placeholder")),
    "min above max": (
        [row(select(options=options(3), min_values=2, max_values=1))],
        ("0", "components", "0", "min_values"),
    ),
    "max above the options": ([row(select(max_values=2))], ("0", "components", "0", "max_values")),
    "max of 26": ([row(select(options=options(25), max_values=26))], ("0", "components", "0", "max_values")),
}

V2_ACCEPTED = {
    "40 components": [text(str(n)) for n in range(40)],
    "40 with all that are nested": [
        container(*[section(accessory=button(custom_id=str(n))) for n in range(13)])
    ],
    "4000 characters over all texts": [text("x" * 2000), text("y" * 2000)],
    "a section with three texts and a thumbnail": [
        section(
            text(),
            text(),
            text(),
            accessory={"type": 11, "media": {"url": "https://example.org/a.png"}, "description": "x" * 1024},
        )
    ],
    "everything a container holds": [
        container(
            row(button(custom_id="r")),
            section(),
            text(),
            gallery(10),
            {"type": 14, "divider": True, "spacing": 2},
            accent_color=0xFFFFFF,
            spoiler=True,
        )
    ],
    "a select in a container": [container(row(select()))],
}

V2_REFUSED = {
    "41 components": ([text(str(n)) for n in range(41)], ()),
    "41 with all that are nested": (
        [container(*[section(accessory=button(custom_id=str(n))) for n in range(13)]), text()],
        (),
    ),
    "4001 characters over all texts": ([text("x" * 2000), text("y" * 2001)], ()),
    "an empty text": ([text("")], ("0", "content")),
    "a section without accessory": ([{"type": 9, "components": [text()]}], ("0", "accessory")),
    "a section of four texts": ([section(text(), text(), text(), text())], ("0", "components")),
    "a section with a row": ([section(row(button()))], ("0", "components", "0", "type")),
    "a select as accessory": ([section(accessory=select())], ("0", "accessory", "type")),
    "a container in a container": ([container(container())], ("0", "components", "0", "type")),
    "a bare button": ([button()], ("0", "type")),
    "a thumbnail on its own": ([{"type": 11, "media": {"url": "https://example.org/a.png"}}], ("0", "type")),
    "eleven pictures": ([gallery(11)], ("0", "items")),
    "alt text of 1025": ([gallery(1, description="x" * 1025)], ("0", "items", "0", "description")),
    "a file from the web": (
        [{"type": 13, "file": {"url": "https://example.org/a.pdf"}}],
        ("0", "file", "url"),
    ),
    "a file that was not uploaded": (
        [{"type": 13, "file": {"url": "attachment://a.pdf"}}],
        ("0", "file", "url"),
    ),
    "spacing 3": ([{"type": 14, "spacing": 3}], ("0", "spacing")),
    "a colour too high": ([container(accent_color=0x1000000)], ("0", "accent_color")),
    "a doubled custom_id in two places": (
        [section(), container(row(button()))],
        ("1", "components", "0", "components", "0", "custom_id"),
    ),
    "a label outside a modal": ([{"type": 18, "label": "L", "component": select()}], ("0", "type")),
}


@pytest.mark.parametrize("components", CLASSIC_ACCEPTED.values(), ids=CLASSIC_ACCEPTED.keys())
async def test_classic_components_inside_the_limits(wire, components):
    """§3 table: rows, buttons, selects, just inside their limits."""
    answer = await wire.send({"content": "x", "components": components})
    assert answer.status == 200, answer.body


@pytest.mark.parametrize(("components", "path"), CLASSIC_REFUSED.values(), ids=CLASSIC_REFUSED.keys())
async def test_classic_components_outside_the_limits(wire, fields, components, path):
    """§3 table: rows, buttons, selects, just outside their limits."""
    answer = await wire.send({"content": "x", "components": components})
    assert (answer.status, answer.body["code"]) == (400, 50035)
    assert fields(answer.body, "components", *path)


@pytest.mark.parametrize("components", V2_ACCEPTED.values(), ids=V2_ACCEPTED.keys())
async def test_v2_components_inside_the_limits(wire, components):
    """§4 "40 components in total, counted with all nested ones", texts of 4000, and the table of types."""
    answer = await wire.send({"flags": V2, "components": components})
    assert answer.status == 200, answer.body


@pytest.mark.parametrize(("components", "path"), V2_REFUSED.values(), ids=V2_REFUSED.keys())
async def test_v2_components_outside_the_limits(wire, fields, components, path):
    """§4 "40 components in total, counted with all nested ones", texts of 4000, and the table of types."""
    answer = await wire.send({"flags": V2, "components": components})
    assert (answer.status, answer.body["code"]) == (400, 50035)
    assert fields(answer.body, "components", *path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("content", "x"), ("embeds", [{"title": "x"}]), ("sticker_ids", ["1"])],
)
async def test_with_the_flag_there_is_nothing_but_components(wire, fields, field, value):
    """§4 "With the flag: no content, embeds, sticker_ids, poll (400)"."""
    answer = await wire.send({"flags": V2, "components": [text()], field: value})
    assert fields(answer.body, field) == ["MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]


async def test_too_many_bytes_of_text_break_the_server(wire):
    """§4 "sum(UTF-8 bytes of texts) + 12 × number of texts ≤ 10 170, above it HTTP 500"."""
    long = [text("ğ" * 500), text("字" * 3000)]
    left = 10_170 - 500 * 2 - 3000 * 3 - 3 * 12
    fits, breaks = [*long, text("x" * left)], [*long, text("x" * (left + 1))]
    assert (await wire.send({"flags": V2, "components": fits})).status == 200
    answer = await wire.send({"flags": V2, "components": breaks})
    assert (answer.status, answer.body) == (500, {"message": "500: Internal Server Error", "code": 0})


async def test_the_flag_can_never_be_removed(wire, fields):
    """§4 "once set it can never be removed, also not by edit"."""
    message = (await wire.send({"flags": V2, "components": [text()]})).body
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    assert fields((await wire.call("PATCH", path, {"flags": 0})).body, "flags")
    assert fields((await wire.call("PATCH", path, {"content": "back", "components": []})).body, "content")
    edited = await wire.call("PATCH", path, {"components": [text("new")]})
    assert edited.body["flags"] & V2


async def test_turning_a_classic_message_into_v2_clears_what_it_had(wire, fields):
    """§4 "needs content: null, poll: null, embeds: [], sticker_ids: [] in the same request"."""
    message = (await wire.send({"content": "classic", "embeds": [{"title": "t"}]})).body
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    refused = await wire.call("PATCH", path, {"flags": V2, "components": [text()]})
    assert fields(refused.body, "content")
    assert fields(refused.body, "embeds")
    edit = {
        "flags": V2,
        "components": [text()],
        "content": None,
        "embeds": [],
        "poll": None,
        "sticker_ids": [],
    }
    edited = await wire.call("PATCH", path, edit)
    assert (edited.status, edited.body["flags"] & V2) == (200, V2)


async def test_v2_messages_show_files_only_through_components(wire):
    """§4 "Attachments are invisible unless a component shows them"; §2 "V2 messages answer with attachments: []"."""
    path = f"/channels/{wire.channels['general']}/messages"
    shown = [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "alt"}]}]
    message = (
        await wire.call("POST", path, {"flags": V2, "components": shown}, files=[("a.png", b"picture")])
    ).body
    assert message["attachments"] == []
    url = message["components"][0]["items"][0]["media"]["url"]
    async with wire.http.get(url) as response:
        assert await response.read() == b"picture"
    # Left out of an edit, the file stays and can be shown again; listed away, it is gone.
    path += f"/{message['id']}"
    assert (await wire.call("PATCH", path, {"components": shown})).body["components"][0]["items"][0]["media"][
        "url"
    ]
    gone = await wire.call("PATCH", path, {"components": shown, "attachments": []})
    assert gone.body["code"] == 50035


async def test_components_get_ids(wire):
    """§3 "component id: int32, unique; 0 or missing = assigned"."""
    parts = [container(section(text(), accessory=button(id=2)), text())]
    (made,) = (await wire.send({"flags": V2, "components": parts})).body["components"]
    inside = made["components"]
    numbers = [made["id"], inside[0]["id"], inside[0]["components"][0]["id"], inside[0]["accessory"]["id"]]
    assert numbers[3] == 2
    assert len({*numbers, inside[1]["id"]}) == 5


async def test_only_what_is_on_the_message_can_be_pressed(wire):
    """§1 "Who can see and press": the client sends what the message holds, and nothing that is disabled."""
    parts = [
        row(
            button(), button(custom_id="off", disabled=True), {**button(), "style": 5, "url": "https://x.org"}
        )
    ]
    parts[0]["components"][2].pop("custom_id")
    message = (await wire.send({"content": "x", "components": parts})).body["id"]
    ada = wire.members["Ada"]
    for custom_id in ("off", "unknown"):
        await wire.control("POST", "press", expect=400, member=ada, message=message, custom_id=custom_id)
    await wire.overwrite("general", ada, deny=1 << 10)
    await wire.control("POST", "press", expect=404, member=ada, message=message, custom_id="a")
    press = await wire.press(message, "a", "Tom")
    assert press["data"] == {"custom_id": "a", "component_type": 2, "id": 2}


async def test_a_select_sends_its_values(wire):
    """§3 "min_values / max_values" and §5 "message selects [say] component_type"."""
    parts = [row(select(options=options(3), min_values=1, max_values=2))]
    message = (await wire.send({"content": "x", "components": parts})).body["id"]
    chosen = await wire.press(message, "s", values=["2", "0"])
    assert (chosen["data"]["component_type"], chosen["data"]["values"]) == (3, ["2", "0"])
    for wrong in ([], ["0", "1", "2"], ["0", "0"], ["9"]):
        fields = {"member": wire.members["Ada"], "message": message, "custom_id": "s"}
        await wire.control("POST", "select", expect=400, **fields, values=wrong)


async def test_a_user_select_sends_what_was_resolved(wire):
    """§3 selects of users, roles and channels carry the chosen things."""
    message = (await wire.send({"content": "x", "components": [row({"type": 5, "custom_id": "u"})]})).body[
        "id"
    ]
    chosen = await wire.press(message, "u", values=[wire.members["Tom"]])
    assert chosen["data"]["resolved"]["users"][wire.members["Tom"]]["username"] == "tom"
    assert "user" not in chosen["data"]["resolved"]["members"][wire.members["Tom"]]
