"""What holds for every request the bot makes, whatever a test is about: read from the sandbox's log afterwards."""

from typing import Any, cast

from tests.support.reading import Json

HARMLESS = (10062, 10015, 50027)
"""An answer that came too late is Discord's to refuse and ours to forget."""


def payload(entry: Json) -> Json:
    """Return what a request says of a message: interaction callbacks have it one level down."""
    body: Any = entry["body"]
    if not isinstance(body, dict):
        return {}
    said = cast("Json", body)
    return said["data"] if isinstance(said.get("data"), dict) else said


def pinging(log: list[Json]) -> list[Json]:
    """Return the requests with components, sends and edits alike, that do not forbid every mention."""
    return [
        entry
        for entry in log
        if entry["dir"] == "rest"
        and entry["method"] in ("POST", "PATCH")
        and "components" in payload(entry)
        and payload(entry).get("allowed_mentions", {}).get("parse") != []
    ]


def refused(log: list[Json]) -> list[tuple[str, str, int]]:
    """Return the requests that were refused: method, path and Discord's code."""
    return [
        (entry["method"], entry["path"], entry["answer"].get("code", 0))
        for entry in log
        if entry["dir"] == "rest"
        and entry["status"] is not None
        and entry["status"] >= 400
        and entry["answer"].get("code") not in HARMLESS
    ]


def complaints(bot_log: str) -> list[str]:
    """Return the lines in which the bot reports a fault of its own."""
    return [
        line
        for line in bot_log.splitlines()
        if line.startswith(("ERROR", "CRITICAL", "Traceback", "FOREIGN"))
    ]
