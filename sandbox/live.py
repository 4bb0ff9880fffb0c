"""The pages' live sockets: each is told, as it happens, what its member may see, and nothing else."""

import asyncio

from aiohttp import WSCloseCode, web

from sandbox import views
from sandbox.acts import sees
from sandbox.events import (
    Event,
    InteractionChanged,
    InteractionCreated,
    MessageCreated,
    MessageDeleted,
    MessageEdited,
    WorldChanged,
)
from sandbox.hub import Hub
from sandbox.interactions import Interaction
from sandbox.wire import JsonObject, dump
from sandbox.world import Message, User

GOODBYE_S = 1.0
"""How long a page may take to answer a close."""

MOST_WAITING = 2000
"""Frames a page may lag behind before it is dropped; it then loads everything anew."""


class LiveSockets:
    """All open pages."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sockets: set[web.WebSocketResponse] = set()

    async def serve(self, request: web.Request, person: User) -> web.WebSocketResponse:
        """Tell one page what happens until it leaves."""
        socket = web.WebSocketResponse(heartbeat=30, timeout=GOODBYE_S)
        await socket.prepare(request)
        waiting: asyncio.Queue[JsonObject] = asyncio.Queue(MOST_WAITING)
        stop = self._hub.feed.listen(lambda event: self._hear(event, person, waiting))
        writer = asyncio.create_task(_write(waiting, socket))
        self._sockets.add(socket)
        try:
            async for _ in socket:
                pass
        finally:
            stop()
            writer.cancel()
            self._sockets.discard(socket)
        return socket

    async def close(self) -> None:
        """End every connection because the sandbox stops."""
        for socket in tuple(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    def _hear(self, event: Event, person: User, waiting: asyncio.Queue[JsonObject]) -> None:
        for frame in _frames(self._hub, event, person):
            if not waiting.full():
                waiting.put_nowait(frame)


async def _write(waiting: asyncio.Queue[JsonObject], socket: web.WebSocketResponse) -> None:
    try:
        # A full queue may have lost frames already, so its page must begin anew.
        while not waiting.full():
            await socket.send_str(dump(await waiting.get()).decode())
        await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
    except (ConnectionError, RuntimeError):
        return


def _frames(hub: Hub, event: Event, person: User) -> list[JsonObject]:
    match event:
        case MessageCreated(message):
            return _message_frame(hub, "message_create", message, person)
        case MessageEdited(message):
            return _message_frame(hub, "message_update", message, person)
        case MessageDeleted(message):
            gone = {"type": "message_delete", "id": str(message.id), "channel_id": str(message.channel_id)}
            return [gone] if sees(hub, person, message) else []
        case InteractionCreated(interaction):
            return _interaction_frames(hub, interaction, person)
        case InteractionChanged(interaction):
            return _interaction_frames(hub, interaction, person)
        case WorldChanged():
            return [{"type": "world"}]


def _message_frame(hub: Hub, kind: str, message: Message, person: User) -> list[JsonObject]:
    if not sees(hub, person, message):
        return []
    return [{"type": kind, "message": views.message(hub, message)}]


def _interaction_frames(hub: Hub, interaction: Interaction, person: User) -> list[JsonObject]:
    if interaction.user_id != person.id:
        return []
    frames = [views.interaction_frame(interaction)]
    if interaction.modal is not None:
        opened = {
            "type": "modal",
            "interaction_id": str(interaction.id),
            "modal": views.modal(hub, interaction.modal),
        }
        frames.append(opened)
    return frames
