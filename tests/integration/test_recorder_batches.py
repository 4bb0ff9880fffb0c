"""What shares a batch: faults found only by the commit, many turns, generations of a message, late answers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.core.cards import Outcome
from bot.core.quiz import Question, Quiz
from bot.core.refusals import NotOnTheTable, TooLate
from bot.core.round import Press, Turn, TurnState, close, reveal
from bot.core.scoring import FULL, ruling
from bot.ports import Posting, made_at
from bot.services.recorder import BATCH, Pressed, Recorder
from bot.store import messages, quizzes, responses, rounds, tables
from bot.store.database import Database, Tx, open_database
from bot.store.messages import MessageKind, NewMessage
from tests.support.fake_messenger import snowflake
from tests.support.held_clock import HeldClock
from tests.support.house import make_version

START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
GUILD, CHANNEL, HOST = 77, 700, 1
TOKEN = "AAAAAAAAAA"
SECONDS = 30
VERSION = make_version(key=(0,))
RIGHT, WRONG, WORSE = 0, 1, 2
"""Places; in this round the options are shown as they are written."""

Write = Callable[[Tx], Awaitable[Any]]


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def pressed(member: int, place: int, at: float, number: int = 1, message: int | None = None) -> Pressed:
    """Return a press made so long after `START`, on a private card unless a message is given."""
    interaction = snowflake(after(at))
    press = Press(member, interaction, made_at(interaction), frozenset({place}))
    channel = None if message is None else CHANNEL
    return Pressed(TOKEN, number, press, f"Member {member}", channel, message)


class Desk:
    """A recorder on a database with one round, whose turns are all open since `START`."""

    def __init__(self, database: Database, turns: list[Turn]) -> None:
        self.database = database
        self.turns = turns
        self.clock = HeldClock(START)
        self.commits = 0
        event.listen(database._writer.sync_engine, "commit", self._count)

    def _count(self, connection: Connection) -> None:
        self.commits += 1

    async def together(self, *asked: Pressed | Write) -> list[Any]:
        """Let presses and transitions arrive in this order before any is written; return what became of each."""
        recorder = Recorder(self.database, self.clock)
        waiting = [
            asyncio.create_task(recorder.respond(one) if isinstance(one, Pressed) else recorder.write(one))
            for one in asked
        ]
        recording = asyncio.create_task(recorder.run())  # begins after them
        became = await asyncio.gather(*waiting, return_exceptions=True)
        await recorder.close()
        await recording
        return became

    async def turn(self) -> Turn:
        async with self.database.reading() as tx:
            return (await rounds.read_turns(tx, 1))[0]

    async def posting(self) -> Posting:
        async with self.database.reading() as tx:
            return (await messages.find_newest(tx, MessageKind.QUESTION, [self.turns[0].id]))[
                self.turns[0].id
            ]

    async def answers(self) -> dict[tuple[int, int], str]:
        """Return what is stored, by turn's number and member."""
        query = select(tables.turns.c.number, tables.responses).join_from(tables.responses, tables.turns)
        async with self.database.reading() as tx:
            return {(row.number, row.member): row.answer for row in await tx.execute(query)}

    async def points(self) -> dict[int, int | None]:
        """Return the points of settled responses by member."""
        settled = select(tables.responses).where(tables.responses.c.settled_at.is_not(None))
        async with self.database.reading() as tx:
            return {row.member: row.points for row in await tx.execute(settled)}


async def begin(tx: Tx, turns: int) -> list[Turn]:
    quiz = Quiz("light", {"en": "Light"}, {}, "en", (), (Question("q1", VERSION),))
    saved = await quizzes.save_quiz(tx, None, quiz, "digest", START)
    (question,) = (await quizzes.quiz_questions(tx, [saved.quiz_id]))[saved.quiz_id]
    asked = rounds.NewTurn(question.id, question.version_id, (0, 1, 2, 3), SECONDS)
    round_id = await rounds.create_round(
        tx,
        token=TOKEN,
        guild=GUILD,
        channel_id=CHANNEL,
        host=HOST,
        titles=[quiz.title],
        language="en",
        seed=1,
        asked=[asked] * turns,
        now=START,
    )
    opened = {"state": TurnState.OPEN.value, "epoch": 1, "opened_at": START, "closes_at": after(SECONDS)}
    await tx.execute(update(tables.turns).values(opened))
    return await rounds.read_turns(tx, round_id)


