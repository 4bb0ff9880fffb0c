"""The router and the guard with the real application behind them: whatever is pressed gets one private answer.

Interactions are built from payloads as the gateway delivers them; only Discord's end and the clock are replaced.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import app as house
from bot.app import App
from bot.client import EXTENSIONS
from bot.config import Settings
from bot.content.native import load_quizzes
from bot.core.refusals import NoRound
from bot.i18n import Words
from cogs.ui.guard import PATIENCE, Reply, say
from cogs.ui.ids import Press, make
from tests.support.held_clock import HeldClock
from tests.support.interactions import (
    AUTOCOMPLETE,
    BEGIN,
    CHANNEL,
    COMMAND,
    DEFERRED,
    GUILD,
    MODAL,
    PRIVATE,
    SAID,
    UPDATED,
    Discord,
    Json,
    Sent,
    arrive,
    connect,
    interaction,
    let_run,
    message,
    press,
    refusal,
    snowflake,
)
from tests.support.reading import words

QUIZMASTER = discord.Permissions(manage_events=True)
OUT_OF_DATE = "This button belongs to a message that is out of date. See /help for what you can do."
APOLOGY = re.compile(
    r"Something went wrong on my side\. Nothing you had saved is lost\. "
    r"If it happens again, tell whoever runs this bot: incident ([0-9a-f]{8})\."
)
QUIZ = """\
format: 1
id: {ref}
title: {ref}
language: en
questions:
  - id: single
    stem: What is it?
    options: [{{text: This, correct: true}}, {{text: That}}, {{text: Neither}}]
  - id: several
    type: multiple
    stem: What are they?
    options: [{{text: This, correct: true}}, {{text: That, correct: true}}, {{text: Neither}}]
"""


@dataclass
class Bot:
    """The application, its Discord and its clock."""

    app: App
    far: Discord
    clock: HeldClock

    async def answer(self, payload: Json) -> Sent:
        """Deliver an interaction; return its one answer."""
        before = len(self.far.sent)
        arrive(self.app.client, payload)
        sent = await self.far.next()
        await self.app.guard.close()
        assert len(self.far.sent) == before + 1
        return sent

    def begin(self, work: Callable[[Words], Awaitable[Reply]], **where: Any) -> asyncio.Task[None]:
        """Let the guard answer a press with a work of the test's own."""
        made = discord.Interaction(data=press("a1:x", **where), state=self.app.client._connection)  # type: ignore[arg-type]
        return asyncio.create_task(self.app.guard.answer(made, work))

    async def start_round(self) -> tuple[str, int]:
        """Start a round; return its token and the id of the first question's message."""
        found = await self.app.services.library.find(GUILD, "light")
        await self.app.services.rounds.start(GUILD, CHANNEL, 1, found, None, "en", ())
        posted = await self.far.next()
        custom_id = re.search(r"a1:([a-z2-7]{10}):1:0", str(posted.body))
        assert custom_id is not None
        return custom_id[1], self.far.made[-1]


@pytest_asyncio.fixture
async def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    for name in ("light", "shadow"):
        (tmp_path / f"{name}.yaml").write_text(QUIZ.format(ref=name), "utf-8")
    clock = HeldClock(BEGIN)
    app = await house.build(Settings(database_url=f"sqlite:///{tmp_path / 'etut.db'}"), clock)
    writing = asyncio.create_task(app.recorder.run())
    far = connect(app.client, monkeypatch)
    async with app.client:
        await app.services.library.load(load_quizzes([tmp_path]).quizzes)
        for extension in EXTENSIONS:
            await app.client.load_extension(extension)
        app.services.presence.arrive(0)
        yield Bot(app, far, clock)
        await app.counters.close()
        await app.guard.close()
        await app.scheduler.close()
        await app.recorder.close()
        await writing
    await app.database.close()


def told(sent: Sent) -> str:
    return words(sent.message)


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


# Every press is answered -----------------------------------------------------------------------------------------


async def test_every_kind_of_press_has_a_handler(bot: Bot) -> None:
    assert bot.app.client.router.kinds == frozenset(Press)


async def test_a_kind_has_only_one_handler(bot: Bot) -> None:
    async def handler(*_: object) -> Reply:
        return say("")

    with pytest.raises(ValueError, match="has a handler already"):
        bot.app.client.router.on(Press.ANSWER, handler)


PARTS = st.one_of(
    st.integers(0, 30).map(str),
    st.integers(-(10**30), 10**30).map(str),
    st.sampled_from(["", " ", "0", "00", "٣", "²", "1e3", "-1", "\0", "null", "TOKEN", "aaaaaaaaaa"]),
    st.text(max_size=20),
)
OURS = st.tuples(st.sampled_from(Press), st.lists(PARTS, max_size=5))
OF_A_ROUND = st.tuples(
    st.sampled_from(Press), st.lists(PARTS, max_size=3).map(lambda parts: ["TOKEN", *parts])
)
VALUES = st.none() | st.lists(st.sampled_from(["0", "1", "2"]) | PARTS, max_size=25)


@settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    custom_id=(OURS | OF_A_ROUND).map(lambda made: make(made[0], *made[1])) | st.text(max_size=100),
    values=VALUES,
    modal=st.booleans(),
    on_question=st.booleans(),
    private=st.booleans(),
    guild=st.booleans(),
    permissions=st.sampled_from([discord.Permissions.none(), QUIZMASTER]),
    locale=st.sampled_from(["en-US", "tr", "ja", "xx-YY"]),
)
async def test_whatever_is_pressed_is_answered_once_privately_and_without_a_fault(
    playing: tuple[Bot, str, int],
    caplog: pytest.LogCaptureFixture,
    custom_id: str,
    values: list[str] | None,
    modal: bool,
    on_question: bool,
    private: bool,
    guild: bool,
    permissions: discord.Permissions,
    locale: str,
) -> None:
    bot, token, question = playing
    caplog.clear()
    custom_id = custom_id.replace("TOKEN", token)[:100]
    on = message(question if on_question else snowflake(BEGIN), flags=PRIVATE if private else 0)
    where: Json = {"guild": guild, "permissions": permissions, "locale": locale}
    if modal:
        sent = await bot.answer(
            interaction(MODAL, {"custom_id": custom_id, "components": []}, pressed=on, **where)
        )
    else:
        sent = await bot.answer(press(custom_id, values, on=on, **where))
    assert sent.kind in (SAID, UPDATED)
    assert sent.kind == UPDATED or sent.message["flags"] & PRIVATE
    assert sent.message["allowed_mentions"]["parse"] == []
    assert told(sent)
    assert complaints(caplog) == []


@pytest_asyncio.fixture
async def playing(bot: Bot) -> tuple[Bot, str, int]:
    """A round whose first question is on the table."""
    return bot, *await bot.start_round()


async def test_the_walk_from_the_list_to_a_round(bot: Bot) -> None:
    listed = await bot.answer(press(make(Press.QUIZZES, 0, "")))
    assert "light" in told(listed)
    opened = re.findall(r"b1:\d+", str(listed.message))
    assert len(opened) == 2
    assert "g1:" not in str((await bot.answer(press(opened[0]))).message)  # not for whoever may not start
    card = await bot.answer(press(opened[0], permissions=QUIZMASTER))
    assert card.kind == UPDATED
    assert make(Press.START_QUIZ, opened[0][3:]) in str(card.message)


async def test_an_answer_is_recorded_and_changed(playing: tuple[Bot, str, int]) -> None:
    bot, token, question = playing
    on = message(question)
    assert told(await bot.answer(press(f"a1:{token}:1:1", on=on))).startswith("Saved: B")
    assert told(await bot.answer(press(f"a1:{token}:1:1", on=on))) == "Still B ✔"
    assert told(await bot.answer(press(f"a1:{token}:1:2", on=on))).startswith("Changed: B → C")


@pytest.mark.parametrize("guild", [True, False])
async def test_what_is_not_a_press_is_left_to_the_commands(bot: Bot, guild: bool) -> None:
    sent = await bot.answer(interaction(COMMAND, {"id": "1", "name": "help", "type": 1}, guild=guild))
    assert told(sent).startswith("## Etüt, the study quiz")


async def test_a_command_that_this_version_does_not_have_is_answered(
    bot: Bot, caplog: pytest.LogCaptureFixture
) -> None:
    sent = await bot.answer(interaction(COMMAND, {"id": "1", "name": "retired", "type": 1}))
    apology = APOLOGY.fullmatch(told(sent))
    assert apology is not None
    assert apology[1] in caplog.text


async def test_typing_into_a_command_that_this_version_does_not_have_offers_nothing(
    bot: Bot, caplog: pytest.LogCaptureFixture
) -> None:
    arrive(
        bot.app.client, interaction(AUTOCOMPLETE, {"id": "1", "name": "retired", "type": 1, "options": []})
    )
    await let_run()
    await bot.app.guard.close()
    assert bot.far.sent == []  # a message is no answer to it: Discord would refuse one
    assert complaints(caplog) == []


# Slow answers, faults, and answers Discord does not take ---------------------------------------------------------


async def test_an_answer_that_takes_two_seconds_is_deferred_privately_and_filled_in(bot: Bot) -> None:
    ready = asyncio.Event()

    async def slow(_: Words) -> Reply:
        await ready.wait()
        return say("At last.")

    answering = bot.begin(slow)
    await let_run()
    bot.clock.set(BEGIN + PATIENCE - timedelta(milliseconds=1))
    await let_run()
    assert bot.far.sent == []
    bot.clock.set(BEGIN + PATIENCE)
    deferred = await bot.far.next()
    assert deferred.kind == DEFERRED
    assert deferred.message["flags"] & PRIVATE
    ready.set()
    await answering
    filled = await bot.far.next()
    assert (filled.method, filled.path.rpartition("/")[2]) == ("PATCH", "@original")
    assert told(filled) == "At last."
    assert filled.message["allowed_mentions"]["parse"] == []
    assert len(bot.far.sent) == 2


