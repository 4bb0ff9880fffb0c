"""The gateway's sessions: Ready, what each shard hears, and Resume with its replay (discord-facts §12). It changes
nothing in the world; the socket itself is in connection.py.
"""

import secrets
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from aiohttp import WSCloseCode, web

from sandbox import payloads, payloads_messages
from sandbox.changes import GUILDS_INTENT
from sandbox.connection import DISPATCH, INVALID_SESSION, RECONNECT, Closed, Connection
from sandbox.events import (
    Event,
    InteractionCreated,
    MessageCreated,
    MessageDeleted,
    MessageEdited,
    WorldChanged,
)
from sandbox.hub import Hub
from sandbox.permissions import may_view
from sandbox.wire import JsonObject
from sandbox.world import Message

GOODBYE_S = 1.0
REPLAYED = 2000
SESSIONS_KEPT = 64

MESSAGES_INTENT, DIRECT_MESSAGES_INTENT = 1 << 9, 1 << 12


@dataclass(eq=False, slots=True)
class Session:
    """What the gateway knows of one shard of one client, also while it is away."""

    id: str
    shard: int
    shards: int
    intents: int
    seq: int = 0
    sent: deque[tuple[int, JsonObject]] = field(default_factory=lambda: deque(maxlen=REPLAYED))
    connection: Connection | None = None
    left_at: datetime | None = None

    def hears(self, guild_id: int | None) -> bool:
        """Say whether a guild is on this shard; direct messages are on shard 0."""
        return self.shard == (0 if guild_id is None else (guild_id >> 22) % self.shards)


