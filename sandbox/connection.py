"""One WebSocket of the gateway: Hello, heartbeats, limits, close codes (discord-facts §12). What a client is told after
it has identified itself is decided by the gateway.
"""

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from sandbox.hub import Hub
from sandbox.wire import JsonObject, as_list, as_object, dump, load

if TYPE_CHECKING:
    from sandbox.gateway import Gateway, Session

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT = 0, 1, 2, 3, 4, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 8, 9, 10, 11

HEARTBEAT_MS = 41_250
ACK_AFTER_S = 0.05
MOST_INCOMING_BYTES = 4096
MOST_INCOMING_A_MINUTE = 120

PRIVILEGED_INTENTS = 1 << 1 | 1 << 8 | 1 << 15
KNOWN_INTENTS = (1 << 26) - 1


class Closed(Exception):
    """The connection must be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Connection:
    """One WebSocket. What it sends is queued, so that telling it something never waits."""

    def __init__(
        self,
        hub: Hub,
        gateway: "Gateway",
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
    ) -> None:
        self._hub = hub
        self._gateway = gateway
        self._socket = socket
        self._transport = transport
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
        if self._transport:
            self._transport.abort()

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
            if not isinstance(message.data, (str, bytes)) or message.type not in (
                WSMsgType.TEXT,
                WSMsgType.BINARY,
            ):
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
            # Never at once: a client that notes its send only after the answer has come measures nonsense.
            ack: JsonObject = {"op": HEARTBEAT_ACK, "d": None}
            asyncio.get_running_loop().call_later(ACK_AFTER_S, self.send, ack)
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


_NAMES = {
    HEARTBEAT: "HEARTBEAT",
    IDENTIFY: "IDENTIFY",
    PRESENCE: "PRESENCE_UPDATE",
    VOICE: "VOICE_STATE_UPDATE",
    RESUME: "RESUME",
    RECONNECT: "RECONNECT",
    REQUEST_MEMBERS: "REQUEST_GUILD_MEMBERS",
    INVALID_SESSION: "INVALID_SESSION",
    HELLO: "HELLO",
    HEARTBEAT_ACK: "HEARTBEAT_ACK",
}


def _name_of(op: int) -> str:
    return _NAMES.get(op, "UNKNOWN")
