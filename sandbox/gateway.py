"""The gateway: the bot's WebSocket with Hello, Identify, Ready, heartbeats and Resume (discord-facts §12). It decides who
hears an event and keeps what must be replayed; it changes nothing in the world."""

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import payloads, payloads_messages
from sandbox.changes import GUILDS_INTENT
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
from sandbox.wire import JsonObject, as_list, as_object, dump, load
from sandbox.world import Message

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT = 0, 1, 2, 3, 4, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 8, 9, 10, 11

HEARTBEAT_MS = 41_250
MOST_INCOMING_BYTES = 4096
MOST_INCOMING_A_MINUTE = 120
REPLAYED = 2000
SESSIONS_KEPT = 64

MESSAGES_INTENT, DIRECT_MESSAGES_INTENT = 1 << 9, 1 << 12
PRIVILEGED_INTENTS = 1 << 1 | 1 << 8 | 1 << 15
KNOWN_INTENTS = (1 << 26) - 1


@dataclass(eq=False, slots=True)
class Session:
    """What the gateway knows of one shard of one client, also while it is away."""

    id: str
    shard: int
    shards: int
    intents: int
    seq: int = 0
    sent: deque[tuple[int, JsonObject]] = field(default_factory=lambda: deque(maxlen=REPLAYED))
    connection: "Connection | None" = None
    left_at: datetime | None = None

    def hears(self, guild_id: int | None) -> bool:
        """Say whether a guild is on this shard; direct messages are on shard 0."""
        return self.shard == (0 if guild_id is None else (guild_id >> 22) % self.shards)


class Closed(Exception):
    """The connection must be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Gateway:
    """All sessions, and the connections they use."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        hub.feed.listen(self._hear)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Talk to one client until it leaves."""
        socket = web.WebSocketResponse(max_msg_size=1 << 20)
        await socket.prepare(request)
        connection = Connection(self._hub, self, socket)
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

    def identify(self, connection: "Connection", shard: int, shards: int, intents: int) -> None:
        """Begin a session and tell it what there is."""
        self._forget_old()
        session = Session(secrets.token_hex(16), shard, shards, intents, connection=connection)
        self._sessions[session.id] = session
        connection.session = session
        hub = self._hub
        guilds = [one for one in hub.world.guilds.values() if session.hears(one.id) and hub.world.bot_id in one.members]
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

    def resume(self, connection: "Connection", session_id: str, seq: int) -> None:
        """Take a session up again and replay what it missed, or say that it is over."""
        self._forget_old()
        session = self._sessions.get(session_id)
        missed = session is not None and seq < session.seq and (not session.sent or session.sent[0][0] > seq + 1)
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
        if message.ephemeral_for is not None or channel is None or not may_view(hub.world, channel, hub.world.bot_id):
            return
        if name == "MESSAGE_DELETE":
            data: JsonObject = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.guild_id is not None:
                data["guild_id"] = str(channel.guild_id)
        else:
            # Contents without the privileged intent: one's own, mentioning, and direct messages.
            mine = message.author_id == hub.world.bot_id or hub.world.bot_id in message.mentions
            data = payloads_messages.message_for_gateway(hub, message, mine or channel.guild_id is None)
        intent = DIRECT_MESSAGES_INTENT if channel.guild_id is None else MESSAGES_INTENT
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

    def _left(self, connection: "Connection") -> None:
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


