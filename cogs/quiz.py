"""/quiz: start a live round, stop it, see which quizzes there are; and everything pressed on a round's messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.core.cards import Face
from bot.core.quiz import in_language
from bot.core.refusals import NotAllowed, NotOnTheTable, WrongChannel
from bot.core.round import MAX_QUESTIONS, Press
from bot.i18n import Words, words_for
from bot.services.library import Found
from bot.services.recorder import Pressed
from bot.services.rounds import Started
from cogs.ui import ids
from cogs.ui.guard import Interaction, Reply, say
from cogs.ui.ids import PressId
from cogs.ui.messenger import missing
from cogs.ui.naming import localised
from cogs.ui.parts import title
from cogs.ui.render import render

if TYPE_CHECKING:
    from bot.client import Client

LONGEST_CHOICE = 100
"""Characters of an autocomplete choice."""


@app_commands.guild_only()
class QuizCog(
    commands.GroupCog,
    group_name=localised("command name", "quiz"),
    group_description=localised("command description", "Play quizzes in this server"),
):
    """Live rounds."""

    def __init__(self, client: "Client") -> None:
        self._services = client.services
        self._guard = client.guard
        self._default_language = client.guard.default_language
        on = client.router.on
        on(ids.Press.ANSWER, self._answer)
        on(ids.Press.CHOOSE, self._choose)
        on(ids.Press.MARK, self._mark)
        on(ids.Press.SHOW_ANSWER, self._show_answer)
        on(ids.Press.MY_RESULT, self._my_result)
        on(ids.Press.MISTAKES, self._mistakes)
        on(ids.Press.QUIZZES, self._page)
        on(ids.Press.QUIZ, self._card)
        on(ids.Press.START_QUIZ, self._start_listed)
        super().__init__()

    # Commands.

    @app_commands.command(
        name=localised("command name", "start"),
        description=localised("command description", "Start a live quiz in this channel"),
    )
    @app_commands.rename(
        quiz=localised("option name", "quiz"), questions=localised("option name", "questions")
    )
    @app_commands.describe(
        quiz=localised("option description", "Which quiz: type a few letters of its title"),
        questions=localised("option description", "How many questions (10, or all if there are fewer)"),
    )
    async def start(
        self,
        interaction: Interaction,
        quiz: app_commands.Range[str, 1, 100],
        questions: app_commands.Range[int, 1, MAX_QUESTIONS] | None = None,
    ) -> None:
        """Start a live round in this channel."""

        async def work(words: Words) -> Reply:
            _check_start(interaction)
            found = await self._services.library.find(interaction.guild_id, quiz)
            return await self._begin(interaction, found, questions, words)

        await self._guard.answer(interaction, work)

    @start.autocomplete("quiz")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the quizzes that fit what has been typed."""
        language = str(interaction.locale).partition("-")[0]
        fitting = await self._services.library.suggest(interaction.guild_id, typed)
        return [
            app_commands.Choice(
                name=in_language(quiz.title, language, quiz.language)[:LONGEST_CHOICE], value=quiz.ref
            )
            for quiz in fitting
        ]

    @app_commands.command(
        name=localised("command name", "stop"),
        description=localised(
            "command description", "Stop the quiz in this channel and show the results so far"
        ),
    )
    async def stop(self, interaction: Interaction) -> None:
        """Stop the round of this channel."""

        async def work(words: Words) -> Reply:
            stopped = await self._services.rounds.stop(
                interaction.channel_id or 0,
                interaction.user.id,
                quizmaster=interaction.permissions.manage_events,
                at=interaction.created_at,
            )
            return say(
                words.gettext(
                    "Stopped: {title}. The results so far follow in the channel.",
                    title=title(stopped, words),
                )
            )

        await self._guard.answer(interaction, work)

    @app_commands.command(
        name=localised("command name", "list"),
        description=localised("command description", "See which quizzes there are"),
    )
    @app_commands.rename(search=localised("option name", "search"))
    @app_commands.describe(search=localised("option description", "Words of a title or topic"))
    async def list_(self, interaction: Interaction, search: app_commands.Range[str, 1, 60] = "") -> None:
        """Show the quizzes that this server sees."""

        async def work(words: Words) -> Reply:
            page = await self._services.library.page(interaction.guild_id, 0, search.replace(":", " "))
            return Reply(render(page, words))

        await self._guard.answer(interaction, work)

    async def _begin(
        self, interaction: Interaction, found: Found, questions: int | None, words: Words
    ) -> Reply:
        started = await self._services.rounds.start(
            interaction.guild_id or 0,
            interaction.channel_id or 0,
            interaction.user.id,
            found,
            questions,
            self._channel_language(interaction),
            _missing(interaction),
        )
        return say(_started(started, words))

    def _channel_language(self, interaction: Interaction) -> str:
        """Return the language of a server: its own, if it is a Community, else that of whoever starts.

        Outside Communities Discord always says American English, whatever the server speaks.
        """
        guild = interaction.guild
        community = guild is not None and "COMMUNITY" in guild.features
        locale = interaction.guild_locale if community else interaction.locale
        return words_for(str(locale or self._default_language)).language

    # Presses on an open question.

    async def _answer(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        token, number, place = _turn(press, 3)
        return await self._respond(interaction, token, number, frozenset({place}), words, public=True)

    async def _choose(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        token, number, _ = _turn(press, 2)
        card = await self._services.rounds.choice(
            interaction.guild_id, token, number, interaction.user.id, interaction.created_at
        )
        return Reply(render(card, words))

    async def _mark(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        token, number, _ = _turn(press, 2)
        values = cast("dict[str, Any]", interaction.data or {}).get("values", [])
        places = frozenset(int(value) for value in values if str(value).isdecimal())
        return await self._respond(interaction, token, number, places, words, public=False)

    async def _respond(
        self,
        interaction: Interaction,
        token: str,
        number: int,
        places: frozenset[int],
        words: Words,
        *,
        public: bool,
    ) -> Reply:
        message = interaction.message if public else None
        pressed = Pressed(
            token=token,
            number=number,
            press=Press(interaction.user.id, interaction.id, interaction.created_at, places),
            name=interaction.user.display_name,
            channel_id=interaction.channel_id if public else None,
            message_id=message.id if message else None,
        )
        return Reply(
            render(await self._services.rounds.respond(interaction.guild_id, pressed), words),
            update=not public,
        )

    # Presses on what is revealed.

    async def _show_answer(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        token, number, _ = _turn(press, 2)
        return Reply(render(await self._services.rounds.answer(token, number, interaction.user.id), words))

    async def _my_result(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        (token,) = press.parts[:1] or ("",)
        return Reply(render(await self._services.results.mine(token, interaction.user.id), words))

    async def _mistakes(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        token, page, face = _turn(press, 3)
        side = Face.WHY if face else Face.QUESTION
        card = await self._services.results.mistake(token, interaction.user.id, page, side)
        return Reply(render(card, words), update=_is_private(interaction))

    # The list.

    async def _page(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        page, search = _first(press), ":".join(press.parts[1:])
        card = await self._services.library.page(interaction.guild_id, page, search)
        return Reply(render(card, words), update=True)

    async def _card(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        may_start = interaction.permissions.manage_events
        card = await self._services.library.card(interaction.guild_id, _first(press), may_start=may_start)
        return Reply(render(card, words), update=True)

    async def _start_listed(self, interaction: Interaction, press: PressId, words: Words) -> Reply:
        _check_start(interaction)
        found = await self._services.library.by_id(interaction.guild_id, _first(press))
        return await self._begin(interaction, found, None, words)


def _check_start(interaction: Interaction) -> None:
    """Refuse who may not start a quiz, whatever Discord lets them see, and channels where none can be played."""
    channel = interaction.channel
    if isinstance(channel, discord.ForumChannel | discord.CategoryChannel) or interaction.guild_id is None:
        raise WrongChannel(forum=isinstance(channel, discord.ForumChannel))
    if not interaction.permissions.manage_events:
        raise NotAllowed


def _missing(interaction: Interaction) -> Sequence[str] | None:
    """Return what the bot lacks in this channel, as Discord has just told; None where it did not tell."""
    have = interaction.app_permissions
    return missing(have, thread=isinstance(interaction.channel, discord.Thread)) if have.value else None


def _started(started: Started, words: Words) -> str:
    lines = [
        words.ngettext(
            "Started: {title}, {count} question.",
            "Started: {title}, {count} questions.",
            started.questions,
            title=title(started.title, words),
        )
    ]
    if started.left_out:
        lines.append(
            words.ngettext(
                "{count} question is left out, since it is being asked in another channel now.",
                "{count} questions are left out, since they are being asked in another channel now.",
                started.left_out,
            )
        )
    if started.link:
        there = words.gettext("To the first question")
        lines.append(f"[{there}]({started.link})")
    return "\n".join(lines)


def _turn(press: PressId, parts: int) -> tuple[str, int, int]:
    """Return token, number and, where there are three parts, the place; refuse an id that lacks one."""
    if len(press.parts) != parts:
        raise NotOnTheTable(ended=False)
    return press.parts[0], _number(press.parts[1]), _number(press.parts[2]) if parts == 3 else 0


def _first(press: PressId) -> int:
    """Return the number that an id begins with; refuse an id without one."""
    return _number(press.parts[0] if press.parts else "")


def _number(part: str) -> int:
    if not part.isdecimal() or len(part) > 18:
        raise NotOnTheTable(ended=False)
    return int(part)


def _is_private(interaction: Interaction) -> bool:
    return interaction.message is not None and interaction.message.flags.ephemeral


async def setup(client: "Client") -> None:
    """Add the cog."""
    await client.add_cog(QuizCog(client))
