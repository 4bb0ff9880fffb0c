"""Reading what people see: the texts, buttons and letters of a message as the sandbox's control interface gives it."""

import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

BUTTON, SELECT, TEXT = 2, 3, 10
ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")


def parts(message: Json) -> Iterator[Json]:
    """Yield every component of a message, however deep."""
    pending = list(message["components"])
    while pending:
        part = pending.pop(0)
        yield part
        pending[:0] = [*part.get("components", ()), *([part["accessory"]] if part.get("accessory") else ())]


def words(message: Json) -> str:
    """Return the texts of a message, without the marks that keep names apart."""
    return "\n".join(part["content"] for part in parts(message) if part["type"] == TEXT).translate(ISOLATES)


def labels(message: Json) -> list[str]:
    """Return the labels of a message's buttons."""
    return [part["label"] for part in parts(message) if part["type"] == BUTTON]


def button(message: Json, label: str, nth: int = 0) -> str:
    """Return the custom_id of a button with a label: the first, or the one after so many others."""
    found = [
        part["custom_id"] for part in parts(message) if part["type"] == BUTTON and part.get("label") == label
    ]
    assert len(found) > nth, f"no button {label!r} among {labels(message)}"
    return found[nth]


def links(message: Json) -> dict[str, str]:
    """Return where the link buttons of a message lead, by label."""
    return {part["label"]: part["url"] for part in parts(message) if part.get("url")}


def menu(message: Json) -> Json:
    """Return the select of a message."""
    return next(part for part in parts(message) if part["type"] == SELECT)


def reply(interaction: Json) -> str:
    """Return the text that answered an interaction."""
    assert interaction["state"] == "done", interaction
    return "\n".join(words(message) for message in interaction["messages"])


def answer(interaction: Json) -> Json:
    """Return the message that answered an interaction, and check that it is for its member alone."""
    assert interaction["state"] == "done", interaction
    (message,) = interaction["messages"]
    assert message["ephemeral"]
    return message


def letter(message: Json, option: str) -> str:
    """Return the letter of the option whose text begins with these words."""
    found = re.findall(r"^\*\*([A-J])\*\* · (.+)$", words(message), re.MULTILINE)
    return next(one for one, text in found if text.startswith(option))


def deadline(message: Json) -> int:
    """Return the deadline an open question shows, in seconds since 1970."""
    found = re.search(r"⏱ <t:(\d+):R>", words(message))
    assert found, words(message)
    return int(found[1])
