"""The sandbox as one object: a loopback Discord with REST, gateway, files, page and control interface, on
127.0.0.1 only. It puts the parts together; tests use it in their own process, the command line in one of
its own.
"""

import errno
from pathlib import Path

from aiohttp import web

from sandbox import (
    http,
    page_files,
    rest_account,
    rest_commands,
    rest_guilds,
    rest_interactions,
    rest_messages,
)
from sandbox.clock import Clock
from sandbox.control import Control
from sandbox.gateway import Gateway
from sandbox.hub import Hub, Settings
from sandbox.keeping import Keeper, load_world
from sandbox.live import LiveSockets
from sandbox.start_world import study_hall
from sandbox.world import World

ADDRESS = "127.0.0.1"
SHUTDOWN_S = 1.0


class Sandbox:
    """A loopback Discord. Nothing is served before `start`."""

    def __init__(
        self,
        clock: Clock | None = None,
        world: World | None = None,
        settings: Settings | None = None,
        keep: Path | None = None,
    ) -> None:
        world = world or (load_world(keep) if keep else None) or study_hall()
        self.hub = Hub(world, clock or Clock(), settings or Settings())
        self._keep = keep
        self._keeper: Keeper | None = None
        self._gateway = Gateway(self.hub)
        self._live = LiveSockets(self.hub)
        self._runner: web.AppRunner | None = None
        self.port = 0

    @property
    def world(self) -> World:
        """Return everything there is."""
        return self.hub.world

    @property
    def clock(self) -> Clock:
        """Return the clock all times come from."""
        return self.hub.clock

    @property
    def url(self) -> str:
        """Return the page's address."""
        return self.hub.base_url + "/"

    @property
    def api_base(self) -> str:
        """Return the address REST requests begin with."""
        return self.hub.base_url + http.PREFIX

    @property
    def gateway_url(self) -> str:
        """Return the gateway's address."""
        return self.hub.gateway_url

    @property
    def cdn_base(self) -> str:
        """Return the address files are served below."""
        return self.hub.cdn_base

    async def start(self, port: int = 0) -> None:
        """Serve on a port of 127.0.0.1; 0, or a port that is taken, becomes a free one."""
        app = web.Application(
            middlewares=[page_files.guard], client_max_size=self.hub.settings.request_limit_bytes
        )
        for routes in (rest_account, rest_commands, rest_guilds, rest_interactions, rest_messages):
            http.add_routes(app, self.hub, routes.ROUTES)
        http.add_unknown_route(app, self.hub)
        app.router.add_get("/gateway", self._gateway.serve)
        app.router.add_get("/gateway/", self._gateway.serve)
        control = Control(self.hub, self._gateway, self._live)
        control.add_routes(app)
        page_files.add_routes(app, self.hub)

        async def close(app: web.Application) -> None:
            control.close()
            await self._gateway.close()
            await self._live.close()

        app.on_shutdown.append(close)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_S)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, ADDRESS, port).start()
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port == 0:
                raise
            await web.TCPSite(self._runner, ADDRESS, 0).start()
        self.port = int(self._runner.addresses[0][1])
        self.hub.base_url = f"http://{ADDRESS}:{self.port}"
        if self._keep:
            self._keeper = Keeper(self.hub.world, self._keep, self.hub.feed)

    async def stop(self) -> None:
        """Close every connection and, if the world is kept, save it."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None
        if self._keeper:
            self._keeper.stop()
            self._keeper = None
