"""Serving the page and the files of messages, and refusing visitors from elsewhere: only who was sent to this
very address is let in.
"""

from collections.abc import Awaitable, Callable
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from sandbox.hub import Hub

PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SHOWN_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(app: web.Application, hub: Hub) -> None:
    """Serve the page and the files, and put the guard and the date on everything."""

    async def file(request: web.Request) -> web.Response:
        return _file(hub, request)

    app.router.add_get("/", _page_file)
    app.router.add_get("/{name:[a-z0-9_-]+\\.(?:html|css|js|svg|png)}", _page_file)
    app.router.add_get("/cdn/{kind:attachments}/{channel:\\d+}/{file:\\d+}/{name}", file)
    app.router.add_get("/cdn/{kind:ephemeral-attachments}/{file:\\d+}/{name}", file)

    async def date(request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Date"] = format_datetime(hub.clock.now(), usegmt=True)

    app.on_response_prepare.append(date)


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse foreign Host and Origin headers on every path, so that no web page reaches the sandbox."""
    if _is_own(request):
        return await handler(request)
    return web.Response(status=403, text="This address is served to this machine only.\n")


def _is_own(request: web.Request) -> bool:
    host = request.headers.get("Host", "")
    sockname = request.transport.get_extra_info("sockname") if request.transport else None
    port = sockname[1] if sockname else None
    if host not in {name for own in _OWN_NAMES for name in (own, f"{own}:{port}")}:
        return False
    origin = request.headers.get("Origin")
    return origin is None or origin == f"http://{host}"


async def _page_file(request: web.Request) -> web.Response:
    path = PAGE / request.match_info.get("name", "index.html")
    if not path.is_file():
        return web.Response(status=404, text="There is no such page.\n")
    host = request.headers.get("Host", "")
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    headers = {
        "Content-Type": f"{_TYPES[path.suffix]}{'' if path.suffix == '.png' else '; charset=utf-8'}",
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
    return web.Response(body=path.read_bytes(), headers=headers)


def _file(hub: Hub, request: web.Request) -> web.Response:
    found = _find(hub, request)
    if found is None:
        return web.Response(status=404, text="There is no such file.\n")
    data, content_type = found
    inline = content_type in _SHOWN_INLINE
    name = quote(request.match_info["name"])
    headers = {
        "Content-Type": content_type if inline else "application/octet-stream",
        "Content-Disposition": f"{'inline' if inline else 'attachment'}; filename*=UTF-8''{name}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=data, headers=headers)


def _find(hub: Hub, request: web.Request) -> tuple[bytes, str] | None:
    file_id = int(request.match_info["file"])
    if request.match_info["kind"] == "ephemeral-attachments":
        data = hub.member_files.get(file_id)
        return None if data is None else (data, "application/octet-stream")
    for message in hub.world.messages_in(int(request.match_info["channel"])):
        for file in message.attachments:
            if file.id == file_id:
                return file.data, file.content_type
    return None
