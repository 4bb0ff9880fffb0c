"""The guard: runs what answers an interaction, and sees to it that every interaction gets an answer.

Refusals become one sentence in the member's language, faults an apology with an incident id that stands in the log
too. If an answer takes longer than two seconds, it is deferred privately and filled in. Nothing is decided here.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import discord
from discord import ui

from bot.core import refusals
from bot.core.refusals import Refusal
from bot.i18n import Words, languages, words_for
from bot.ports import Clock
from cogs.ui.parts import finished

_log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

PATIENCE = timedelta(seconds=2)
"""How long an answer may take before it is deferred; Discord gives three seconds."""

_GONE = (10062, 40060, 10008, 10015, 50027)
"""Codes of an answer that comes too late, twice, or to what the member has dismissed."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A private answer; with `update` it takes the place of the private message that was pressed."""

    view: ui.LayoutView
    update: bool = False


def say(text: str) -> Reply:
    """Return a private answer of one text, which is ours: nothing in it is escaped."""
    return Reply(finished([ui.TextDisplay[ui.LayoutView](text)]))


def words_of(interaction: Interaction, default: str) -> Words:
    """Return the words for the private answers of a member: their own language, else the server's, else ours."""
    for locale in (interaction.locale, interaction.guild_locale):
        code = str(locale) if locale else ""
        if code in languages() or code.partition("-")[0] in languages():
            return words_for(code)
    return words_for(default)


class Guard:
    """Answers interactions."""

    def __init__(self, clock: Clock, default_language: str) -> None:
        self._clock = clock
        self.default_language = default_language
        self._running: set[asyncio.Task[None]] = set()

    @property
    def answering(self) -> int:
        """Tell how many answers are being made."""
        return len(self._running)

    async def answer(self, interaction: Interaction, work: Callable[[Words], Awaitable[Reply]]) -> None:
        """Answer an interaction with what the work returns, or with why it could not be done."""
        task = asyncio.create_task(self._answer(interaction, work), name=f"answer {interaction.id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for the answers under way, at most two seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=2)

    async def _answer(self, interaction: Interaction, work: Callable[[Words], Awaitable[Reply]]) -> None:
        words = words_of(interaction, self.default_language)
        making = asyncio.ensure_future(self._reply(interaction, work, words))
        patience = asyncio.ensure_future(self._clock.sleep_until(interaction.created_at + PATIENCE))
        await asyncio.wait({making, patience}, return_when=asyncio.FIRST_COMPLETED)
        patience.cancel()
        try:
            if making.done():
                await _send(interaction, making.result())
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            reply = await making
            await interaction.edit_original_response(
                view=reply.view, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as fault:
            if fault.code not in _GONE:
                _log.exception("an answer was refused (interaction %d)", interaction.id)
            else:
                _log.info("an answer came too late or twice (code %d)", fault.code)
        except Exception:
            _log.exception("an answer could not be sent (interaction %d)", interaction.id)
        finally:
            if not making.done():
                await asyncio.wait([making])

    async def _reply(
        self, interaction: Interaction, work: Callable[[Words], Awaitable[Reply]], words: Words
    ) -> Reply:
        try:
            return await work(words)
        except Refusal as refusal:
            return say(explain(refusal, words))
        except Exception:
            return self.incident(words, interaction)

    def incident(self, words: Words, interaction: Interaction) -> Reply:
        """Log the fault being handled under a new incident id; return the apology that names it."""
        incident = secrets.token_hex(4)
        _log.exception("incident %s (interaction %d)", incident, interaction.id)
        return say(
            words.gettext(
                "Something went wrong on my side. Nothing you had saved is lost. "
                "If it happens again, tell whoever runs this bot: incident {incident}.",
                incident=incident,
            )
        )


async def _send(interaction: Interaction, reply: Reply) -> None:
    if reply.update:
        await interaction.response.edit_message(
            view=reply.view, allowed_mentions=discord.AllowedMentions.none()
        )
    else:
        await interaction.response.send_message(
            view=reply.view, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
        )


def explain(refusal: Refusal, words: Words) -> str:
    """Return what a member reads in place of what they asked for: what is so, and what to do."""
    match refusal:
        case refusals.NoSuchQuiz(name=""):
            return words.gettext("This quiz is no longer here. /quiz list shows what there is.")
        case refusals.NoSuchQuiz(name=name):
            return words.gettext(
                "I know no quiz named “{name}”. Choose one from the list while you type, or see /quiz list.",
                name=words.isolate(discord.utils.escape_markdown(name[:80])),
            )
        case refusals.RoundOpen(link=link):
            return _linked(words.gettext("A quiz is already running in this channel."), link, words)
        case refusals.NothingToAsk(link=link):
            return _linked(
                words.gettext("Every question of this quiz is being asked in another channel right now."),
                link,
                words,
            )
        case refusals.EmptyQuiz():
            return words.gettext("This quiz has no questions yet.")
        case refusals.PermissionsMissing(channel=channel, permissions=permissions):
            return _permissions(channel, permissions, words)
        case refusals.WrongChannel(forum=True):
            return words.gettext(
                "A forum itself takes no messages. Open a post in it and start the quiz there."
            )
        case refusals.WrongChannel():
            return words.gettext("A quiz cannot be played here. Start it in a text channel of a server.")
        case refusals.NotAllowed():
            return words.gettext(
                "Only quizmasters may start a quiz here: members with the right to manage events."
            )
        case refusals.NoRound():
            return words.gettext("No quiz is running in this channel.")
        case refusals.NotHost():
            return words.gettext("Only whoever started this quiz, or a quizmaster, can stop it.")
        case refusals.NotOnTheTable(ended=True):
            return words.gettext("This quiz is over. Its result stands at the end of it.")
        case refusals.RoundRunning():
            return words.gettext("This quiz is still running. Its result comes at the end.")
        case refusals.Sealed():
            return words.gettext(
                "These questions are being asked in another quiz right now. Come back when it is over."
            )
        case refusals.NothingToReview(took_part=True):
            return words.gettext("You had everything right. There is nothing to review.")
        case refusals.NothingToReview():
            return words.gettext("You did not take part in this quiz, so there is nothing to review.")
        case refusals.ShuttingDown():
            return words.gettext("I am being restarted. Please try again in a few seconds.")
        case refusals.ChannelGone():
            return words.gettext("I cannot reach this channel any more.")
        case _:
            return words.gettext(
                "This button belongs to a message that is out of date. See /help for what you can do."
            )


def _linked(text: str, link: str | None, words: Words) -> str:
    # A masked link whose words are ours; the address leads into the same server.
    there = words.gettext("Go there")
    return text if link is None else f"{text} [{there}]({link})"


def _permissions(channel: int, missing: tuple[str, ...], words: Words) -> str:
    names = {
        "view_channel": words.pgettext("permission", "View Channel"),
        "send_messages": words.pgettext("permission", "Send Messages"),
        "send_messages_in_threads": words.pgettext("permission", "Send Messages in Threads"),
        "read_message_history": words.pgettext("permission", "Read Message History"),
    }
    lines = "\n".join(f"- {names.get(name, name)}" for name in missing or names)
    mention = f"<#{channel}>"
    text = words.gettext(
        "I may not hold a quiz in {channel}. Give me these permissions there, then start again:",
        channel=mention,
    )
    return f"{text}\n{lines}"
