"""/help: what one can do here, in a few sentences, by what the member may do."""

from typing import TYPE_CHECKING

from discord import app_commands, ui
from discord.ext import commands

from bot.i18n import Words
from cogs.ui import ids, parts
from cogs.ui.guard import Interaction, Reply
from cogs.ui.naming import localised

if TYPE_CHECKING:
    from bot.client import Client


class HelpCog(commands.Cog):
    """The first thing somebody new looks for."""

    def __init__(self, client: "Client") -> None:
        self._guard = client.guard

    @app_commands.command(
        name=localised("command name", "help"),
        description=localised("command description", "What I can do, and where to begin"),
    )
    async def help(self, interaction: Interaction) -> None:
        """Say what one can do here."""

        async def work(words: Words) -> Reply:
            return _help(words, quizmaster=interaction.permissions.manage_events)

        await self._guard.answer(interaction, work)


def _help(words: Words, *, quizmaster: bool) -> Reply:
    lines = [
        words.gettext("## Etüt, the study quiz"),
        words.gettext(
            "A question appears in the channel; press the letter of your answer. "
            "Only you see what you chose, and you can change it until the time is up. "
            "Then everybody sees the right answer and why it is right."
        ),
        words.gettext(
            "After the last question the result appears. **My result** and **Review my mistakes** below it "
            "are for you alone."
        ),
    ]
    if quizmaster:
        lines.append(
            words.gettext(
                "You are a quizmaster: `/quiz start` begins a quiz in this channel, `/quiz stop` ends it early."
            )
        )
    else:
        lines.append(
            words.gettext("Quizzes are started by quizmasters: members with the right to manage events.")
        )
    see = parts.button(words.gettext("See the quizzes"), ids.make(ids.Press.QUIZZES, 0, ""), strong=True)
    return Reply(parts.finished([parts.text("\n".join(lines)), ui.ActionRow(see)]))


async def setup(client: "Client") -> None:
    """Add the cog."""
    await client.add_cog(HelpCog(client))
