"""Interactions as Discord delivers them, without a wire: payloads of presses, and what becomes of their answers.

Everything of discord.py runs but its HTTP: requests end here, are kept, and are answered as a test wants.
"""

import asyncio
import itertools
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from tests.support.reading import Json

BEGIN = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)
APPLICATION, GUILD, CHANNEL, MEMBER = 11, 22, 33, 44
PRIVATE = 64
"""The flag of a message that only one member sees."""
PATIENCE_S = 20.0
"""Real seconds after which an answer that does not come is a failure."""

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
SAID, DEFERRED, UPDATED = 4, 5, 7
"""Discord's callback types: a new message, "thinking", the pressed message drawn anew."""

_DISCORD = datetime(2015, 1, 1, tzinfo=UTC)
_count = itertools.count(1)


def snowflake(at: datetime) -> int:
    """Return a new id made at an instant."""
    return ((at - _DISCORD) // timedelta(milliseconds=1) << 22) | next(_count) % (1 << 22)


def user(number: int = MEMBER, name: str = "ada") -> Json:
    """Return a user as Discord describes one."""
    return {
        "id": str(number),
        "username": name,
        "discriminator": "0",
        "avatar": None,
        "global_name": name.title(),
    }


def message(number: int, *, flags: int = 0, nonce: str | None = None, components: Any = ()) -> Json:
    """Return a message of the bot."""
    return {
        "id": str(number),
        "channel_id": str(CHANNEL),
        "author": user(APPLICATION, "etut") | {"bot": True},
        "content": "",
        "timestamp": BEGIN.isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": flags,
        "components": list(components),
        **({"nonce": nonce} if nonce else {}),
    }


def interaction(
    kind: int,
    data: Json,
    *,
    at: datetime = BEGIN,
    member: int = MEMBER,
    guild: bool = True,
    locale: str = "en-US",
    permissions: discord.Permissions | None = None,
    pressed: Json | None = None,
) -> Json:
    """Return an interaction in a server's channel, or in a direct message."""
    who = user(member)
    rights = str((permissions or discord.Permissions.none()).value)
    payload: Json = {
        "id": str(snowflake(at)),
        "type": kind,
        "data": data,
        "token": f"token-{next(_count)}",
        "version": 1,
        "application_id": str(APPLICATION),
        "attachment_size_limit": 10_000_000,
        "app_permissions": "0",
        "locale": locale,
        "channel_id": str(CHANNEL),
        **({"message": pressed} if pressed else {}),
    }
    if not guild:
        return payload | {"user": who, "channel": {"id": str(CHANNEL), "type": 1, "recipients": [who]}}
    return payload | {
        "guild_id": str(GUILD),
        "guild": {"id": str(GUILD), "features": [], "locale": "en-US"},
        "guild_locale": "en-US",
        "channel": {"id": str(CHANNEL), "type": 0, "name": "quiz-night", "position": 0},
        "member": {
            "user": who,
            "roles": [],
            "joined_at": BEGIN.isoformat(),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": rights,
        },
    }


def press(custom_id: str, values: list[str] | None = None, *, on: Json | None = None, **where: Any) -> Json:
    """Return a press of a button, or a choice in a select, on a message of the bot."""
    data: Json = {"custom_id": custom_id, "component_type": 2 if values is None else 3}
    if values is not None:
        data["values"] = values
    return interaction(COMPONENT, data, pressed=on or message(snowflake(BEGIN)), **where)


def refusal(status: int, code: int = 0, text: str = "refused") -> discord.HTTPException:
    """Return what discord.py raises for a request that Discord refuses."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.DiscordServerError if status >= 500 else discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="refused")
    return kind(response, {"code": code, "message": text})


@dataclass(frozen=True)
class Sent:
    """A request to Discord."""

    method: str
    path: str
    body: Json

    @property
    def kind(self) -> int | None:
        """Return the callback type, where this is the first answer to an interaction."""
        return self.body.get("type") if self.path.endswith("/callback") else None

    @property
    def message(self) -> Json:
        """Return the message it carries; the first answer has it one level down."""
        return self.body.get("data") or {} if self.kind is not None else self.body


@dataclass
class Discord:
    """The far end of all requests: keeps them, and refuses those it is told to."""

    sent: list[Sent] = field(default_factory=list[Sent])
    refuse: deque[BaseException | None] = field(default_factory=deque[BaseException | None])
    """What happens to the next requests, one by one; None lets one pass."""
    made: list[int] = field(default_factory=list[int])
    """The ids of the messages that were sent to channels."""
    held: asyncio.Event | None = None
    """While it is there and not set, requests wait for their answer."""
    _unread: asyncio.Queue[Sent] = field(default_factory=asyncio.Queue[Sent])

    async def next(self) -> Sent:
        """Return the next request, once it is there."""
        return await asyncio.wait_for(self._unread.get(), PATIENCE_S)

    async def take(self, route: Route, body: Json) -> Any:
        """Take a request; return what Discord answers."""
        self.sent.append(Sent(route.method, route.url.removeprefix(Route.BASE), body))
        self._unread.put_nowait(self.sent[-1])
        if self.held is not None:
            await self.held.wait()
        if self.refuse and (fault := self.refuse.popleft()) is not None:
            raise fault
        if route.path.endswith("/callback"):
            return {"interaction": {"id": "1", "type": COMPONENT}}
        last = route.url.rpartition("/")[2]
        if last == "messages":
            self.made.append(snowflake(BEGIN))
            return message(self.made[-1], nonce=body.get("nonce"))
        return message(int(last) if last.isdecimal() else snowflake(BEGIN))


def connect(client: discord.Client, monkeypatch: pytest.MonkeyPatch) -> Discord:
    """Let everything that a client, and its interactions, send end in a `Discord`."""
    far = Discord()

    async def answer(
        _: object, route: Route, session: object, *, payload: Json | None = None, **__: Any
    ) -> Any:
        return await far.take(route, payload or {})

    async def request(route: Route, *, json: Json | None = None, **_: Any) -> Any:
        return await far.take(route, json or {})

    monkeypatch.setattr(AsyncWebhookAdapter, "request", answer)
    monkeypatch.setattr(client.http, "request", request)
    state: Any = client._connection
    itself: Any = user(APPLICATION, "etut") | {"bot": True}
    state.user = discord.ClientUser(state=state, data=itself)
    return far


def arrive(client: discord.Client, payload: Json) -> None:
    """Deliver an interaction as the gateway does."""
    client._connection.parse_interaction_create(payload)  # type: ignore[arg-type]


async def let_run() -> None:
    """Let everything that is ready to run do so, and what it starts."""
    for _ in range(50):
        await asyncio.sleep(0)
