"""What happens in the sandbox, told once to everybody who listens: the gateway (for the bot), the pages
(for the members) and the store (to save). An event says what happened and never what to do about it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sandbox.interactions import Interaction
from sandbox.wire import JsonObject
from sandbox.world import Message


@dataclass(frozen=True, slots=True)
class MessageCreated:
    """A message appeared."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A message looks different now."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message is gone."""

    message: Message


@dataclass(frozen=True, slots=True)
class InteractionCreated:
    """A member did something the bot must answer; `payload` is what the bot gets."""

    interaction: Interaction
    payload: JsonObject


@dataclass(frozen=True, slots=True)
class InteractionChanged:
    """An interaction was answered, or nobody answered in time."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class WorldChanged:
    """Something else changed; `name`, `data` and `intent` are those of the gateway's event, if the bot gets one."""

    name: str | None = None
    guild_id: int | None = None
    data: JsonObject | None = None
    intent: int = 0


Event: TypeAlias = (
    MessageCreated | MessageEdited | MessageDeleted | InteractionCreated | InteractionChanged | WorldChanged
)


class Feed:
    """Hands every event to every listener, at once and in order."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Event], None]] = []

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Add a listener; the answer takes it away again."""
        self._listeners.append(listener)

        def stop() -> None:
            self._listeners.remove(listener)

        return stop

    def publish(self, event: Event) -> None:
        """Tell everybody."""
        for listener in tuple(self._listeners):
            listener(event)
