"""How values stand on the wire: JSON, instants, ids. It converts and never decides."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, TypeAlias, cast

import orjson

JsonObject: TypeAlias = dict[str, Any]


def dump(value: Any) -> bytes:
    """Write a value as JSON."""
    return orjson.dumps(value)


def load(raw: bytes | str) -> Any:
    """Read JSON; raises ValueError."""
    return orjson.loads(raw)


def as_object(value: Any) -> JsonObject | None:
    """Take a value as a JSON object, or None if it is none."""
    return cast(JsonObject, value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any] | None:
    """Take a value as a JSON array, or None if it is none."""
    return cast(list[Any], value) if isinstance(value, list) else None


def objects_in(value: Any) -> list[JsonObject]:
    """List the objects of an array; whatever else it holds is left out."""
    found = (as_object(item) for item in as_list(value) or [])
    return [item for item in found if item is not None]


def as_id(value: Any) -> int | None:
    """Read a snowflake written as text or number, or None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    return None


def ids(values: Iterable[int]) -> list[str]:
    """Write snowflakes as Discord does, as text."""
    return [str(value) for value in values]


def discord_time(instant: datetime) -> str:
    """Write an instant as Discord's payloads do."""
    return instant.isoformat(timespec="microseconds")


def control_time(instant: datetime) -> str:
    """Write an instant as the control interface does: UTC with milliseconds and a Z."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 instant; raises ValueError if it has no zone."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text!r} has no zone; write it like 2026-12-01T20:00:00Z")
    return instant.astimezone(UTC)


def utf16_length(text: str) -> int:
    """Count UTF-16 units: the stricter of the two ways in which Discord may count."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)
