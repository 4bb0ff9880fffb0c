"""The discord.py client: what it subscribes to, what it does with interactions, and its commands at Discord.

It needs no privileged intent and keeps no members and no messages. What happens in a round is not its business: it
tells the app when the bot has come back, and the router what was pressed.
"""

import hashlib
import json
import logging
from datetime import datetime
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.ports import Clock
from bot.services import Services
from cogs.ui.guard import Guard, Interaction, Reply
from cogs.ui.naming import CatalogueTranslator
from cogs.ui.router import Router

_log = logging.getLogger(__name__)

EXTENSIONS = ("cogs.quiz", "cogs.help")

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
)
"""What the invite link asks for: what a live round needs, and nothing else."""


class Tree(app_commands.CommandTree["Client"]):
    """The commands; what their own guard did not answer is answered here."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a fault outside our own handlers, such as a command that Discord has in an old form."""

        async def work(_: object) -> Reply:
            raise error

        if interaction.type is discord.InteractionType.autocomplete:
            return  # no message answers it; the command itself, once sent, is answered
        if not interaction.response.is_done() and isinstance(interaction.client, Client):
            await interaction.client.guard.answer(interaction, work)


class Client(commands.AutoShardedBot):
    """The bot towards Discord. `services` are set by the app before it starts."""

    services: Services

    def __init__(
        self,
        guard: Guard,
        clock: Clock,
        trace: aiohttp.TraceConfig,
        connector: aiohttp.BaseConnector,
    ) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=trace,
            connector=connector,
        )
        self.guard = guard
        self.router = Router(guard)
        self.add_listener(self.router.dispatch, "on_interaction")
        self._clock = clock
        self._alive_at: dict[int, tuple[float, datetime]] = {}

    async def setup_hook(self) -> None:
        """Load the cogs and bring the commands at Discord up to date."""
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tree.set_translator(CatalogueTranslator())
        await self._sync_commands()

    async def _sync_commands(self) -> None:
        """Synchronise the commands if ours, or what Discord has, differs from the last time."""
        try:
            await self._sync_if_different()
        except Exception:
            # Old commands are better than no bot.
            _log.exception("the commands could not be synchronised")

    async def _sync_if_different(self) -> None:
        name = f"commands:{self.application_id}"
        ours = [
            await one.get_translated_payload(self.tree, CatalogueTranslator()) for one in self._commands()
        ]
        theirs = await self._fetch_commands()
        if await self.services.notes.read(name) == _digest([ours, theirs]):
            return
        await self.tree.sync()
        await self.services.notes.write(name, _digest([ours, await self._fetch_commands()]))
        _log.info("commands synchronised")

    def _commands(self) -> list[Any]:
        return sorted(self.tree.get_commands(), key=lambda one: one.name)

    async def _fetch_commands(self) -> list[Any]:
        fetched = await self.tree.fetch_commands()
        return sorted((one.to_dict() for one in fetched), key=lambda one: one["name"])

    async def on_interaction(self, interaction: Interaction) -> None:
        """Learn the time, and that the shard lives; the router listens for itself."""
        self._clock.observe(interaction.created_at)
        self._note_alive(self.shard_of(interaction.guild_id))

    # When the bot is away. A shard shows that it lives by events, and by heartbeats that are acknowledged.

    def sample_shards(self) -> None:
        """Look which shards have had a heartbeat acknowledged since the last look: their latency has changed."""
        for shard_id, shard in self.shards.items():
            seen = self._alive_at.get(shard_id)
            if not shard.is_closed() and (seen is None or seen[0] != shard.latency):
                self._alive_at[shard_id] = shard.latency, self._clock.now()

    def _note_alive(self, shard_id: int) -> None:
        latency, _ = self._alive_at.get(shard_id, (float("nan"), None))
        self._alive_at[shard_id] = latency, self._clock.now()

    def shard_of(self, guild_id: int | None) -> int:
        """Return the shard of a server; direct messages are shard 0's."""
        return ((guild_id or 0) >> 22) % (self.shard_count or 1)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Take note of a new session of a shard."""
        self._note_alive(shard_id)
        await self.services.rounds.came_back(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Take note of a session that goes on, after what it missed was delivered."""
        self._note_alive(shard_id)
        await self.services.rounds.came_back(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Take note of a lost connection; it was last alive some time before it was noticed."""
        _, since = self._alive_at.get(shard_id, (0.0, self._clock.now()))
        self.services.presence.leave(shard_id, since)

    async def on_ready(self) -> None:
        """Say where the bot is and how to invite it."""
        names = ", ".join(guild.name for guild in self.guilds[:20]) or "no server yet"
        _log.info("ready as %s in %d servers: %s", self.user, len(self.guilds), names)
        _log.info("invite it with %s", self.invite_link())

    def invite_link(self) -> str:
        """Return the link by which a server invites the bot, with the exact permissions."""
        return discord.utils.oauth_url(self.application_id or 0, permissions=PERMISSIONS)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log a fault in an event handler."""
        _log.exception("handling %s failed", event_method)


def _digest(facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