@pytest.fixture
async def desk(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    database = await open_database(f"sqlite:///{tmp_path / 'etut.db'}")
    async with database.writing() as tx:
        turns = await begin(tx, getattr(request, "param", 2))
    yield Desk(database, turns)
    await database.close()


async def close_first(tx: Tx) -> None:
    turn = (await rounds.read_turns(tx, 1))[0]
    await rounds.write_turn(tx, close(turn, turn.epoch, after(SECONDS + 1.5)))


async def reveal_first(tx: Tx) -> None:
    turn = reveal((await rounds.read_turns(tx, 1))[0], after(SECONDS + 1.5))
    await rounds.write_turn(tx, turn)
    await responses.settle_turn(tx, turn, VERSION, ruling(VERSION), after(SECONDS + 1.5))


def claim(desk: Desk, at: float = 0) -> Write:
    """Claim the next generation of the first turn's message."""
    new = NewMessage(MessageKind.QUESTION, desk.turns[0].id, CHANNEL, "en", 1)
    return lambda tx: messages.claim(tx, new, "a nonce", after(at))


# --- faults and refusals


async def unfit_to_commit(tx: Tx) -> None:
    """Write what only the commit finds out to be wrong."""
    await tx.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    await tx.execute(insert(tables.participants).values(round_id=999, member=1, joined_at=START))


async def test_what_only_the_commit_finds_out_harms_no_other(desk: Desk) -> None:
    first, broken, second = await desk.together(pressed(1, RIGHT, 5), unfit_to_commit, pressed(2, WRONG, 5))
    assert isinstance(broken, IntegrityError)
    assert {first.decision.outcome, second.decision.outcome} == {Outcome.SAVED}
    assert await desk.answers() == {(1, 1): "0", (1, 2): "1"}
    (later,) = await desk.together(pressed(3, WORSE, 6))
    assert later.decision.outcome is Outcome.SAVED
    assert set(await desk.answers()) == {(1, 1), (1, 2), (1, 3)}


async def test_a_refusal_undoes_its_own_transition_and_costs_no_second_transaction(desk: Desk) -> None:
    async def close_and_refuse(tx: Tx) -> None:
        await close_first(tx)
        raise NotOnTheTable(ended=True)

    first, refused, second = await desk.together(pressed(1, RIGHT, 5), close_and_refuse, pressed(2, WRONG, 5))
    assert isinstance(refused, NotOnTheTable)
    assert {first.decision.outcome, second.decision.outcome} == {Outcome.SAVED}
    assert (await desk.turn()).state is TurnState.OPEN
    assert desk.commits == 1


# --- many turns


@pytest.mark.parametrize("desk", [BATCH], indirect=True)
async def test_a_batch_may_hold_as_many_turns_as_presses(desk: Desk) -> None:
    first = [pressed(1, WRONG, 5, number) for number in range(1, BATCH + 1)]
    became = await desk.together(*first)
    assert {one.decision.outcome for one in became} == {Outcome.SAVED}
    again = [pressed(1, number % 2, 6, number) for number in range(1, BATCH + 1)]
    became = await desk.together(*again)
    assert {one.decision.outcome for one in became} == {Outcome.SAME, Outcome.CHANGED}
    assert await desk.answers() == {(number, 1): str(number % 2) for number in range(1, BATCH + 1)}
    assert desk.commits == 2


# --- messages


async def test_a_slow_posts_new_deadline_holds_for_the_whole_batch(desk: Desk) -> None:
    await desk.together(claim(desk))
    message = snowflake(after(10))
    late, in_time, again = await desk.together(
        pressed(1, RIGHT, SECONDS + 11, message=message),
        pressed(2, RIGHT, SECONDS + 5, message=message),
        pressed(3, RIGHT, SECONDS + 10, message=message),
    )
    assert isinstance(late, TooLate)
    assert late.closed_at == after(10 + SECONDS)
    assert {in_time.decision.outcome, again.decision.outcome} == {Outcome.SAVED}
    turn = await desk.turn()
    assert (turn.closes_at, turn.epoch) == (after(10 + SECONDS), 2)
    assert in_time.turn.turn == turn


async def test_only_one_message_can_confirm_a_claim(desk: Desk) -> None:
    await desk.together(claim(desk))
    message, stray = snowflake(after(1)), snowflake(after(2))
    first, other = await desk.together(
        pressed(1, RIGHT, 5, message=message), pressed(2, RIGHT, 6, message=stray)
    )
    assert first.decision.outcome is Outcome.SAVED
    assert isinstance(other, NotOnTheTable)
    assert (await desk.posting()).message_id == first.turn.message.message_id == message


async def test_a_press_on_an_earlier_generation_counts_and_does_not_confirm_the_next(desk: Desk) -> None:
    (earlier,) = await desk.together(claim(desk))
    message = snowflake(after(1))
    await desk.together(lambda tx: messages.confirm(tx, earlier.id, message), claim(desk, at=3))
    (recorded,) = await desk.together(pressed(1, RIGHT, 5, message=message))
    assert recorded.decision.outcome is Outcome.SAVED
    posting = await desk.posting()
    assert (posting.generation, posting.message_id) == (2, None)


# --- after the reveal


async def test_an_answer_changed_in_time_and_delivered_after_the_reveal_gets_its_new_points(
    desk: Desk,
) -> None:
    desk.clock.set(after(SECONDS + 1.5))
    await desk.together(pressed(1, WRONG, 5), pressed(2, RIGHT, 20), close_first)
    assert await desk.points() == {}
    _, changed, older, fresh = await desk.together(
        reveal_first, pressed(1, RIGHT, 6), pressed(2, WRONG, 19), pressed(3, WRONG, SECONDS)
    )
    assert [one.decision.outcome for one in (changed, older, fresh)] == [
        Outcome.CHANGED,
        Outcome.KEPT,
        Outcome.SAVED,
    ]
    assert await desk.points() == {1: FULL, 2: FULL, 3: 0}


async def test_a_correction_holds_for_answers_delivered_after_it(desk: Desk) -> None:
    async def accept(tx: Tx) -> None:
        facts = {"guild": GUILD, "version_id": desk.turns[0].version_id, "member": HOST, "created_at": START}
        await tx.execute(insert(tables.corrections).values(**facts, kind="accept", options=[WRONG]))

    await desk.together(close_first, reveal_first, accept, pressed(1, WRONG, 5), pressed(2, WORSE, 5))
    assert await desk.points() == {1: FULL, 2: 0}
