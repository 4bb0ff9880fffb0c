"""Keeping a world in a folder and taking it up again. What lives only with its interaction, ephemeral
messages and tokens, is not kept.
"""

import asyncio
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from sandbox.events import Event, Feed
from sandbox.world import World

FILE = "world.json"
SAVE_AFTER_S = 1.0
_ADAPTER: TypeAdapter[World] = TypeAdapter(World)


class UnreadableWorld(Exception):
    """The folder holds a world that cannot be read."""


def load_world(folder: Path) -> World | None:
    """Read the world kept in a folder, or None if there is none; raises UnreadableWorld."""
    file = folder / FILE
    if not file.exists():
        return None
    try:
        return _ADAPTER.validate_json(file.read_bytes())
    except ValidationError as error:
        raise UnreadableWorld(f"{file} cannot be read; move it away to begin anew") from error


def save_world(world: World, folder: Path) -> None:
    """Write the world into a folder, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    public = {
        channel: {number: one for number, one in held.items() if one.ephemeral_for is None}
        for channel, held in world.messages.items()
    }
    unfinished = folder / f"{FILE}.new"
    unfinished.write_bytes(_ADAPTER.dump_json(replace(world, messages=public)))
    unfinished.replace(folder / FILE)


class Keeper:
    """Saves a world soon after each change."""

    def __init__(self, world: World, folder: Path, feed: Feed) -> None:
        self._world = world
        self._folder = folder
        self._due: asyncio.TimerHandle | None = None
        self._stop_listening = feed.listen(self._hear)

    def stop(self) -> None:
        """Save a last time."""
        self._stop_listening()
        self._save()

    def _hear(self, event: Event) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(SAVE_AFTER_S, self._save)

    def _save(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        save_world(self._world, self._folder)