async def test_two_seconds_count_from_the_press_not_from_its_arrival(bot: Bot) -> None:
    bot.clock.set(BEGIN + timedelta(seconds=5))  # delivered late, as after a break

    async def slow(_: Words) -> Reply:
        await let_run()
        return say("At last.")

    await bot.begin(slow)
    assert [sent.kind for sent in bot.far.sent] == [DEFERRED, None]


@pytest.mark.parametrize("slow", [False, True])
async def test_a_fault_is_answered_with_an_incident_that_stands_in_the_log(
    bot: Bot, caplog: pytest.LogCaptureFixture, slow: bool
) -> None:
    ready = asyncio.Event()

    async def fail(_: Words) -> Reply:
        if slow:
            await ready.wait()
        raise ZeroDivisionError("of the test")

    answering = bot.begin(fail)
    if slow:
        await let_run()
        bot.clock.set(BEGIN + PATIENCE)
        assert (await bot.far.next()).kind == DEFERRED
        ready.set()
    await answering
    apology = APOLOGY.fullmatch(told(await bot.far.next()))
    assert apology is not None
    (record,) = (one for one in caplog.records if one.levelno >= logging.ERROR)
    assert apology[1] in record.getMessage()
    assert record.exc_info is not None
    assert "ZeroDivisionError: of the test" in caplog.text


async def test_each_fault_has_an_incident_of_its_own_in_the_members_language(bot: Bot) -> None:
    async def fail(_: Words) -> Reply:
        raise ZeroDivisionError

    said: list[str] = []
    for _ in range(3):
        await bot.begin(fail, locale="tr")
        said.append(told(await bot.far.next()))
    assert all(re.search(r"[0-9a-f]{8}", one) and "went wrong" not in one for one in said)
    assert len(set(said)) == 3


async def test_a_refusal_is_said_in_the_members_language(bot: Bot, caplog: pytest.LogCaptureFixture) -> None:
    async def refuse(_: Words) -> Reply:
        raise NoRound

    for locale, sentence in [
        ("en-GB", "No quiz is running in this channel."),
        ("tr", "Bu kanalda süren bir quiz yok."),
        ("ja", "No quiz is running in this channel."),
    ]:
        await bot.begin(refuse, locale=locale)
        assert told(await bot.far.next()) == sentence
    assert complaints(caplog) == []


async def reply(_: Words) -> Reply:
    return say("Here.")


async def redraw(_: Words) -> Reply:
    return Reply(say("Here.").view, update=True)


GONE = [(404, 10062), (400, 40060), (404, 10008), (404, 10015), (401, 50027)]


@pytest.mark.parametrize(("status", "code"), GONE)
@pytest.mark.parametrize("work", [reply, redraw])
async def test_an_answer_that_comes_too_late_or_twice_is_one_line_in_the_log(
    bot: Bot,
    caplog: pytest.LogCaptureFixture,
    status: int,
    code: int,
    work: Callable[[Words], Awaitable[Reply]],
) -> None:
    bot.far.refuse.append(refusal(status, code))
    with caplog.at_level(logging.INFO):
        await bot.begin(work)
    lines = [record for record in caplog.records if record.name == "cogs.ui.guard"]
    assert [line.levelno for line in lines] == [logging.INFO]
    assert str(code) in lines[0].getMessage()
    assert complaints(caplog) == []


async def test_what_was_dismissed_before_it_was_filled_in_is_one_line_too(
    bot: Bot, caplog: pytest.LogCaptureFixture
) -> None:
    done = False

    async def slow(_: Words) -> Reply:
        nonlocal done
        await let_run()
        done = True
        return say("Here.")

    bot.clock.set(BEGIN + PATIENCE)
    for faults in ([None, refusal(404, 10008)], [refusal(404, 10062)]):
        done = False
        bot.far.refuse.extend(faults)
        await bot.begin(slow)
        assert done  # what was asked for is done all the same
    assert complaints(caplog) == []


@pytest.mark.parametrize("fault", [refusal(400, 50035), refusal(500), ConnectionResetError(), TimeoutError()])
async def test_an_answer_that_is_refused_for_another_reason_is_reported_and_harms_nothing(
    bot: Bot, caplog: pytest.LogCaptureFixture, fault: Exception
) -> None:
    bot.far.refuse.append(fault)
    await bot.begin(reply)
    (line,) = complaints(caplog)
    assert re.search(r"interaction \d+", line)
    await bot.begin(reply)
    assert told(bot.far.sent[-1]) == "Here."


async def test_an_answer_is_finished_although_nobody_waits_for_it(bot: Bot) -> None:
    ready = asyncio.Event()

    async def slow(_: Words) -> Reply:
        await ready.wait()
        return say("Here.")

    answering = bot.begin(slow)
    await let_run()
    answering.cancel()
    with suppress(asyncio.CancelledError):
        await answering
    assert bot.app.guard.answering == 1
    closing = asyncio.create_task(bot.app.guard.close())
    ready.set()
    await closing
    assert told(await bot.far.next()) == "Here."
    assert bot.app.guard.answering == 0
