"""What a message offers to somebody who plays along without knowing the bot: options to choose among, a list to choose
from, or one button that stands out. It reads components and knows nothing of their meaning.
"""

from dataclasses import dataclass
from enum import Enum
from random import Random

from sandbox.component_tree import walk
from sandbox.rules_components import Part
from sandbox.wire import JsonObject, as_object, objects_in
from sandbox.world import Message

PRIMARY = 1


class Way(Enum):
    """How one plays along."""

    OPTIONS = "press one of several options"
    LIST = "choose in a select"
    BUTTON = "press the one button that stands out"


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done with a message now."""

    way: Way
    components: tuple[JsonObject, ...]

    @property
    def custom_ids(self) -> tuple[str, ...]:
        """Tell the custom_ids of what is offered: as long as they stay the same, it is the same offer."""
        return tuple(str(part["custom_id"]) for part in self.components)


def find_offer(message: Message) -> Offer | None:
    """Read what a message offers; None where there is nothing to press.

    Options are buttons beside texts, at least two of them. Without those it is the first select of texts, else the
    first primary button.
    """
    parts = walk(message.components)
    beside = [as_object(part.get("accessory")) for part in parts if part["type"] == Part.SECTION]
    options = [part for part in beside if part is not None and _can_be_pressed(part)]
    if len(options) > 1:
        return Offer(Way.OPTIONS, tuple(options))
    for part in parts:
        if part["type"] == Part.STRING_SELECT and not part.get("disabled"):
            return Offer(Way.LIST, (part,))
    for part in parts:
        if _can_be_pressed(part) and part.get("style") == PRIMARY:
            return Offer(Way.BUTTON, (part,))
    return None


def some_values(select: JsonObject, random: Random) -> list[str]:
    """Choose in a select at random: as many values as it takes, and at least one."""
    values = [str(option["value"]) for option in objects_in(select.get("options"))]
    least = max(1, int(select.get("min_values") or 1))
    most = min(len(values), int(select.get("max_values") or 1))
    chosen = random.sample(values, random.randint(min(least, most), most))
    return [value for value in values if value in chosen]


def _can_be_pressed(part: JsonObject) -> bool:
    return part["type"] == Part.BUTTON and "custom_id" in part and not part.get("disabled")
