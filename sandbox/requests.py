"""Reading requests to the control interface: who, where, what, each found or refused in words."""

import math
from typing import Any

from sandbox import changes
from sandbox.faults import Fault
from sandbox.hub import Hub
from sandbox.interactions import Interaction
from sandbox.permissions import may_view
from sandbox.wire import JsonObject, as_id, as_list, as_object
from sandbox.world import Channel, Guild, Message, Role, User


class Request:
    """The fields of one request, from its body or its query."""

    def __init__(self, hub: Hub, fields: JsonObject) -> None:
        self.hub = hub
        self.fields = fields

    def text(self, name: str, default: str | None = None) -> str:
        """Read a text; without a default it must be there."""
        value = self.fields.get(name, default)
        if not isinstance(value, str):
            raise Fault(400, f'"{name}" must be given, as text')
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Read a number, which may be written as text."""
        value = self.fields.get(name, default)
        try:
            number = float(value)  # pyright: ignore[reportArgumentType]
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise Fault(400, f'"{name}" must be given, as a number')
        return number

    def boolean(self, name: str, default: bool = False) -> bool:
        """Read true or false."""
        value = self.fields.get(name, default)
        if not isinstance(value, bool):
            raise Fault(400, f'"{name}" must be true or false')
        return value

    def items(self, name: str, default: list[Any] | None = None) -> list[Any]:
        """Read an array; without a default it must be there."""
        values = as_list(self.fields.get(name, default))
        if values is None:
            raise Fault(400, f'"{name}" must be given, as a list')
        return values

    def mapping(self, name: str) -> JsonObject:
        """Read an object; absent it is empty."""
        value = as_object(self.fields.get(name, {}))
        if value is None:
            raise Fault(400, f'"{name}" must be an object')
        return value

    def id(self, name: str) -> int:
        """Read an id."""
        value = as_id(self.fields.get(name))
        if value is None:
            raise Fault(400, f'"{name}" must be given, as an id')
        return value

    def optional_id(self, name: str) -> int | None:
        """Read an id, or None where there is none."""
        return None if self.fields.get(name) is None else self.id(name)

    def bits(self, name: str) -> int:
        """Read permission bits; absent they are 0."""
        return 0 if self.fields.get(name) is None else self.id(name)

    def person(self, name: str = "member") -> User:
        """Find the member who acts or looks: a person, not the bot."""
        found = self.hub.world.users.get(self.id(name))
        if found is None or found.bot:
            raise Fault(404, f'"{name}": there is no such member; see GET /control/world')
        return found

    def guild(self) -> Guild:
        """Find the guild; with only one there is no need to name it."""
        guilds = self.hub.world.guilds
        if "guild" not in self.fields and len(guilds) == 1:
            return next(iter(guilds.values()))
        found = guilds.get(self.id("guild"))
        if found is None:
            raise Fault(404, '"guild": there is no such guild; see GET /control/world')
        return found

    def any_channel(self) -> Channel:
        """Find a channel, whoever sees it."""
        found = self.hub.world.channels.get(self.id("channel"))
        if found is None:
            raise Fault(404, '"channel": there is no such channel; see GET /control/world')
        return found

    def channel_of(self, person: User) -> Channel:
        """Find a channel this member sees; "dm" is their conversation with the bot."""
        if self.fields.get("channel") == "dm":
            return changes.open_conversation(self.hub, person.id)
        found = self.any_channel()
        if not may_view(self.hub.world, found, person.id):
            raise Fault(400, f"{person.display_name} does not see this channel")
        return found

    def message(self) -> Message:
        """Find a message."""
        found = self.hub.world.find_message(self.id("message"))
        if found is None:
            raise Fault(404, '"message": there is no such message (any more)')
        return found

    def interaction(self, name: str = "interaction") -> Interaction:
        """Find an interaction."""
        found = self.hub.interactions.find(self.id(name))
        if found is None:
            raise Fault(404, f'"{name}": there is no such interaction')
        return found

    def roles(self, guild: Guild) -> list[int]:
        """Read roles of a guild; absent there are none."""
        wanted = [as_id(value) for value in as_list(self.fields.get("roles", [])) or []]
        if any(one not in guild.roles or one == guild.id for one in wanted):
            raise Fault(400, '"roles" must be a list of ids of roles of this guild')
        return [one for one in wanted if one is not None]

    def role(self, guild: Guild) -> Role:
        """Find a role."""
        found = guild.roles.get(self.id("role"))
        if found is None:
            raise Fault(404, '"role": there is no such role in this guild')
        return found
