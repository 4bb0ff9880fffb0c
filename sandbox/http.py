"""The frame around every REST request of the bot: token, body, refusals, log and headers, in one place.
What a route does is for the route's own module.
"""

import logging
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import BodyPartReader, web

from sandbox.hub import Hub
from sandbox.posts import Upload
from sandbox.refusals import Refusal, not_found, refuse, server_error, unauthorized
from sandbox.wire import JsonObject, as_id, as_object, dump, load

_logger = logging.getLogger(__name__)

PREFIX = "/api/v10"
_FILE_FIELD = re.compile(r"files\[(\d{1,2})\]")


@dataclass(slots=True)
class Call:
    """One request, read."""

    hub: Hub
    method: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any = None
    uploads: dict[int, Upload] = field(default_factory=dict[int, Upload])

    def id(self, name: str) -> int:
        """Read a snowflake of the path; raises 50035."""
        value = as_id(self.params[name])
        if value is None:
            message = f'Value "{self.params[name]}" is not snowflake.'
            tree: JsonObject = {name: {"_errors": [{"code": "NUMBER_TYPE_COERCE", "message": message}]}}
            raise Refusal(400, 50035, "Invalid Form Body", tree)
        return value

    def form(self) -> JsonObject:
        """Return the body as an object; raises 50035 if it is something else."""
        body = {} if self.body is None else as_object(self.body)
        if body is None:
            message = "Only dictionaries may be used in a DictType"
            errors = {"_errors": [{"code": "DICT_TYPE_CONVERT", "message": message}]}
            raise Refusal(400, 50035, "Invalid Form Body", errors)
        return body

    def flag(self, name: str) -> bool:
        """Read a yes or no of the query."""
        return self.query.get(name, "").lower() in ("1", "true")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a route answers with: a status and a JSON body, or none."""

    body: Any = None
    status: int = 200


NO_CONTENT = Answer(status=204)
Handler: TypeAlias = Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and path, who handles them, and whether the bot's token is asked for."""

    method: str
    path: str
    handler: Handler
    open: bool = False


def add_routes(app: web.Application, hub: Hub, routes: list[Route]) -> None:
    """Serve the routes."""
    for route in routes:
        app.router.add_route(route.method, PREFIX + route.path, _framed(hub, route))


def add_unknown_route(app: web.Application, hub: Hub) -> None:
    """Answer every other path as Discord does; call it after all routes are added."""
    missing = Route("*", "/{rest:.*}", _unknown, open=True)
    app.router.add_route("*", "/api/{rest:.*}", _framed(hub, missing))


async def _unknown(call: Call) -> Answer:
    raise not_found()


def _framed(hub: Hub, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        began = time.perf_counter()
        call = Call(hub, request.method, request.path, dict(request.match_info), dict(request.query))
        try:
            if not route.open and request.headers.get("Authorization") != f"Bot {hub.settings.token}":
                raise unauthorized()
            await _read_body(call, request)
            answer = await route.handler(call)
        except Refusal as refusal:
            answer = Answer(refusal.body(), refusal.status)
        except Exception:
            _logger.exception("The sandbox failed at %s %s", call.method, call.path)
            answer = Answer(server_error().body(), 500)
        response = _response(answer)
        response.headers.extend(_rate_limit_headers(call, answer))
        elapsed_ms = (time.perf_counter() - began) * 1000
        hub.log.add(
            "rest", call.method, request.path_qs, _logged_body(call), answer.status, answer.body, elapsed_ms
        )
        return response

    return handle


def _response(answer: Answer) -> web.Response:
    if answer.body is None:
        return web.Response(status=answer.status)
    # Client libraries parse an answer only when its type is exactly this, without a charset.
    return web.Response(body=dump(answer.body), status=answer.status, content_type="application/json")


def _rate_limit_headers(call: Call, answer: Answer) -> dict[str, str]:
    """Tell the client about its limits; there are none yet, and then Discord's headers are all left out."""
    return {}


async def _read_body(call: Call, request: web.Request) -> None:
    if not request.can_read_body:
        return
    if (request.content_length or 0) > call.hub.settings.request_limit_bytes:
        raise refuse(40005)
    if request.content_type == "multipart/form-data":
        await _read_multipart(call, request)
        return
    raw = await request.read()
    if raw:
        call.body = _json(raw)


async def _read_multipart(call: Call, request: web.Request) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read(decode=True))
        if part.name == "payload_json":
            call.body = _json(data)
        elif match := _FILE_FIELD.fullmatch(part.name or ""):
            if len(data) > call.hub.settings.attachment_limit_bytes:
                raise refuse(40005)
            call.uploads[int(match[1])] = Upload(part.filename or "file", data)


def _json(raw: bytes) -> Any:
    try:
        return load(raw)
    except ValueError:
        raise refuse(50109) from None


def _logged_body(call: Call) -> Any:
    if not call.uploads:
        return call.body
    files = {
        f"files[{index}]": f"{one.filename}, {len(one.data)} bytes" for index, one in call.uploads.items()
    }
    return {"payload_json": call.body, **files}
