"""Walking the components of a message or modal: completing them and finding the one a member used."""

from sandbox.wire import JsonObject, as_object, objects_in

_DEFAULTS: dict[int, JsonObject] = {
    **{select: {"min_values": 1, "max_values": 1} for select in (3, 5, 6, 7, 8)},
    11: {"description": None, "spoiler": False},
    13: {"spoiler": False},
    14: {"divider": True, "spacing": 1},
    17: {"accent_color": None, "spoiler": False},
}
_ITEM_DEFAULTS: JsonObject = {"description": None, "spoiler": False}


def completed(components: list[JsonObject]) -> list[JsonObject]:
    """Copy components as Discord hands them out: ids given to those without, and defaults filled in."""
    taken = {number for part in walk(components) if (number := part.get("id"))}
    free = (number for number in range(1, 10_000) if number not in taken)

    def copied(part: JsonObject) -> JsonObject:
        fresh = {**_DEFAULTS.get(part["type"], {}), **part}
        if not fresh.get("id"):
            fresh["id"] = next(free)
        if "items" in fresh:
            fresh["items"] = [{**_ITEM_DEFAULTS, **item} for item in objects_in(fresh["items"])]
        if "components" in fresh:
            fresh["components"] = [copied(one) for one in objects_in(fresh["components"])]
        for name in ("accessory", "component"):
            if inner := as_object(fresh.get(name)):
                fresh[name] = copied(inner)
        return fresh

    return [copied(part) for part in components]


def walk(components: list[JsonObject]) -> list[JsonObject]:
    """List components with all that are inside them."""
    found: list[JsonObject] = []
    for part in components:
        inner = [one for name in ("accessory", "component") if (one := as_object(part.get(name)))]
        found += [part, *walk(inner + objects_in(part.get("components")))]
    return found


def find_custom(components: list[JsonObject], custom_id: str) -> JsonObject | None:
    """Find the component with a custom_id."""
    return next((part for part in walk(components) if part.get("custom_id") == custom_id), None)
