"""People at a table: what members can do in Discord, done through the sandbox's documented control interface."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.reading import Json, button, menu, words

if TYPE_CHECKING:
    from tests.support.table import Table


@dataclass(frozen=True)
class Person:
    """Somebody in the guild."""

    table: "Table"
    id: str
    name: str

    async def slash(self, command: str, channel: str | None = None, **options: Any) -> Json:
        """Use a slash command; return the interaction once it is answered."""
        body = {"channel": channel or self.table.channel, "command": command, "options": options}
        return await self.table.act(self, "slash", body)

    async def autocomplete(self, command: str, focused: str, typed: str) -> list[Json]:
        """Type into an option; return the choices offered."""
        body = {"member": self.id, "channel": self.table.channel, "command": command}
        body |= {"options": {focused: typed}, "focused": focused}
        answer = await self.table.post("autocomplete", body)
        assert answer["state"] == "done"
        return answer["choices"]

    async def menu(self, channel: str | None = None) -> dict[str, Json]:
        """Return what this person's slash menu shows in a channel, by the names it shows."""
        where = {"member": self.id, "channel": channel or self.table.channel}
        return {one["name"]: one for one in await self.table.get("commands", **where)}

    async def press(self, message: Json, label: str, nth: int = 0) -> Json:
        """Press the button with this label on a message; return the interaction once it is answered."""
        return await self.table.act(self, "press", self._pressing(message, label, nth))

    async def press_blindly(self, message: Json, label: str) -> str:
        """Press a button and wait for nothing; return the interaction's id."""
        body = {"member": self.id, **self._pressing(message, label, 0)}
        return (await self.table.post("press", body))["interaction"]

    def _pressing(self, message: Json, label: str, nth: int) -> Json:
        return {"message": message["id"], "custom_id": button(message, label, nth)}

    async def select(self, message: Json, *labels: str) -> Json:
        """Choose in the select of a message, by what the options begin with."""
        select = menu(message)
        values = [
            next(option["value"] for option in select["options"] if option["label"].startswith(label))
            for label in labels
        ]
        body = {"message": message["id"], "custom_id": select["custom_id"], "values": values}
        return await self.table.act(self, "select", body)

    async def sees(self, channel: str | None = None) -> list[Json]:
        """Return the messages this person sees in a channel, oldest first."""
        where = {"member": self.id, "channel": channel or self.table.channel}
        return await self.table.get("messages", **where)

    async def says(self, channel: str | None = None) -> str:
        """Return all texts this person sees in a channel."""
        return "\n".join(words(message) for message in await self.sees(channel))
