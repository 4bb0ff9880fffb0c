"""The router: the only way a button, a select or a modal reaches us.

It parses the custom_id, with no I/O, and hands the press to the handler of its kind through the guard. So every
press is answered, also one on a message of years ago or of a restored backup, and survives every restart.
"""

from collections.abc import Awaitable, Callable

import discord

from bot.core.refusals import NotOnTheTable
from bot.i18n import Words
from cogs.ui.guard import Guard, Interaction, Reply
from cogs.ui.ids import Press, PressId, parse

Handler = Callable[[Interaction, PressId, Words], Awaitable[Reply]]


class Router:
    """Handlers by kind of press; cogs register theirs."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._handlers: dict[Press, Handler] = {}

    @property
    def kinds(self) -> frozenset[Press]:
        """Return the kinds that have a handler."""
        return frozenset(self._handlers)

    def on(self, kind: Press, handler: Handler) -> None:
        """Register the handler of a kind; there is one for each."""
        if kind in self._handlers:
            raise ValueError(f"{kind} has a handler already")
        self._handlers[kind] = handler

    async def dispatch(self, interaction: Interaction) -> None:
        """Answer a press, whatever its id."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        data = interaction.data or {}
        press = parse(str(data.get("custom_id", "")))
        handler = self._handlers.get(press.kind) if press else None

        async def work(words: Words) -> Reply:
            if press is None or handler is None:
                raise NotOnTheTable(ended=False)
            return await handler(interaction, press, words)

        await self._guard.answer(interaction, work)