class Connection:
    """One WebSocket. What it sends is queued, so that telling it something never waits."""

    def __init__(self, hub: Hub, gateway: Gateway, socket: web.WebSocketResponse) -> None:
        self._hub = hub
        self._gateway = gateway
        self._socket = socket
        self._queue: asyncio.Queue[JsonObject] = asyncio.Queue()
        self._received: deque[float] = deque(maxlen=MOST_INCOMING_A_MINUTE)
        self.session: Session | None = None

    def send(self, payload: JsonObject) -> None:
        """Send a payload after those before it."""
        self._queue.put_nowait(payload)

    async def run(self, version: str) -> None:
        """Greet the client and hear it until it leaves."""
        writer = asyncio.create_task(self._write())
        try:
            if version not in ("9", "10"):
                raise Closed(4012, "Invalid API version")
            self.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]}})
            await self._listen()
        except Closed as closed:
            await self._flush()
            await self.close(closed.code, str(closed))
        finally:
            writer.cancel()

    async def close(self, code: int, reason: str) -> None:
        """Close the connection with a code."""
        self._hub.log.add("gateway-out", "CLOSE", "", {"code": int(code), "reason": reason})
        await self._socket.close(code=code, message=reason.encode())

    async def cut(self) -> None:
        """Break the connection off without a word."""
        self._hub.log.add("gateway-out", "CUT", "")
        transport = self._socket._req.transport if self._socket._req else None  # noqa: SLF001
        if transport:
            transport.abort()

    async def _write(self) -> None:
        while True:
            payload = await self._queue.get()
            name = payload.get("t") or _name_of(payload["op"])
            self._hub.log.add("gateway-out", "OP " + str(payload["op"]), name, payload.get("d"))
            try:
                await self._socket.send_str(dump({"s": None, "t": None, **payload}).decode())
            except (ConnectionError, RuntimeError):
                return
            finally:
                self._queue.task_done()

    async def _flush(self) -> None:
        try:
            await asyncio.wait_for(self._queue.join(), timeout=2)
        except TimeoutError:
            return

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        patience_s = HEARTBEAT_MS / 1000 * 1.5
        heard_at = loop.time()
        while True:
            try:
                message = await self._socket.receive(timeout=max(0.01, heard_at + patience_s - loop.time()))
            except TimeoutError:
                raise Closed(4009, "Session timed out") from None
            if message.type is WSMsgType.CLOSE and message.data in (1000, 1001) and self.session:
                self._gateway.end(self.session)
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            if self._handle(message.data) == HEARTBEAT:
                heard_at = loop.time()

    def _handle(self, raw: str | bytes) -> int:
        size = len(raw.encode() if isinstance(raw, str) else raw)
        if size > MOST_INCOMING_BYTES:
            raise Closed(4002, "Payload too large")
        self._limit_rate()
        try:
            payload = as_object(load(raw))
        except ValueError:
            payload = None
        if payload is None or not isinstance(payload.get("op"), int):
            raise Closed(4002, "Error while decoding payload.")
        op: int = payload["op"]
        self._hub.log.add("gateway-in", "OP " + str(op), _name_of(op), payload.get("d"))
        if op == HEARTBEAT:
            self.send({"op": HEARTBEAT_ACK, "d": None})
        elif op == IDENTIFY:
            self._identify(as_object(payload.get("d")) or {})
        elif op == RESUME:
            self._resume(as_object(payload.get("d")) or {})
        elif op not in (PRESENCE, VOICE, REQUEST_MEMBERS):
            raise Closed(4001, "Unknown opcode")
        elif self.session is None:
            raise Closed(4003, "Not authenticated")
        return op

    def _limit_rate(self) -> None:
        now = asyncio.get_running_loop().time()
        if len(self._received) == MOST_INCOMING_A_MINUTE and now - self._received[0] < 60:
            raise Closed(4008, "Rate limited")
        self._received.append(now)

    def _identify(self, data: JsonObject) -> None:
        if self.session is not None:
            raise Closed(4005, "Already authenticated")
        self._check_token(data)
        shard = as_list(data.get("shard")) or [0, 1]
        if len(shard) != 2 or not all(isinstance(one, int) for one in shard) or not 0 <= shard[0] < shard[1]:
            raise Closed(4010, "Invalid shard")
        intents: Any = data.get("intents")
        if not isinstance(intents, int) or not 0 <= intents <= KNOWN_INTENTS:
            raise Closed(4013, "Invalid intent(s)")
        if intents & PRIVILEGED_INTENTS:
            raise Closed(4014, "Disallowed intent(s)")
        self._gateway.identify(self, shard[0], shard[1], intents)

    def _resume(self, data: JsonObject) -> None:
        if self.session is not None:
            raise Closed(4005, "Already authenticated")
        self._check_token(data)
        seq = data.get("seq")
        self._gateway.resume(self, str(data.get("session_id")), seq if isinstance(seq, int) else 0)

    def _check_token(self, data: JsonObject) -> None:
        if str(data.get("token", "")).removeprefix("Bot ") != self._hub.settings.token:
            raise Closed(4004, "Authentication failed")


_NAMES = dict(
    zip(
        (HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK),
        ("HEARTBEAT", "IDENTIFY", "PRESENCE_UPDATE", "VOICE_STATE_UPDATE", "RESUME", "RECONNECT", "REQUEST_GUILD_MEMBERS")
        + ("INVALID_SESSION", "HELLO", "HEARTBEAT_ACK"),
        strict=True,
    )
)


def _name_of(op: int) -> str:
    return _NAMES.get(op, "UNKNOWN")
