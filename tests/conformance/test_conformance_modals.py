"""discord-facts §5: modals."""

import pytest


def label(component, **fields):
    return {"type": 18, "label": "L", "component": component, **fields}


def text_input(**fields):
    return {"type": 4, "style": 1, "custom_id": "t", **fields}


def options(count):
    return [{"label": "L", "value": str(n)} for n in range(count)]


def select(**fields):
    return {"type": 3, "custom_id": "s", "options": options(3), **fields}


def modal(*parts, **fields):
    return {"title": "T", "custom_id": "m", "components": list(parts) or [label(text_input())], **fields}


def inputs(count):
    return [label(text_input(custom_id=str(n))) for n in range(count)]


ACCEPTED = {
    "five parts": modal(*inputs(5)),
    "title 45": modal(title="x" * 45),
    "a text display": modal({"type": 10, "content": "Read this"}, label(text_input())),
    "the deprecated row": modal({"type": 1, "components": [text_input(label="L")]}),
    "label 45, description 100": modal(label(text_input(), label="x" * 45, description="x" * 100)),
    "a long text": modal(label(text_input(style=2, min_length=0, max_length=4000, value="x" * 4000))),
    "a select": modal(label(select(min_values=1, max_values=3))),
    "selects of people and places": modal(*[label({"type": k, "custom_id": str(k)}) for k in (5, 6, 7, 8)]),
    "files": modal(label({"type": 19, "custom_id": "f", "max_values": 10})),
    "radio buttons": modal(label({"type": 21, "custom_id": "r", "options": options(2)})),
    "checkboxes": modal(label({"type": 22, "custom_id": "c", "options": options(10), "max_values": 10})),
    "a checkbox": modal(label({"type": 23, "custom_id": "c"})),
    "an optional select": modal(label(select(required=False, min_values=0))),
    "disabled false and label null, as libraries send": modal(label(select(disabled=False, label=None))),
}

FIRST = ("components", "0", "component")
REFUSED = {
    "six parts": (modal(*inputs(6)), ("components",)),
    "no parts": (modal(components=[]), ("components",)),
    "title 46": (modal(title="x" * 46), ("title",)),
    "no title": (modal(title=None), ("title",)),
    "custom_id 101": (modal(custom_id="x" * 101), ("custom_id",)),
    "label 46": (modal(label(text_input(), label="x" * 46)), ("components", "0", "label")),
    "description 101": (
        modal(label(text_input(), description="x" * 101)),
        ("components", "0", "description"),
    ),
    "a button": (modal(label({"type": 2, "style": 1, "label": "B", "custom_id": "b"})), (*FIRST, "type")),
    "a bare text input": (modal(text_input()), ("components", "0", "type")),
    "a label inside a label": (modal(label(text_input(label="L"))), (*FIRST, "label")),
    "style 3": (modal(label(text_input(style=3))), (*FIRST, "style")),
    "placeholder 101": (modal(label(text_input(placeholder="x" * 101))), (*FIRST, "placeholder")),
    "value 4001": (modal(label(text_input(value="x" * 4001))), (*FIRST, "value")),
    "max_length 4001": (modal(label(text_input(max_length=4001))), (*FIRST, "max_length")),
    "min above max": (modal(label(text_input(min_length=5, max_length=4))), (*FIRST, "min_length")),
    "a disabled select": (modal(label(select(disabled=True))), (*FIRST, "disabled")),
    "one radio button": (
        modal(label({"type": 21, "custom_id": "r", "options": options(1)})),
        (*FIRST, "options"),
    ),
    "eleven checkboxes": (
        modal(label({"type": 22, "custom_id": "c", "options": options(11)})),
        (*FIRST, "options"),
    ),
    "a required checkbox": (
        modal(label({"type": 23, "custom_id": "c", "required": True})),
        (*FIRST, "required"),
    ),
    "eleven files": (modal(label({"type": 19, "custom_id": "f", "max_values": 11})), (*FIRST, "max_values")),
    "min 0 while required": (modal(label(select(min_values=0))), (*FIRST, "min_values")),
    "a doubled custom_id": (
        modal(label(text_input()), label(text_input())),
        ("components", "1", "component", "custom_id"),
    ),
}


@pytest.mark.parametrize("data", ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_modals_inside_the_limits(wire, data):
    """§5: title, parts, labels, text inputs, selects, files, groups, just inside their limits."""
    answer = await wire.answer(await wire.slash(), 9, data, with_response=True)
    assert answer.status == 200, answer.body


@pytest.mark.parametrize(("data", "path"), REFUSED.values(), ids=REFUSED.keys())
async def test_modals_outside_the_limits(wire, fields, data, path):
    """§5: title, parts, labels, text inputs, selects, files, groups, just outside their limits."""
    answer = await wire.answer(await wire.slash(), 9, data)
    assert (answer.status, answer.body["code"]) == (400, 50035)
    assert fields(answer.body, "data", *path)


async def test_what_is_submitted_is_what_the_modal_asked_for(wire):
    """§5 "Submitted selects say `type`", and the rules of each field hold for what is typed."""
    parts = [
        label(text_input(min_length=2, max_length=5)),
        label(select(min_values=1, max_values=2)),
        label({"type": 21, "custom_id": "r", "options": options(2), "required": False}),
        label({"type": 23, "custom_id": "c"}),
    ]
    opener = await wire.slash()
    await wire.answer(opener, 9, modal(*parts))
    submit = {"member": wire.members["Ada"], "interaction": opener["id"]}
    for wrong in (
        {"t": "x", "s": ["1"]},
        {"t": "", "s": ["1"]},
        {"t": "xx", "s": ["0", "1", "2"]},
        {"t": "xx", "s": ["9"]},
        {"t": "xx", "s": ["1"], "r": "9"},
        {"t": "xx", "s": ["1"], "unknown": "x"},
    ):
        await wire.control("POST", "submit", expect=400, **submit, values=wrong)
    await wire.control(
        "POST", "submit", expect=400, **{**submit, "member": wire.members["Tom"]}, values={"t": "xx"}
    )

    gateway = await wire.gateway()
    await gateway.ready()
    await wire.control("POST", "submit", **submit, values={"t": "Çay", "s": ["2"], "c": True})
    data = (await gateway.event("INTERACTION_CREATE"))["data"]
    assert data["custom_id"] == "m"
    sent = [part["component"] for part in data["components"]]
    assert [one["type"] for one in sent] == [4, 3, 21, 23]
    assert (sent[0]["value"], sent[1]["values"], sent[2]["value"], sent[3]["value"]) == (
        "Çay",
        ["2"],
        None,
        True,
    )
