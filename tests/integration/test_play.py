"""Rounds played by moving the clock, on real SQLite, through every way in which messages and processes fail."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.core.cards import Face, LateCard, QuestionCard, ResultCard, RevealCard, Standing
from bot.core.refusals import (
    ChannelGone,
    NoRound,
    NothingToAsk,
    NotOnTheTable,
    PermissionsMissing,
    RoundOpen,
)
from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown, Urgency
from tests.support.fake_messenger import Message
from tests.support.faults import Death
from tests.support.ground import ADA, ELSEWHERE, KEREM, KEYS, MAYA, Ground, Killed
from tests.support.house import CHANNEL, GUILD
from tests.support.recount import (
    ANSWERS,
    Players,
    cards_of,
    check,
    newest_round,
    play_out,
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


def instant(stored: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=stored)


def posted(ground: Ground) -> list[Message]:
    """Return every message that was made in the channel, oldest first."""
    return [one for one in ground.messenger.messages if one.channel == CHANNEL]


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
    assert len(ground.messenger.calls) == CALLS


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


# The process dies.


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(1, CALLS + 1))
async def test_cut_at_any_post_or_edit_the_round_goes_on(ground: Ground, nth: int, after: bool) -> None:
    players = Players(ground)
    ground.faults.fail(nth, Death, after=after)
    await begin_or_die(ground)
    await play_out(ground, players)
    check(ground, players)
    assert len(players.received) == sum(map(len, ANSWERS.values()))
    # Away for no time at all: no deadline moved, and what is shown is what is stored.
    for turn, message in zip(turns_of(ground), ground.messenger.questions(), strict=True):
        shown = {card.closes_at for card in cards_of(message) if isinstance(card, QuestionCard)}
        assert shown == {instant(turn["closes_at"])}
        assert not turn["extended"]


@pytest.mark.parametrize("away_s", [30, 90, 600, 86_400])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", [1, 4, 5, CALLS], ids=["first", "reveal", "second", "result"])
async def test_after_an_outage_of_any_length_nothing_is_posted_twice(
    ground: Ground, nth: int, after: bool, away_s: int
) -> None:
    players = Players(ground)
    ground.faults.fail(nth, Death, after=after)
    await begin_or_die(ground)
    await play_out(ground, players, away=timedelta(seconds=away_s))
    check(ground, players)
    assert len(players.received) == sum(map(len, ANSWERS.values()))


async def test_killed_between_two_commits_the_round_goes_on(ground: Ground) -> None:
    """The process dies before its n-th commit, then the next before its n-th, and so on."""
    players = Players(ground)
    await ground.begin()
    for distance in (1, 2, 3, 4, 5, 7, 9, 11, 13):
        ground.die_at_commit = ground.commits + distance
        for _ in range(200):
            await players.answer()
            if ground.faults.died or not await ground.move(ground.clock.now() + timedelta(minutes=1)):
                break
        if ground.faults.died:
            with suppress(AssertionError):
                await ground.restart()
    ground.die_at_commit = 0
    await play_out(ground, players)
    check(ground, players)


# Requests fail.


@pytest.mark.parametrize("times", [1, 20])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", [1, 4, 5, CALLS], ids=["first", "reveal", "second", "result"])
async def test_an_unknown_outcome_is_mended(ground: Ground, nth: int, after: bool, times: int) -> None:
    players = Players(ground)
    for call in range(nth, nth + times):
        ground.faults.fail(call, OutcomeUnknown, after=after)
    await ground.begin()
    await play_out(ground, players)
    check(ground, players)


@pytest.mark.parametrize("nth", range(2, CALLS + 1))
async def test_a_right_taken_away_for_a_while_pauses_the_round(ground: Ground, nth: int) -> None:
    players = Players(ground)
    for call in range(nth, nth + 3):
        ground.faults.fail(call, AccessDenied)
    await ground.begin()
    await play_out(ground, players)
    assert check(ground, players) is not None


@pytest.mark.parametrize("step", ["open", "reveal", "result"])
async def test_a_right_taken_away_for_more_than_a_day_ends_the_round(ground: Ground, step: str) -> None:
    players = Players(ground)
    await ground.begin()
    await players.answer()
    if step == "result":
        await ground.until(lambda: turns_of(ground)[2]["state"] == "revealed")
    elif step == "open":
        await ground.until(lambda: isinstance(ground.messenger.history(CHANNEL)[0].card, RevealCard))
    ground.faults.denied.add(CHANNEL)
    await ground.advance(180)
    if step != "result":
        assert newest_round(ground)["state"] == "paused"
    await ground.jump(timedelta(hours=23))
    assert newest_round(ground)["due_at"] is not None
    await ground.jump(timedelta(hours=2))
    assert newest_round(ground)["end_reason"] == "channel"
    check(ground, players)
    ground.faults.denied.clear()
    await ground.begin()


async def test_a_round_that_cannot_begin_leaves_the_channel_free(ground: Ground) -> None:
    ground.messenger.permissions[CHANNEL] = ("send_messages",)
    with pytest.raises(PermissionsMissing):
        await ground.begin()
    del ground.messenger.permissions[CHANNEL]
    ground.faults.denied.add(CHANNEL)
    with pytest.raises(PermissionsMissing):
        await ground.begin()
    ground.faults.denied.clear()
    await ground.begin()


@pytest.mark.parametrize("nth", range(2, CALLS + 1))
async def test_a_lost_channel_ends_the_round_and_frees_the_channel(ground: Ground, nth: int) -> None:
    players = Players(ground)
    ground.faults.fail(nth, ChannelLost)
    await ground.begin()
    await play_out(ground, players)
    check(ground, players)
    assert newest_round(ground)["end_reason"] == "channel"
    assert len(ground.messenger.calls) <= nth + 1  # a counter does not notice, the next request does
    # The questions are free for another round of the server, and so is the channel.
    other = Players(ground, ELSEWHERE)
    assert (await ground.begin(ELSEWHERE)).left_out == 0
    with pytest.raises(ChannelGone):
        await ground.begin()
    await play_out(ground, other)
    assert check(ground, other, channel=ELSEWHERE) is not None


async def test_what_was_answered_on_a_lost_table_settles_without_points(ground: Ground) -> None:
    await ground.begin()
    await ground.answer(MAYA, KEYS[1])
    ground.faults.lost.add(CHANNEL)
    await ground.advance(30)
    first, *others = turns_of(ground)
    assert [turn["state"] for turn in (first, *others)] == ["revealed", "dropped", "dropped"]
    assert [row["points"] for row in responses_of(ground, first)] == [1000]
    with pytest.raises(NotOnTheTable):
        await ground.house.rounds.choice(GUILD, newest_round(ground)["token"], 2, MAYA, ground.clock.now())


@pytest.mark.parametrize("nth", [2, 3, 4], ids=["counter", "counter at half time", "reveal"])
async def test_the_reveal_of_a_deleted_question_is_posted_anew(ground: Ground, nth: int) -> None:
    players = Players(ground)
    ground.faults.fail(nth, MessageGone)
    await ground.begin()
    await play_out(ground, players)
    assert check(ground, players) is not None
    first, reposted, *_ = posted(ground)
    assert first.deleted
    assert isinstance(reposted.card, RevealCard)
    assert reposted.card.reposted


@pytest.mark.parametrize("away_s", [0, 600])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_reveal_posted_anew_survives_a_cut(ground: Ground, after: bool, away_s: int) -> None:
    players = Players(ground)
    ground.faults.fail(4, MessageGone)
    ground.faults.fail(5, Death, after=after)
    await ground.begin()
    await play_out(ground, players, away=timedelta(seconds=away_s))
    assert check(ground, players) is not None


async def test_a_late_press_finds_its_way_into_a_deleted_result(ground: Ground) -> None:
    """Nobody minds that the result is gone: the press is recorded and settled all the same."""
    await ground.begin()
    third = None
    await ground.until(lambda: len(ground.messenger.questions(CHANNEL)) == 3)
    third = ground.on_table(CHANNEL)
    assert third is not None
    await ground.advance(40)
    assert isinstance(ground.messenger.history(CHANNEL)[-1].card, ResultCard)
    ground.faults.fail_next(MessageGone, 2)
    third.cards.append(next(card for card in third.cards if isinstance(card, QuestionCard)))
    await ground.answer(MAYA, KEYS[3], at=instant(turns_of(ground)[2]["closes_at"]))
    await ground.settle()
    assert [row["points"] for row in responses_of(ground, turns_of(ground)[2])] == [1000]