class Gateway:
    """All sessions, and the connections they use."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        hub.feed.listen(self._hear)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Talk to one client until it leaves."""
        socket = web.WebSocketResponse(timeout=GOODBYE_S, max_msg_size=1 << 20)
        await socket.prepare(request)
        connection = Connection(self._hub, self, socket, request.transport)
        self._connections.add(connection)
        try:
            await connection.run(request.query.get("v", "10"))
        finally:
            self._connections.discard(connection)
            self._left(connection)
        return socket

    async def drop(self, resumable: bool) -> None:
        """Cut every connection; without `resumable` the sessions are forgotten too."""
        if not resumable:
            self._sessions.clear()
        for connection in tuple(self._connections):
            await connection.cut()

    async def ask_to_reconnect(self) -> None:
        """Tell every client to connect again and resume (op 7)."""
        for connection in tuple(self._connections):
            connection.send({"op": RECONNECT, "d": None})

    async def invalidate(self) -> None:
        """Tell every client that its session is over and cannot be resumed (op 9 false)."""
        self._sessions.clear()
        for connection in tuple(self._connections):
            connection.session = None
            connection.send({"op": INVALID_SESSION, "d": False})
        self._tell_presence()

    async def close(self) -> None:
        """End every connection because the sandbox stops."""
        for connection in tuple(self._connections):
            await connection.close(WSCloseCode.GOING_AWAY, "The sandbox stops")

    def identify(self, connection: Connection, shard: int, shards: int, intents: int) -> None:
        """Begin a session and tell it what there is."""
        self._forget_old()
        session = Session(secrets.token_hex(16), shard, shards, intents, connection=connection)
        self._sessions[session.id] = session
        connection.session = session
        hub = self._hub
        guilds = [
            one
            for one in hub.world.guilds.values()
            if session.hears(one.id) and hub.world.bot_id in one.members
        ]
        self._dispatch(
            session,
            "READY",
            {
                "v": 10,
                "user": payloads.own_user(hub),
                "guilds": [{"id": str(one.id), "unavailable": True} for one in guilds],
                "session_id": session.id,
                "resume_gateway_url": hub.gateway_url,
                "shard": [shard, shards],
                "application": {"id": str(hub.world.bot_id), "flags": 0},
                "session_type": "normal",
                "private_channels": [],
                "relationships": [],
                "presences": [],
                "user_settings": {},
                "geo_ordered_rtc_regions": [],
            },
        )
        if intents & GUILDS_INTENT:
            for guild in guilds:
                self._dispatch(session, "GUILD_CREATE", payloads.guild_for_gateway(hub, guild))
        self._tell_presence()

    def resume(self, connection: Connection, session_id: str, seq: int) -> None:
        """Take a session up again and replay what it missed, or say that it is over."""
        self._forget_old()
        session = self._sessions.get(session_id)
        missed = (
            session is not None and seq < session.seq and (not session.sent or session.sent[0][0] > seq + 1)
        )
        if session is None or missed:
            connection.send({"op": INVALID_SESSION, "d": False})
            return
        if seq > session.seq:
            raise Closed(4007, "Invalid seq")
        session.connection = connection
        session.left_at = None
        connection.session = session
        for number, payload in session.sent:
            if number > seq:
                connection.send(payload)
        self._dispatch(session, "RESUMED", {})
        self._tell_presence()

    def end(self, session: Session) -> None:
        """Forget a session: its client said goodbye."""
        self._sessions.pop(session.id, None)

    def _hear(self, event: Event) -> None:
        hub = self._hub
        match event:
            case InteractionCreated(interaction, payload):
                self._tell_all("INTERACTION_CREATE", interaction.guild_id, payload)
            case MessageCreated(message):
                self._tell_message("MESSAGE_CREATE", message)
            case MessageEdited(message):
                self._tell_message("MESSAGE_UPDATE", message)
            case MessageDeleted(message):
                self._tell_message("MESSAGE_DELETE", message)
            case WorldChanged(name, guild_id, data, intent) if name is not None and data is not None:
                guild = hub.world.guilds.get(guild_id or 0)
                if guild is None or hub.world.bot_id in guild.members:
                    self._tell_all(name, guild_id, data, intent)
            case _:
                pass

    def _tell_message(self, name: str, message: Message) -> None:
        hub = self._hub
        channel = hub.world.channels.get(message.channel_id)
        if message.ephemeral_for is not None or channel is None:
            return
        intent = DIRECT_MESSAGES_INTENT if channel.guild_id is None else MESSAGES_INTENT
        wanted = any(session.intents & intent for session in self._sessions.values())
        if not wanted or not may_view(hub.world, channel, hub.world.bot_id):
            return
        if name == "MESSAGE_DELETE":
            data: JsonObject = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.guild_id is not None:
                data["guild_id"] = str(channel.guild_id)
        else:
            # Contents without the privileged intent: one's own, mentioning, and direct messages.
            mine = message.author_id == hub.world.bot_id or hub.world.bot_id in message.mentions
            data = payloads_messages.message_for_gateway(hub, message, mine or channel.guild_id is None)
        self._tell_all(name, channel.guild_id, data, intent)

    def _tell_all(self, name: str, guild_id: int | None, data: JsonObject, intent: int = 0) -> None:
        for session in self._sessions.values():
            if session.hears(guild_id) and (not intent or session.intents & intent):
                self._dispatch(session, name, data)

    def _dispatch(self, session: Session, name: str, data: JsonObject) -> None:
        session.seq += 1
        payload: JsonObject = {"op": DISPATCH, "s": session.seq, "t": name, "d": data}
        session.sent.append((session.seq, payload))
        if session.connection:
            session.connection.send(payload)

    def _left(self, connection: Connection) -> None:
        session = connection.session
        if session and session.connection is connection:
            session.connection = None
            session.left_at = self._hub.clock.now()
        self._tell_presence()

    def _tell_presence(self) -> None:
        online = any(session.connection for session in self._sessions.values())
        if online != self._hub.bot_online:
            self._hub.bot_online = online
            self._hub.feed.publish(WorldChanged())

    def _forget_old(self) -> None:
        oldest = self._hub.clock.now() - self._hub.settings.resume_window
        away = [one for one in self._sessions.values() if one.left_at is not None]
        surplus = away[: max(0, len(away) - SESSIONS_KEPT)]
        for session in away:
            if session in surplus or (session.left_at is not None and session.left_at < oldest):
                del self._sessions[session.id]
