"""Rounds played by moving the clock, on real SQLite: counted, stopped, cut short by outages, side by side, followed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.core.cards import Face, LateCard, QuestionCard, ResultCard, RevealCard, Standing
from bot.core.refusals import (
    NoRound,
    NothingToAsk,
    RoundOpen,
)
from bot.ports import AccessDenied, MessageGone, OutcomeUnknown, Urgency
from tests.support.fake_messenger import Message
from tests.support.faults import Death
from tests.support.ground import ADA, ELSEWHERE, KEREM, KEYS, MAYA, Ground, Killed
from tests.support.house import CHANNEL, GUILD, HOST
from tests.support.recount import (
    ANSWERS,
    Players,
    cards_of,
    check,
    instant,
    newest_round,
    play_out,
    posted,
    responses_of,
    turns_of,
)

CALLS = 13
"""Posts and edits of the whole round below: three questions with two counters each, their reveals, the result."""
SECOND = timedelta(seconds=1)


@pytest.fixture
async def ground(tmp_path: Path) -> AsyncIterator[Ground]:
    ground = Ground(tmp_path)
    await ground.open()
    yield ground
    await ground.kill()


async def begin_or_die(ground: Ground) -> None:
    """Start a round; a process that dies while it does is replaced by the test."""
    with suppress(Killed):
        await ground.begin()


async def test_a_whole_round_is_played_and_counted_by_the_clock_alone(ground: Ground) -> None:
    players = Players(ground)
    started = await ground.begin()
    assert (started.questions, started.left_out) == (3, 0)
    await play_out(ground, players)
    result = check(ground, players)
    assert result is not None
    assert result.podium == (Standing(1, f"Member {MAYA}", 3000), Standing(2, f"Member {ADA}", 1500))
    assert (result.took_part, result.average) == (3, round((3000 + 1500 + 1000) / 3))
    assert len(players.received) == sum(map(len, ANSWERS.values()))
    assert len(ground.faults.requests) == CALLS


async def test_each_member_finds_their_own_result_and_mistakes(ground: Ground) -> None:
    await ground.begin()
    await play_out(ground, Players(ground))
    token, results = newest_round(ground)["token"], ground.house.results
    mine = {member: await results.mine(token, member) for member in (MAYA, ADA, KEREM)}
    assert [(card.points, card.rank) for card in mine.values()] == [(3000, 1), (1500, 2), (1000, 3)]
    page = await results.mistake(token, KEREM, 1, Face.WHY)
    assert (page.pages, page.shown.number, page.key, page.answer) == (2, 3, KEYS[3], None)


async def test_a_changed_answer_counts_and_one_after_the_deadline_does_not(ground: Ground) -> None:
    await ground.begin()
    await ground.answer(MAYA, frozenset({0}))
    await ground.answer(MAYA, frozenset({1}))
    deadline = instant(turns_of(ground)[0]["closes_at"])
    await ground.advance((deadline - ground.clock.now()).total_seconds() + 1)
    made = deadline + timedelta(milliseconds=1)
    assert isinstance(await ground.answer(ADA, frozenset({1}), at=made), LateCard)
    await ground.answer(KEREM, frozenset({1}), at=deadline)
    await ground.advance(1)
    card = posted(ground)[0].card
    assert isinstance(card, RevealCard)
    assert (card.answered, card.right) == (2, 2)


# Late.


async def test_a_late_press_finds_its_way_into_reveal_and_result(ground: Ground) -> None:
    await ground.begin(questions=1)
    await ground.answer(ADA, frozenset({0}))
    (question,) = posted(ground)
    deadline = instant(turns_of(ground)[0]["closes_at"])
    await ground.advance(60)
    await ground.answer_on(question, MAYA, KEYS[1], deadline)
    await ground.settle()
    reveal, result = (one.card for one in posted(ground))
    assert isinstance(reveal, RevealCard)
    assert isinstance(result, ResultCard)
    assert (reveal.answered, reveal.right) == (2, 1)
    assert (result.took_part, result.podium) == (2, (Standing(1, f"Member {MAYA}", 1000),))


async def test_what_a_late_press_changed_is_drawn_until_it_stands_there(ground: Ground) -> None:
    await ground.begin(questions=1)
    (question,) = posted(ground)
    deadline = instant(turns_of(ground)[0]["closes_at"])
    await ground.advance(60)
    ground.faults.fail_next(OutcomeUnknown, 2)
    await ground.answer_on(question, MAYA, KEYS[1], deadline)
    await ground.settle()
    await ground.restart()
    await ground.advance(30)
    reveal, result = (one.card for one in posted(ground))
    assert isinstance(reveal, RevealCard)
    assert isinstance(result, ResultCard)
    assert (reveal.answered, result.took_part) == (1, 1)


async def test_a_late_press_is_settled_even_where_its_messages_are_gone(ground: Ground) -> None:
    await ground.begin(questions=1)
    (question,) = posted(ground)
    deadline = instant(turns_of(ground)[0]["closes_at"])
    await ground.advance(60)
    ground.faults.fail_next(MessageGone, 2)
    await ground.answer_on(question, MAYA, KEYS[1], deadline)
    await ground.settle()
    assert [row["points"] for row in responses_of(ground, turns_of(ground)[0])] == [1000]


# Stopped.


async def test_nothing_can_be_stopped_where_nothing_plays(ground: Ground) -> None:
    with pytest.raises(NoRound):
        await ground.stop()


async def test_stopped_while_a_question_lies_open_it_counts_and_the_rest_is_dropped(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin()
    await players.answer()
    await ground.advance(3)
    await ground.stop()
    with pytest.raises(NoRound):
        await ground.stop()
    late = posted(ground)[0]
    assert isinstance(await ground.answer_on(late, HOST, KEYS[1], ground.clock.now() + SECOND), LateCard)
    await play_out(ground, players)
    result = check(ground, players)
    assert result is not None
    assert (result.asked, result.took_part, result.stopped) == (1, 3, True)


async def test_stopped_while_a_reveal_stands_the_result_follows_at_once(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin()
    await players.answer()
    await ground.until(lambda: isinstance(posted(ground)[0].card, RevealCard))
    await ground.stop()
    await ground.settle()
    assert check(ground, players) is not None


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_stopped_before_its_question_is_confirmed_the_question_is_shown_once(
    ground: Ground, after: bool
) -> None:
    """Also when the stop comes so late that Discord has forgotten the nonce."""
    ground.faults.fail_next(OutcomeUnknown, 20, after=after)
    starting = asyncio.ensure_future(ground.house.begin())
    await ground.advance(62)
    assert starting.done()
    await ground.stop()
    await play_out(ground)
    check(ground)
    assert not ground.on_table()


async def test_stopped_while_it_is_paused_the_round_ends_when_it_may_speak_again(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin()
    await players.answer()
    ground.faults.denied.add(CHANNEL)
    await ground.until(lambda: newest_round(ground)["state"] == "paused")
    await ground.stop()
    await ground.advance(120)
    ground.faults.denied.clear()
    await play_out(ground, players)
    result = check(ground, players)
    assert result is not None
    assert result.stopped


async def test_stopped_twice_while_it_may_not_speak_it_makes_room(ground: Ground) -> None:
    await ground.begin()
    ground.faults.fail_next(AccessDenied, 1_000)
    await ground.answer(ADA, frozenset({0}))
    await ground.stop()
    await ground.advance(30)
    await ground.stop()
    ground.faults.mend()
    await ground.begin(questions=1)
    assert [row["settled_at"] is None for row in responses_of(ground, turns_of(ground)[0])] in ([], [False])


async def test_stopped_after_its_end_while_the_result_is_still_due(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin(questions=1)
    await players.answer()
    await ground.until(lambda: isinstance(posted(ground)[0].card, RevealCard))
    ground.faults.fail_next(AccessDenied)
    await ground.advance(20)
    with pytest.raises(NoRound):
        await ground.stop()
    await play_out(ground, players)
    result = check(ground, players)
    assert result is not None
    assert not result.stopped


# Away.


def shown_deadlines(message: Message) -> list[datetime]:
    """Return the deadlines that a message has shown, each once, in order."""
    return list(dict.fromkeys(one.closes_at for one in cards_of(message) if isinstance(one, QuestionCard)))


async def test_an_outage_gives_an_open_question_fifteen_seconds_once(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin()
    first = instant(turns_of(ground)[0]["closes_at"])
    await ground.advance(15)
    await ground.restart()
    moved = instant(turns_of(ground)[0]["closes_at"])
    assert moved == ground.clock.now() + timedelta(seconds=15)
    await ground.advance(9)
    await ground.restart(timedelta(minutes=10))
    assert instant(turns_of(ground)[0]["closes_at"]) == moved
    await play_out(ground, players)
    check(ground, players)
    question = posted(ground)[0]
    assert shown_deadlines(question) == [first, moved]
    assert any(card.away for card in cards_of(question) if isinstance(card, QuestionCard))


async def test_an_outage_far_from_the_deadline_moves_nothing(ground: Ground) -> None:
    await ground.begin()
    before = turns_of(ground)
    await ground.advance(5)
    await ground.restart(timedelta(seconds=2))
    assert turns_of(ground) == before


@pytest.mark.parametrize("away_s", [0, 30, 600])
async def test_a_question_nobody_has_seen_gets_its_full_time_instead(ground: Ground, away_s: int) -> None:
    ground.faults.fail(1, Death)
    await begin_or_die(ground)
    await ground.restart(timedelta(seconds=away_s))
    (turn,) = turns_of(ground)[:1]
    (question,) = posted(ground)
    assert not turn["extended"]
    full = timedelta(seconds=turn["seconds"])
    assert full <= instant(turn["closes_at"]) - question.made_at < full + SECOND
    assert shown_deadlines(question)[-1] == instant(turn["closes_at"])


async def test_a_slow_post_gets_its_full_time(ground: Ground) -> None:
    ground.faults.slow_down(1, timedelta(seconds=7))
    await ground.begin()
    (turn,), (question,) = turns_of(ground)[:1], posted(ground)
    closes = instant(turn["closes_at"])
    assert closes == question.made_at + timedelta(seconds=turn["seconds"])
    assert shown_deadlines(question)[-1] == closes


async def test_while_the_shard_is_away_no_question_closes(ground: Ground) -> None:
    players = Players(ground)
    await ground.begin()
    await players.answer()
    await ground.advance(10)
    ground.house.presence.leave(0, ground.clock.now())
    await ground.advance(60)
    assert turns_of(ground)[0]["state"] == "open"
    await ground.house.rounds.came_back(0)
    assert instant(turns_of(ground)[0]["closes_at"]) == ground.clock.now() + timedelta(seconds=15)
    await play_out(ground, players)
    check(ground, players)


async def test_a_press_on_a_question_that_was_never_confirmed_confirms_it(ground: Ground) -> None:
    """It comes while the recovery already looks for the message; which is then not posted again."""
    ground.faults.fail(1, Death, after=True)
    await begin_or_die(ground)
    await ground.kill()
    ground.clock.set(ground.clock.now() + timedelta(minutes=2))
    ground.faults.queue_takes = timedelta(seconds=1)
    await ground.open()
    players = Players(ground)
    await players.answer()
    assert len(players.received) == 3
    ground.faults.queue_takes = timedelta(0)
    await play_out(ground, players)
    check(ground, players)


# Two rounds.


async def test_a_channel_has_one_round_and_a_server_asks_no_question_twice_at_a_time(ground: Ground) -> None:
    here, there = Players(ground), Players(ground, ELSEWHERE)
    await ground.begin(questions=2)
    with pytest.raises(RoundOpen) as open_here:
        await ground.begin()
    assert open_here.value.link == ground.messenger.link(GUILD, CHANNEL, posted(ground)[0].id)
    started = await ground.begin(ELSEWHERE)
    assert (started.questions, started.left_out) == (1, 2)
    with pytest.raises(NothingToAsk) as taken:
        await ground.begin(ELSEWHERE + 1)
    assert taken.value.link is not None
    await play_out(ground, here, there)
    assert check(ground, here) is not None
    assert newest_round(ground, ELSEWHERE)["end_reason"] == "played"
    assert len(there.received) == 3
    # What was asked least recently comes first now.
    await ground.begin(questions=1)
    assert turns_of(ground)[0]["question_id"] == 1


async def test_a_round_that_is_stopped_frees_its_questions(ground: Ground) -> None:
    await ground.begin()
    await ground.stop()
    assert (await ground.begin(ELSEWHERE)).left_out == 0


# Counters.


def counted_at(message: Message) -> list[datetime]:
    return [at for at, _, urgency in message.edits if urgency is Urgency.COUNTER]


async def test_an_unanswered_question_is_counted_once_at_half_time(ground: Ground) -> None:
    await ground.begin()
    await ground.advance(29)
    (turn,), (question,) = turns_of(ground)[:1], posted(ground)
    opened, closes = instant(turn["opened_at"]), instant(turn["closes_at"])
    assert counted_at(question) == [opened + (closes - opened) / 2]


async def test_however_many_answer_the_count_is_drawn_every_five_seconds_at_most(ground: Ground) -> None:
    await ground.begin(questions=1)
    deadline = instant(turns_of(ground)[0]["closes_at"])
    for member in range(200, 240):
        await ground.answer(member, KEYS[1])
        await ground.advance(0.5)
    await ground.advance(10)
    question = posted(ground)[0]
    drawn = counted_at(question)
    gaps = [later - earlier for earlier, later in pairwise([question.made_at, *drawn])]
    assert len(drawn) >= 3
    assert min(gaps) >= timedelta(seconds=5)
    assert max(drawn) < deadline
    counts = [card.answered for card in cards_of(question) if isinstance(card, QuestionCard)]
    assert counts == sorted(counts)
    assert ground.house.counters.counting == 0


async def test_a_stopped_question_is_counted_no_more(ground: Ground) -> None:
    await ground.begin()
    await ground.answer(MAYA, KEYS[1])
    await ground.stop()
    await ground.advance(30)
    assert counted_at(posted(ground)[0]) == []
