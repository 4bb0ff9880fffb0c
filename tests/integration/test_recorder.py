"""The recorder: one order for presses and transitions, group commit, and no answer without a commit."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from bot.core.cards import LateCard, Outcome, Receipt
from bot.core.quiz import Kind
from bot.core.refusals import NotOnTheTable, ShuttingDown, TooLate
from bot.core.round import Turn
from bot.services.recorder import BATCH, Pressed, Recorded, Recorder
from bot.store import people, responses, rounds
from bot.store.database import Tx
from tests.support.fake_messenger import FakeMessenger, Message, snowflake
from tests.support.held_clock import HeldClock
from tests.support.house import (
    BEGIN,
    CHANNEL,
    House,
    make_quiz,
    make_version,
    open_house,
    place_of,
    question_of,
)

CROWD = range(1_000, 1_150)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    clock = HeldClock(BEGIN)
    house = await open_house(tmp_path / "etut.db", clock, FakeMessenger(clock))
    await house.start(
        make_quiz(), make_quiz("several", make_version("Which?", kind=Kind.MULTIPLE, key=(0, 1)))
    )
    yield house
    await house.close()


@pytest.fixture
async def question(house: House) -> Message:
    """A question that has been open for five seconds; its time is 20 s."""
    await house.begin()
    await house.advance(5)
    return house.messenger.questions(1)[0]


class Commits:
    """How many writing transactions are committed, from now on."""

    def __init__(self, house: House) -> None:
        self.made = 0
        event.listen(house.database._writer.sync_engine, "commit", self._count)

    def _count(self, connection: Any) -> None:
        self.made += 1


async def answers(house: House) -> dict[int, tuple[str, int]]:
    rows = await house.rows("SELECT member, answer, interaction_id FROM responses")
    return {row["member"]: (row["answer"], row["interaction_id"]) for row in rows}


async def outcomes(house: House, *presses: Pressed) -> list[Any]:
    """Hand over presses at the same moment; return what became of each."""
    return await asyncio.gather(*map(house.recorder.respond, presses), return_exceptions=True)


def outcome(recorded: Any) -> Outcome:
    assert isinstance(recorded, Recorded), recorded
    return recorded.decision.outcome


# --- group commit


async def test_presses_that_come_together_share_few_commits(house: House, question: Message) -> None:
    commits = Commits(house)
    made = await outcomes(house, *(house.press(question, member, member % 4) for member in CROWD))
    assert {outcome(one) for one in made} == {Outcome.SAVED}
    assert 1 <= commits.made <= 2
    assert set(await answers(house)) == set(CROWD)


async def test_presses_that_come_while_a_commit_runs_are_written_by_the_next(
    house: House, question: Message
) -> None:
    commits = Commits(house)
    begun = asyncio.Event()

    async def begin(tx: Tx) -> None:
        begun.set()

    first = asyncio.create_task(house.recorder.write(begin))
    await begun.wait()
    later = await outcomes(house, *(house.press(question, member, 0) for member in CROWD))
    await first
    assert {outcome(one) for one in later} == {Outcome.SAVED}
    assert commits.made == 2


async def test_a_transaction_takes_a_bounded_number_of_presses(house: House, question: Message) -> None:
    commits = Commits(house)
    members = range(10_000, 10_000 + 2 * BATCH + 1)
    await outcomes(house, *(house.press(question, member, 0) for member in members))
    assert commits.made == 3
    assert len(await answers(house)) == len(members)


async def test_who_hears_saved_is_on_disk(house: House, question: Message) -> None:
    async def check(member: int) -> None:
        await house.recorder.respond(house.press(question, member, 1))
        assert member in await answers(house)

    await asyncio.gather(*map(check, range(1, 30)))


# --- order


async def test_transitions_and_presses_have_one_order(house: House) -> None:
    seen: list[str] = []

    async def note(tx: Tx, name: str) -> str:
        earlier = await people.read_meta(tx, "last")
        await people.write_meta(tx, "last", name)
        seen.append(name)
        return f"{earlier}→{name}"

    names = [str(number) for number in range(50)]
    told = await asyncio.gather(*(house.recorder.write(lambda tx, one=one: note(tx, one)) for one in names))
    assert seen == names
    assert told == [f"{earlier}→{name}" for earlier, name in zip(["None", *names], names, strict=False)]


async def test_a_press_received_before_a_close_is_decided_before_it(house: House, question: Message) -> None:
    """Here the close drops the turn altogether, so that whoever is decided after it is refused."""

    async def void(tx: Tx) -> None:
        for turn in await rounds.read_turns(tx, 1):
            await rounds.write_turn(tx, replace(turn, state=turn.state.__class__.VOID))

    before = [
        asyncio.create_task(house.recorder.respond(house.press(question, member, 0))) for member in (1, 2)
    ]
    await asyncio.sleep(0)
    closing = asyncio.create_task(house.recorder.write(void))
    await asyncio.sleep(0)
    after = [
        asyncio.create_task(house.recorder.respond(house.press(question, member, 0))) for member in (3, 4)
    ]
    received = await asyncio.gather(*before, closing, *after, return_exceptions=True)
    assert [outcome(one) for one in received[:2]] == [Outcome.SAVED] * 2
    assert [type(one) for one in received[3:]] == [NotOnTheTable] * 2
    assert set(await answers(house)) == {1, 2}


async def test_what_a_transition_returns_and_raises_reaches_who_asked(house: House) -> None:
    async def give(tx: Tx) -> int:
        return 42

    async def refuse(tx: Tx) -> None:
        await people.write_meta(tx, "refused", "yes")
        raise NotOnTheTable(ended=True)

    async def fail(tx: Tx) -> None:
        await people.write_meta(tx, "failed", "yes")
        raise ZeroDivisionError

    told = await asyncio.gather(
        *map(house.recorder.write, (give, refuse, fail, give)), return_exceptions=True
    )
    assert [type(one) for one in told] == [int, NotOnTheTable, ZeroDivisionError, int]
    assert await house.notes.read("refused") is None
    assert await house.notes.read("failed") is None


# --- the higher interaction id wins


async def test_in_one_batch_the_later_press_wins_whatever_the_order(house: House, question: Message) -> None:
    now = house.clock.now()
    first, second, third = (house.press(question, 9, place, now) for place in (0, 1, 2))
    received = await outcomes(house, second, third, first)
    assert [outcome(one) for one in received] == [Outcome.CHANGED, Outcome.CHANGED, Outcome.SAVED]
    assert (await answers(house))[9] == (written(question, 2), third.press.interaction)


async def test_across_batches_an_older_press_is_told_what_holds(house: House, question: Message) -> None:
    older, newer = house.press(question, 9, 0), house.press(question, 9, 1)
    assert outcome(await house.recorder.respond(newer)) is Outcome.SAVED
    late = await house.recorder.respond(older)
    assert outcome(late) is Outcome.KEPT
    assert late.decision.response.answer == {int(written(question, 1))}
    assert (await answers(house))[9] == (written(question, 1), newer.press.interaction)


async def test_a_press_delivered_twice_is_recorded_once(house: House, question: Message) -> None:
    press = house.press(question, 9, 1)
    together = await outcomes(house, press, press)
    assert [outcome(one) for one in together] == [Outcome.SAVED, Outcome.SAME]
    assert outcome(await house.recorder.respond(press)) is Outcome.SAME
    assert await answers(house) == {9: (written(question, 1), press.press.interaction)}


async def test_a_batch_with_many_turns_and_members_mixes_nothing_up(house: House, question: Message) -> None:
    await house.begin("several", channel=CHANNEL + 1)
    other = next(one for one in house.messenger.questions() if one.channel == CHANNEL + 1)
    at = house.clock.now()
    presses = [
        house.press(message, member, member % 3, at) for member in range(20) for message in (question, other)
    ]
    await outcomes(house, *presses)
    rows = await house.rows("SELECT round_id, member, answer FROM responses JOIN turns ON turns.id = turn_id")
    assert {(row["round_id"], row["member"]): row["answer"] for row in rows} == {
        (round_id, member): written(message, member % 3)
        for member in range(20)
        for round_id, message in ((1, question), (2, other))
    }


def written(message: Message, place: int) -> str:
    """Return how the option shown at a place is stored."""
    return str(question_of(message).shown.order[place])


# --- what fails


async def test_a_bad_press_harms_no_other(
    house: House, question: Message, caplog: pytest.LogCaptureFixture
) -> None:
    bad = replace(house.press(question, 2, 0), press=replace(house.press(question, 2, 0).press, member=2**70))
    unknown = replace(house.press(question, 3, 0), token="nosuchtokn")
    no_place = replace(
        house.press(question, 4, 0), press=replace(house.press(question, 4, 0).press, shown=frozenset({9}))
    )
    received = await outcomes(
        house, house.press(question, 1, 0), bad, unknown, no_place, house.press(question, 5, 0)
    )
    assert outcome(received[0]) is outcome(received[4]) is Outcome.SAVED
    assert isinstance(received[1], Exception)
    assert [type(one) for one in received[2:4]] == [NotOnTheTable] * 2
    assert set(await answers(house)) == {1, 5}
    assert "trying each alone" in caplog.text


async def test_a_bad_transition_harms_no_press(house: House, question: Message) -> None:
    async def break_a_promise(tx: Tx) -> None:
        await tx.exec_driver_sql("UPDATE rounds SET state = 'ended'")

    received = await asyncio.gather(
        house.recorder.respond(house.press(question, 1, 0)),
        house.recorder.write(break_a_promise),
        house.recorder.respond(house.press(question, 2, 0)),
        return_exceptions=True,
    )
    assert "ck_rounds_ended" in str(received[1])
    assert set(await answers(house)) == {1, 2}


async def test_a_full_disk_is_told_to_everybody_and_loses_nothing(house: House, question: Message) -> None:
    await outcomes(house, *(house.press(question, member, 0) for member in range(1, 11)))

    async def limit(tx: Tx, pages: int | None = None) -> None:
        size = (await tx.exec_driver_sql("PRAGMA page_count")).scalar_one()
        await tx.exec_driver_sql(f"PRAGMA max_page_count={pages or size}")

    await house.recorder.write(limit)
    received = await outcomes(house, *(house.press(question, member, 1) for member in CROWD))
    full = [one for one in received if isinstance(one, OperationalError)]
    saved = {member for member, one in zip(CROWD, received, strict=True) if not isinstance(one, Exception)}
    assert full
    assert all("database or disk is full" in str(one) for one in full)
    assert len(full) + len(saved) == len(CROWD)
    assert set(await answers(house)) == {*range(1, 11), *saved}

    await house.recorder.write(lambda tx: limit(tx, 1_000_000))
    again = await outcomes(house, *(house.press(question, member, 1) for member in CROWD))
    assert all(isinstance(one, Recorded) for one in again)
    assert set(await answers(house)) == {*range(1, 11), *CROWD}


async def test_a_commit_that_fails_is_told_to_everybody(house: House, question: Message) -> None:
    failing = True

    def fail(connection: Any) -> None:
        if failing:
            raise OSError("no space left on device")

    event.listen(house.database._writer.sync_engine, "commit", fail)
    received = await outcomes(house, *(house.press(question, member, 0) for member in range(1, 6)))
    assert [type(one) for one in received] == [OSError] * 5
    assert await answers(house) == {}
    failing = False
    again = await outcomes(house, *(house.press(question, member, 0) for member in range(1, 6)))
    assert {outcome(one) for one in again} == {Outcome.SAVED}


async def test_a_press_whose_caller_is_cancelled_is_recorded_all_the_same(
    house: House, question: Message
) -> None:
    waiting = [
        asyncio.create_task(house.recorder.respond(house.press(question, member, 0))) for member in (1, 2, 3)
    ]
    await asyncio.sleep(0)
    waiting[1].cancel()
    await asyncio.wait(waiting)
    await house.settle()
    assert waiting[1].cancelled()
    assert set(await answers(house)) == {1, 2, 3}


async def test_closing_writes_what_was_received_and_takes_nothing_more(
    house: House, question: Message
) -> None:
    waiting = [
        asyncio.create_task(house.recorder.respond(house.press(question, member, 0))) for member in CROWD
    ]
    await asyncio.sleep(0)
    await house.recorder.close()
    with pytest.raises(ShuttingDown):
        await house.recorder.respond(house.press(question, 1, 0))
    with pytest.raises(ShuttingDown):
        await house.notes.write("a", "b")
    await asyncio.gather(*waiting)
    assert house.recorder.idle
    assert set(await answers(house)) == set(CROWD)


async def test_an_idle_recorder_closes(tmp_path: Path) -> None:
    clock = HeldClock(BEGIN)
    house = await open_house(tmp_path / "idle.db", clock, FakeMessenger(clock))
    recorder = Recorder(house.database, clock)
    running = asyncio.create_task(recorder.run())
    await asyncio.sleep(0)
    await recorder.close()
    await running
    await house.close()


# --- which message was pressed


async def stuck(house: House, number: int = 1) -> Message:
    """Post a question whose confirmation never comes; return its message."""

    async def hang(call: Any) -> None:
        if call.name == "post":
            await asyncio.Event().wait()

    house.messenger.after = hang
    starting = asyncio.create_task(house.begin())
    await house.settle()
    assert not starting.done()
    return house.messenger.questions(number)[0]


async def confirmed(house: House) -> list[int | None]:
    return [row["message_id"] for row in await house.rows("SELECT message_id FROM messages ORDER BY id")]


async def test_a_press_on_an_unconfirmed_message_confirms_it(house: House) -> None:
    message = await stuck(house)
    assert await confirmed(house) == [None]
    assert outcome(await house.recorder.respond(house.press(message, 9, 0))) is Outcome.SAVED
    assert await confirmed(house) == [message.id]


async def test_a_confirming_press_gives_a_slow_question_its_full_time(house: House) -> None:
    message = await stuck(house)
    late = replace(message, id=snowflake(house.clock.now() + timedelta(seconds=10)))
    await house.advance(10)
    await house.recorder.respond(house.press(late, 9, 0))
    (turn, *_) = await house.reading(lambda tx: rounds.read_turns(tx, 1))
    assert turn.closes_at == BEGIN + timedelta(seconds=30)
    assert turn.epoch == 2


async def test_a_press_elsewhere_confirms_nothing(house: House) -> None:
    message = await stuck(house)
    press = house.press(message, 9, 0)
    early = house.press(message, 9, 0, BEGIN - timedelta(seconds=5))
    for wrong in (replace(press, channel_id=CHANNEL + 1), early):
        with pytest.raises(NotOnTheTable):
            await house.recorder.respond(wrong)
    assert await confirmed(house) == [None]


async def test_a_press_on_a_foreign_message_is_refused(house: House, question: Message) -> None:
    with pytest.raises(NotOnTheTable):
        await house.recorder.respond(replace(house.press(question, 9, 0), message_id=question.id + 1))
    assert await answers(house) == {}
    private = replace(house.press(question, 9, 0), message_id=None, channel_id=None)
    assert outcome(await house.recorder.respond(private)) is Outcome.SAVED


# --- after the close


async def closing_time(house: House) -> datetime:
    turn: Turn = (await house.reading(lambda tx: rounds.read_turns(tx, 1)))[0]
    assert turn.closes_at is not None
    return turn.closes_at


async def test_made_in_time_and_delivered_after_the_reveal_it_counts_at_once(
    house: House, question: Message
) -> None:
    in_time = await closing_time(house)
    await house.until(lambda: bool(house.messenger.reveals()))
    right, wrong = (house.press(question, member, place_of(question, member), in_time) for member in (0, 1))
    commits = Commits(house)
    for press in (right, wrong):
        assert outcome(await house.recorder.respond(press)) is Outcome.SAVED
    assert commits.made == 2  # the response and its points in one
    rows = await house.rows("SELECT member, points, settled_at FROM responses ORDER BY member")
    assert [(row["member"], row["points"]) for row in rows] == [(0, 1000), (1, 0)]
    assert all(row["settled_at"] is not None for row in rows)


async def test_a_millisecond_too_late_is_too_late(house: House, question: Message) -> None:
    end = await closing_time(house)
    with pytest.raises(TooLate):
        await house.recorder.respond(house.press(question, 9, 0, end + timedelta(milliseconds=1)))
    assert outcome(await house.recorder.respond(house.press(question, 9, 0, end))) is Outcome.SAVED


async def test_delivered_a_quarter_of_an_hour_late_it_does_not_count(house: House, question: Message) -> None:
    in_time = await closing_time(house)
    await house.until(lambda: bool(house.messenger.results()))
    closed = in_time + timedelta(seconds=1.5)
    await house.advance((closed + timedelta(minutes=15) - house.clock.now()).total_seconds())
    assert outcome(await house.recorder.respond(house.press(question, 8, 0, in_time))) is Outcome.SAVED
    await house.advance(1)
    with pytest.raises(TooLate):
        await house.recorder.respond(house.press(question, 9, 0, in_time))
    totals = await house.reading(lambda tx: responses.round_totals(tx, 1))
    assert set(totals) == {8}


async def test_a_late_delivery_draws_reveal_and_result_anew(house: House, question: Message) -> None:
    in_time = await closing_time(house)
    await house.until(lambda: bool(house.messenger.results()))
    assert house.messenger.results()[0].took_part == 0
    received = await house.answer(question, 9, place_of(question, 0), in_time)
    assert isinstance(received, Receipt)
    await house.settle()
    assert house.messenger.reveals()[0].right == 1
    assert [one.name for one in house.messenger.results()[0].podium] == ["Member 9"]


async def test_too_late_leads_to_the_answer_and_to_the_open_question(house: House, question: Message) -> None:
    await house.until(lambda: bool(house.messenger.questions(2)))
    received = await house.answer(question, 9, 0)
    assert isinstance(received, LateCard)
    assert received.revealed
    assert received.current_link == f"link/77/{CHANNEL}/{house.messenger.questions(2)[0].id}"


# --- names


async def test_a_member_goes_by_the_name_of_their_last_press(house: House, question: Message) -> None:
    press = house.press(question, 9, 0)
    await house.recorder.respond(replace(press, name="Ada"))
    await house.recorder.respond(replace(house.press(question, 9, 1), name="Ada Lovelace" * 20))
    rows = await house.rows("SELECT guild, member, name FROM members")
    assert [(row["guild"], row["member"]) for row in rows] == [(77, 9)]
    assert rows[0]["name"] == ("Ada Lovelace" * 20)[:64]
    assert await house.rows("SELECT member FROM participants") == [{"member": 9}]
