"""The composition root: settings → database → services → client. The only place that chooses implementations.

`build` makes the whole application and starts nothing; `serve` runs it until it is told to stop.
"""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import yarl
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import Client
from bot.clock import DiscordClock
from bot.config import Settings
from bot.content.native import load_quizzes, quiz_folders
from bot.ports import Clock
from bot.scheduler import Scheduler
from bot.services import Services
from bot.services.counters import Counters
from bot.services.display import Display
from bot.services.library import Library
from bot.services.notes import Notes
from bot.services.play import Play
from bot.services.postbox import Postbox
from bot.services.presence import Presence
from bot.services.recorder import Recorder
from bot.services.results import Results
from bot.services.rounds import Rounds
from bot.store.database import Database, DatabaseFault, open_database
from cogs.ui.guard import Guard
from cogs.ui.messenger import DiscordMessenger

_log = logging.getLogger(__name__)

CONNECTIONS = 300
"""Connections to Discord at once: about the presses a second at which it is still quick, times the round trip."""


@dataclass(frozen=True, slots=True)
class App:
    """Everything that runs, by name."""

    settings: Settings
    database: Database
    recorder: Recorder
    counters: Counters
    scheduler: Scheduler
    guard: Guard
    services: Services
    client: Client


class StartFault(Exception):
    """The bot cannot start; the message says why and what to do."""


async def build(settings: Settings, clock: Clock) -> App:
    """Build the application on a database that is opened, locked and migrated.

    Raises:
        StartFault, DatabaseFault: in words.
    """
    _point_at(settings)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Etüt never speaks
    database = await open_database(settings.database_url)
    recorder = Recorder(database, clock)
    guard = Guard(clock, settings.default_language)
    client = Client(guard, clock, _trace(clock), aiohttp.TCPConnector(limit=CONNECTIONS))
    messenger = DiscordMessenger(client, clock)
    notes = Notes(database, recorder)
    presence = Presence(notes, clock, client.shard_of)
    library = Library(database, recorder, clock)
    counters = Counters(clock)
    postbox = Postbox(database, recorder, messenger, clock)
    display = Display(database, postbox, messenger, library)
    play = Play(database, recorder, postbox, messenger, library, display, counters, presence, clock)

    async def tick() -> None:
        client.sample_shards()
        await presence.beat()

    scheduler = Scheduler(clock, play, tick)
    rounds = Rounds(database, recorder, library, scheduler, counters, presence, messenger, clock)
    services = Services(library, rounds, Results(database, library), presence, notes)
    client.services = services
    return App(settings, database, recorder, counters, scheduler, guard, services, client)


def _point_at(settings: Settings) -> None:
    """Send the library's requests where the settings say; they are class attributes there."""
    if settings.discord_api_base:
        Route.BASE = settings.discord_api_base
    if settings.discord_cdn_base:
        Asset.BASE = settings.discord_cdn_base  # pyright: ignore[reportAttributeAccessIssue] - typed as one literal


async def _keep_to(client: Client, settings: Settings) -> None:
    """With an API base set, open every connection at its own gateway, whatever address a session resumes at.

    A token for a test server must never reach Discord's own gateway: not after a refused session, either.

    Raises:
        StartFault: no gateway is set, and the server names Discord's.
    """
    if settings.discord_api_base is None:
        return
    if settings.discord_gateway_url:
        ours = yarl.URL(settings.discord_gateway_url)
    else:
        _, named, _ = await client.http.get_bot_gateway()
        ours = yarl.URL(named)
    if (ours.host or "").endswith((".discord.gg", ".discord.com")):
        raise StartFault(
            "DISCORD_API_BASE is set, and its gateway is Discord's own; set DISCORD_GATEWAY_URL too"
        )
    DiscordWebSocket.DEFAULT_GATEWAY = ours
    connect = client.http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        return await connect(str(ours.with_query(yarl.URL(url).query)), compress=compress)

    client.http.ws_connect = ws_connect


def _trace(clock: Clock) -> aiohttp.TraceConfig:
    """Set the real clock by the `Date` of Discord's answers, from the log-in on."""
    trace = aiohttp.TraceConfig()

    async def answered(
        session: aiohttp.ClientSession, context: Any, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        date = answer.response.headers.get("Date")
        if date is not None and isinstance(clock, DiscordClock):
            clock.set_by_date(date)

    trace.on_request_end.append(answered)
    return trace


async def serve(app: App) -> int:
    """Run the application until SIGINT, SIGTERM or a fault; return the exit status."""
    stopping = asyncio.Event()
    _on_signals(stopping)
    recording = asyncio.create_task(app.recorder.run(), name="recorder")
    running: list[asyncio.Task[Any]] = [recording]
    status = 0
    try:
        await _load_quizzes(app)
        await app.services.presence.start()
        running.append(asyncio.create_task(_schedule(app), name="scheduler"))
        running.append(asyncio.create_task(_login(app), name="client"))
        running.append(asyncio.create_task(stopping.wait(), name="stop signal"))
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            if fault := task.exception():
                raise fault
    except discord.LoginFailure:
        _log.error("Discord refuses the token; copy it anew from the developer portal into .env")
        status = 2
    finally:
        await _wind_down(app, running, recording)
    return status


async def _load_quizzes(app: App) -> None:
    folders = quiz_folders(app.settings.quiz_dir)
    loaded = await asyncio.to_thread(load_quizzes, folders)
    for fault in loaded.faults:
        _log.error("%s", fault)
    if not loaded.quizzes:
        raise StartFault("no quiz could be loaded; `python -m bot check` says what is wrong")
    await app.services.library.load(loaded.quizzes)


async def _login(app: App) -> None:
    token = app.settings.discord_token
    if token is None:
        raise StartFault("no DISCORD_TOKEN is set")
    async with app.client:
        await app.client.login(token.get_secret_value())
        await _keep_to(app.client, app.settings)
        await app.client.connect()


async def _schedule(app: App) -> None:
    await app.services.presence.connected.wait()
    # What is there now lives as long as the process: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    await app.scheduler.run()


async def _wind_down(app: App, running: list[asyncio.Task[Any]], recording: asyncio.Task[None]) -> None:
    """Stop taking new work, finish what was received, leave the rounds to be taken up again; within seconds."""
    for task in running:
        if task.get_name() == "scheduler":
            task.cancel()
    await app.counters.close()
    await app.guard.close()
    await app.scheduler.close()
    await app.recorder.close()
    await asyncio.wait([recording], timeout=2)
    if not app.client.is_closed():
        await _bounded(app.client.close())
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await app.database.close()


async def _bounded(work: Coroutine[Any, Any, None]) -> None:
    await asyncio.wait([asyncio.create_task(work)], timeout=1)


def _on_signals(stopping: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(name, stopping.set)
        except NotImplementedError:  # Windows
            signal.signal(name, lambda _signal, _frame: loop.call_soon_threadsafe(stopping.set) and None)


def run(settings: Settings) -> int:
    """Run the bot with the real clock; return the exit status."""
    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    logging.getLogger("discord").setLevel(
        max(logging.INFO, logging.getLevelNamesMapping()[settings.log_level])
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)
    gc.set_threshold(50_000, 50, 100)

    async def main() -> int:
        return await serve(await build(settings, DiscordClock()))

    try:
        if sys.platform == "win32":
            return asyncio.run(main())
        import uvloop

        return uvloop.run(main())
    except (StartFault, DatabaseFault) as fault:
        print(f"Etüt cannot start: {fault}", file=sys.stderr)
        return 2
