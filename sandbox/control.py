"""The control interface: acting as members and reading everything back, over HTTP below /control. The acts
themselves are elsewhere; docs/sandbox.md is the reference.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from typing import Any, TypeAlias

from aiohttp import web

from sandbox import acts, menu, views, world_actions
from sandbox.events import WorldChanged
from sandbox.faults import Fault
from sandbox.gateway import Gateway
from sandbox.hub import Hub
from sandbox.interactions import Interaction
from sandbox.live import LiveSockets
from sandbox.log import KEPT
from sandbox.permissions import Permission, in_channel
from sandbox.players import MOST_MINUTES, PACES, USUAL_MINUTES, Plan, Players, choose_players
from sandbox.refusals import Refusal
from sandbox.requests import Request
from sandbox.supervision import Supervision
from sandbox.wire import JsonObject, as_id, as_object, control_time, dump, load, parse_time

UNLOGGED = ("bot/state",)
"""What is asked every few seconds and would bury the log."""

MOST_WAIT_S = 10.0
"""Real seconds that a request waits at most for the bot."""

Reply: TypeAlias = Callable[[Request], Awaitable[Any]]


class Control:
    """The routes of the control interface."""

    def __init__(self, hub: Hub, gateway: Gateway, live: LiveSockets) -> None:
        self._hub = hub
        self._gateway = gateway
        self._live = live
        self._players = Players(hub)
        self._supervision = Supervision(hub)

    def add_routes(self, app: web.Application) -> None:
        """Serve the interface."""
        replies: list[tuple[str, str, Reply]] = [
            ("GET", "world", self._world),
            ("POST", "world", self._change_world),
            ("GET", "messages", self._messages),
            ("GET", "commands", self._commands),
            ("POST", "autocomplete", self._autocomplete),
            ("POST", "slash", self._slash),
            ("POST", "press", self._press),
            ("POST", "select", self._select),
            ("POST", "submit", self._submit),
            ("POST", "send", self._send),
            ("GET", "interactions/{interaction}", self._interaction),
            ("GET", "log", self._log),
            ("POST", "gateway", self._act_on_gateway),
            ("GET", "clock", self._clock),
            ("POST", "clock", self._move_clock),
            ("GET", "players", self._see_players),
            ("POST", "players", self._direct_players),
            ("GET", "bot", self._see_bot),
            ("POST", "bot", self._wish_bot),
            ("POST", "bot/state", self._hear_supervisor),
        ]
        for method, path, reply in replies:
            logged = method == "POST" and path not in UNLOGGED
            app.router.add_route(method, f"/control/{path}", self._framed(reply, logged))
        app.router.add_get("/control/live", self._open_live)
        app.router.add_route("*", "/control/{rest:.*}", self._framed(_nothing_here, logged=False))

    def close(self) -> None:
        """End what goes on by itself, because the sandbox stops."""
        self._players.stop()
        self._supervision.close()

    def _framed(self, reply: Reply, logged: bool) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            began = time.perf_counter()
            body: Any = None
            status = 200
            try:
                body = await _body(request)
                fields: JsonObject = {**request.query, **request.match_info, **body}
                answer = await reply(Request(self._hub, fields))
            except Fault as fault:
                status, answer = fault.status, {"error": fault.message}
            except Refusal as refusal:
                status, answer = 400, {"error": refusal.message, "discord": refusal.body()}
            if logged:
                elapsed_ms = (time.perf_counter() - began) * 1000
                self._hub.log.add(
                    "control", request.method, request.path_qs, body, status, answer, elapsed_ms
                )
            return web.Response(body=dump(answer), status=status, content_type="application/json")

        return handle

    async def _open_live(self, request: web.Request) -> web.StreamResponse:
        try:
            person = Request(self._hub, dict(request.query)).person()
        except Fault as fault:
            body = dump({"error": fault.message})
            return web.Response(body=body, status=fault.status, content_type="application/json")
        return await self._live.serve(request, person)

    async def _world(self, request: Request) -> JsonObject:
        return views.world(self._hub)

    async def _change_world(self, request: Request) -> JsonObject:
        return world_actions.carry_out(request)

    async def _messages(self, request: Request) -> list[JsonObject]:
        person = request.person()
        channel = request.channel_of(person)
        limit = max(1, int(request.number("limit", 100)))
        reads = in_channel(self._hub.world, channel, person.id) & Permission.READ_MESSAGE_HISTORY
        held = self._hub.world.messages_in(channel.id) if reads else []
        seen = [one for one in held if acts.sees(self._hub, person, one)]
        return [views.message(self._hub, one) for one in seen[-limit:]]

    async def _commands(self, request: Request) -> list[JsonObject]:
        person = request.person()
        found = menu.entries(self._hub, person, request.channel_of(person))
        described = [menu.describe(one, person.locale) for one in found]
        return sorted(described, key=lambda one: (one["type"], one["path"]))

    async def _autocomplete(self, request: Request) -> JsonObject:
        person = request.person()
        interaction = acts.autocomplete(
            self._hub,
            person,
            request.channel_of(person),
            request.text("command"),
            request.mapping("options"),
            request.text("focused"),
        )
        await _settled(interaction, MOST_WAIT_S)
        choices = [
            {"name": menu.localised(one, "name", person.locale), "value": one["value"]}
            for one in interaction.choices
        ]
        return {"choices": choices, "state": interaction.state}

    async def _slash(self, request: Request) -> JsonObject:
        person = request.person()
        interaction = acts.use_command(
            self._hub,
            person,
            request.channel_of(person),
            request.text("command"),
            request.mapping("options"),
            request.optional_id("target"),
        )
        return await self._begun(request, interaction)

    async def _press(self, request: Request) -> JsonObject:
        person, message = request.person(), request.message()
        return await self._begun(request, acts.press(self._hub, person, message, request.text("custom_id")))

    async def _select(self, request: Request) -> JsonObject:
        person, message = request.person(), request.message()
        values = request.items("values")
        return await self._begun(
            request, acts.select(self._hub, person, message, request.text("custom_id"), values)
        )

    async def _submit(self, request: Request) -> JsonObject:
        person, opener = request.person(), request.interaction()
        return await self._begun(request, acts.submit(self._hub, person, opener, request.mapping("values")))

    async def _begun(self, request: Request, interaction: Interaction) -> JsonObject:
        answer: JsonObject = {"interaction": str(interaction.id)}
        wait_s = min(MOST_WAIT_S, request.number("wait", 0))
        if wait_s > 0:
            await _settled(interaction, wait_s)
            answer["result"] = views.interaction(self._hub, interaction)
        return answer

    async def _send(self, request: Request) -> JsonObject:
        person = request.person()
        message = acts.write(self._hub, person, request.channel_of(person), request.text("content"))
        return views.message(self._hub, message)

    async def _interaction(self, request: Request) -> JsonObject:
        return views.interaction(self._hub, request.interaction())

    async def _log(self, request: Request) -> list[JsonObject]:
        after, limit = int(request.number("after", 0)), max(1, int(request.number("limit", KEPT)))
        return [asdict(one) for one in self._hub.log.entries(after, limit)]

    async def _act_on_gateway(self, request: Request) -> JsonObject:
        action = request.text("action")
        if action == "drop":
            await self._gateway.drop(resumable=True)
        elif action == "drop_no_resume":
            await self._gateway.drop(resumable=False)
        elif action == "invalid_session":
            await self._gateway.invalidate()
        elif action == "reconnect":
            await self._gateway.ask_to_reconnect()
        else:
            raise Fault(400, '"action" must be drop, drop_no_resume, invalid_session or reconnect')
        return {"done": action}

    async def _clock(self, request: Request) -> JsonObject:
        return {"held": self._hub.clock.held, "now": control_time(self._hub.clock.now())}

    async def _move_clock(self, request: Request) -> JsonObject:
        clock, action = self._hub.clock, request.text("action")
        try:
            if action == "hold":
                clock.hold()
            elif action == "release":
                clock.release()
            elif action == "advance" and "by" in request.fields:
                clock.advance(timedelta(seconds=request.number("by")))
            elif action in ("set", "advance"):
                clock.set(parse_time(request.text("to")))
            else:
                raise Fault(400, '"action" must be hold, advance, set or release')
        except (ValueError, OverflowError) as error:
            raise Fault(400, str(error)) from None
        # Pages count down by this clock, and would not hear of the new time if nothing else happened.
        self._hub.feed.publish(WorldChanged())
        return await self._clock(request)

    async def _see_players(self, request: Request) -> JsonObject:
        return self._players.view()

    async def _direct_players(self, request: Request) -> JsonObject:
        action = request.text("action")
        if action == "start":
            self._players.start(self._plan(request))
        elif action == "stop":
            self._players.stop()
        else:
            raise Fault(400, '"action" must be start or stop')
        return self._players.view()

    def _plan(self, request: Request) -> Plan:
        channel, pace = request.any_channel(), request.text("pace", "calm")
        if pace not in PACES:
            raise Fault(400, f'"pace" must be one of {", ".join(PACES)}')
        without = {as_id(one) or 0 for one in request.items("without", [])}
        count, minutes = int(request.number("count")), request.number("minutes", USUAL_MINUTES)
        if count < 1 or not 0 < minutes <= MOST_MINUTES:
            raise Fault(400, f'"count" must be at least 1, "minutes" more than 0 and at most {MOST_MINUTES}')
        players = choose_players(self._hub, channel, count, without)
        if not players:
            raise Fault(400, "Nobody who sees this channel is left to play; make members, or leave out fewer")
        seed = int(request.number("seed", secrets.randbelow(1 << 32)))
        return Plan(channel.id, players, pace, seed, self._hub.clock.now() + timedelta(minutes=minutes))

    async def _see_bot(self, request: Request) -> JsonObject:
        return self._supervision.view()

    async def _wish_bot(self, request: Request) -> JsonObject:
        self._supervision.wish(request.text("action"))
        return self._supervision.view()

    async def _hear_supervisor(self, request: Request) -> JsonObject:
        return await self._supervision.report(request.text("state"), request.number("wait", 0))


async def _nothing_here(request: Request) -> Any:
    raise Fault(404, "There is nothing here; docs/sandbox.md lists what there is")


async def _settled(interaction: Interaction, wait_s: float) -> None:
    try:
        await asyncio.wait_for(interaction.settled.wait(), wait_s)
    except TimeoutError:
        return


async def _body(request: web.Request) -> JsonObject:
    raw = await request.read()
    if not raw:
        return {}
    try:
        fields = as_object(load(raw))
    except ValueError:
        fields = None
    if fields is None:
        raise Fault(400, "The body must be a JSON object")
    return fields
