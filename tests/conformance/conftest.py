"""What the conformance tests share: a sandbox with a held clock, and plain HTTP and WebSocket to talk to it.

Nothing here goes through the bot or its library: the tests hold the sandbox to discord-facts.md, line by line.
"""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import aiohttp
import pytest

from sandbox import Clock, Sandbox

TOKEN = "sandbox-token"
START = datetime(2026, 3, 1, 20, tzinfo=UTC)


class Wire:
    """A bot and a script in one: REST, gateway and control interface of one sandbox."""

    def __init__(self, sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
        self.sandbox = sandbox
        self.http = http
        self.base = f"http://127.0.0.1:{sandbox.port}"
        self.app = str(sandbox.world.bot_id)
        self.guild = ""
        self.members: dict[str, str] = {}
        self.channels: dict[str, str] = {}
        self.bot_role = ""

    async def learn(self) -> None:
        """Read names and ids."""
        guild = (await self.control("GET", "world"))["guilds"][0]
        self.guild = guild["id"]
        self.members = {one["name"]: one["id"] for one in guild["members"]}
        self.channels = {one["name"]: one["id"] for one in guild["channels"]}
        self.bot_role = next(one["id"] for one in guild["roles"] if one["name"] == "Etüt")

    async def call(self, method, path, body=None, *, files=None, token=TOKEN, headers=None):
        """Make a request as the bot; returns status, body and headers."""
        sent = dict(headers or {})
        if token:
            sent["Authorization"] = f"Bot {token}"
        options = {"json": body} if body is not None else {}
        if files is not None:
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps(body or {}), content_type="application/json")
            for index, (name, data) in enumerate(files):
                form.add_field(
                    f"files[{index}]", data, filename=name, content_type="application/octet-stream"
                )
            options = {"data": form}
        url = f"{self.base}/api/v10{path}"
        async with self.http.request(method, url, headers=sent, **options) as response:
            raw = await response.read()
            return SimpleNamespace(
                status=response.status, body=json.loads(raw) if raw else None, headers=response.headers
            )

    async def control(self, method, path, expect=200, **fields):
        """Use the control interface."""
        options = {"params": fields} if method == "GET" else {"json": fields}
        async with self.http.request(method, f"{self.base}/control/{path}", **options) as response:
            body = await response.json()
            assert response.status == expect, body
            return body

    async def gateway(self, **options):
        """Open a gateway connection and read Hello."""
        return await Gateway.open(self, **options)

    async def send(self, body, channel="general"):
        """Send a message as the bot into a channel named so."""
        return await self.call("POST", f"/channels/{self.channels[channel]}/messages", body)

    async def commands(self, *commands):
        """Register global commands."""
        return await self.call("PUT", f"/applications/{self.app}/commands", list(commands))

    async def slash(self, member="Ada", channel="general", command="ping", **options):
        """Use a command as a member; returns the interaction as the bot gets it."""
        if not (await self.call("GET", f"/applications/{self.app}/commands")).body:
            await self.commands(PING)
        gateway = await self.gateway()
        await gateway.ready()
        await self.control(
            "POST",
            "slash",
            member=self.members[member],
            channel=self.channels[channel],
            command=command,
            options=options,
        )
        event = await gateway.event("INTERACTION_CREATE")
        await gateway.close()
        return event

    async def press(self, message_id, custom_id, member="Ada", values=None):
        """Press a button or choose in a select; returns the interaction as the bot gets it."""
        gateway = await self.gateway()
        await gateway.ready()
        act = "press" if values is None else "select"
        fields = {"member": self.members[member], "message": message_id, "custom_id": custom_id}
        await self.control("POST", act, **fields, **({} if values is None else {"values": values}))
        event = await gateway.event("INTERACTION_CREATE")
        await gateway.close()
        return event

    async def answer(self, interaction, kind, data=None, *, files=None, with_response=False):
        """Give the first answer to an interaction."""
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        query = "?with_response=true" if with_response else ""
        return await self.call("POST", path + query, body, files=files, token=None)

    async def webhook(self, method, interaction, tail="", body=None, *, files=None):
        """Use the webhook behind an interaction's token."""
        path = f"/webhooks/{self.app}/{interaction['token']}{tail}"
        return await self.call(method, path, body, files=files, token=None)

    async def seen(self, member="Ada", channel="general"):
        """List what a member sees in a channel."""
        fields = {"member": self.members[member], "channel": self.channels.get(channel, channel)}
        return await self.control("GET", "messages", **fields)

    async def overwrite(self, channel, target, allow=0, deny=0):
        """Set an overwrite of a channel."""
        fields = {"action": "set_overwrite", "channel": self.channels[channel], "target": target}
        await self.control("POST", "world", **fields, allow=str(allow), deny=str(deny))

    async def pass_time(self, seconds):
        """Move the held clock forward."""
        await self.control("POST", "clock", action="advance", by=seconds)


class Gateway:
    """One gateway connection."""

    def __init__(self, wire: Wire, socket) -> None:
        self._wire = wire
        self.socket = socket
        self.hello: dict = {}
        self.seq = 0

    @classmethod
    async def open(cls, wire, version=10):
        """Connect and read Hello."""
        url = f"{wire.base.replace('http', 'ws')}/gateway/?v={version}&encoding=json&compress=zlib-stream"
        gateway = cls(wire, await wire.http.ws_connect(url))
        wire.open_sockets.append(gateway)
        if version == 10:
            gateway.hello = await gateway.read()
        return gateway

    async def read(self):
        """Read one payload."""
        payload = await self.socket.receive_json(timeout=5)
        self.seq = payload["s"] or self.seq
        return payload

    async def write(self, op, data):
        """Send one payload."""
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, **changes):
        """Identify as the bot."""
        data = {"token": TOKEN, "intents": 1, "properties": {"os": "x", "browser": "x", "device": "x"}}
        await self.write(2, {**data, **changes})

    async def ready(self, **changes):
        """Identify, and read READY."""
        await self.identify(**changes)
        return await self.event("READY")

    async def event(self, name):
        """Read on to an event of this name."""
        for _ in range(1000):
            payload = await self.read()
            if payload["t"] == name:
                return payload["d"]
        raise AssertionError(f"{name} never came")

    async def closing(self):
        """Read on to the close; returns its code."""
        for _ in range(1000):
            message = await self.socket.receive(timeout=5)
            if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
                return self.socket.close_code
        raise AssertionError("the socket stayed open")

    async def close(self, code=1000):
        """Say goodbye."""
        await self.socket.close(code=code)


PING = {"name": "ping", "description": "Ping"}


def field_errors(body, *path):
    """Return the codes of the faults that a 50035 names for a field."""
    node = body["errors"]
    for step in path:
        node = node[step]
    return [one["code"] for one in node["_errors"]]


@pytest.fixture
async def wire():
    """A sandbox with the clock held, and everything to talk to it."""
    sandbox = Sandbox(clock=Clock(held_at=START))
    await sandbox.start()
    async with aiohttp.ClientSession() as http:
        made = Wire(sandbox, http)
        made.open_sockets = []
        await made.learn()
        yield made
        for gateway in made.open_sockets:
            await gateway.close()
    await sandbox.stop()


@pytest.fixture
def fields():
    """The reader of a 50035's tree."""
    return field_errors


@pytest.fixture
def start():
    """The instant at which the clock is held."""
    return START
