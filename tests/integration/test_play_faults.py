"""Rounds in which the process dies or requests fail, at every step: nothing is posted twice, skipped or lost."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.cards import QuestionCard, RevealCard
from bot.core.refusals import ChannelGone, NotOnTheTable, PermissionsMissing
from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown
from tests.support.faults import Death
from tests.support.ground import ELSEWHERE, KEYS, MAYA, Ground, Killed
from tests.support.house import CHANNEL
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

QUESTIONS = 2
FIRST, REVEAL, SECOND, RESULT = 1, 4, 5, 9
"""Requests of the whole round below, by number: for each question its post, two counters and its reveal."""


@pytest.fixture
async def ground(tmp_path: Path) -> AsyncIterator[Ground]:
    ground = Ground(tmp_path)
    await ground.open()
    yield ground
    await ground.kill()


async def begin(ground: Ground) -> None:
    """Start a round; a process that dies while it does is replaced by the test."""
    with suppress(Killed):
        await ground.begin(questions=QUESTIONS)


def receipts() -> int:
    """Return how many receipts the members get in the whole round."""
    return sum(len(ANSWERS[number]) for number in range(1, QUESTIONS + 1))


# The process dies.


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(1, RESULT + 1))
async def test_cut_at_any_post_or_edit_the_round_goes_on(ground: Ground, nth: int, after: bool) -> None:
    players = Players(ground)
    ground.faults.fail(nth, Death, after=after)
    await begin(ground)
    await play_out(ground, players)
    check(ground, players)
    assert len(players.received) == receipts()
    # Away for no time at all: no deadline moved, and what is shown is what is stored.
    for turn, message in zip(turns_of(ground), ground.messenger.questions(), strict=True):
        shown = {card.closes_at for card in cards_of(message) if isinstance(card, QuestionCard)}
        assert shown == {instant(turn["closes_at"])}
        assert not turn["extended"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    ("nth", "away_s"),
    [(FIRST, 90), (FIRST, 600), (REVEAL, 600), (SECOND, 600), (RESULT, 600), (RESULT, 86_400)],
)
async def test_after_an_outage_of_any_length_nothing_is_posted_twice(
    ground: Ground, nth: int, after: bool, away_s: int
) -> None:
    players = Players(ground)
    ground.faults.fail(nth, Death, after=after)
    await begin(ground)
    await play_out(ground, players, away=timedelta(seconds=away_s))
    check(ground, players)
    assert len(players.received) == receipts()


async def test_killed_between_two_commits_the_round_goes_on(ground: Ground) -> None:
    """The process dies before its n-th commit, then the next before its n-th, and so on."""
    players = Players(ground)
    await ground.begin()
    for distance in (1, 2, 3, 4, 5, 7, 9, 11, 13):
        ground.die_at_commits = {ground.commits + distance}
        for _ in range(200):
            await players.answer()
            if ground.faults.died or not await ground.move(ground.clock.now() + timedelta(minutes=1)):
                break
        if ground.faults.died:
            await ground.restart()
    ground.die_at_commits = set()
    await play_out(ground, players)
    check(ground, players)


# Requests fail.


@pytest.mark.parametrize(
    ("nth", "times"),
    [(FIRST, 1), (REVEAL, 1), (SECOND, 1), (RESULT, 1), (FIRST, 20)],
    ids=["first", "reveal", "second", "result", "first for long"],
)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_an_unknown_outcome_is_mended(ground: Ground, nth: int, times: int, after: bool) -> None:
    players = Players(ground)
    for call in range(nth, nth + times):
        ground.faults.fail(call, OutcomeUnknown, after=after)
    await begin(ground)
    await play_out(ground, players)
    check(ground, players)


@pytest.mark.parametrize("nth", [2, REVEAL, SECOND, RESULT], ids=["counter", "reveal", "second", "result"])
async def test_a_right_taken_away_for_a_while_pauses_the_round(ground: Ground, nth: int) -> None:
    players = Players(ground)
    for call in range(nth, nth + 3):
        ground.faults.fail(call, AccessDenied)
    await begin(ground)
    await play_out(ground, players)
    assert check(ground, players) is not None


@pytest.mark.parametrize("step", ["open", "reveal", "result"])
async def test_a_right_taken_away_for_more_than_a_day_ends_the_round(ground: Ground, step: str) -> None:
    players = Players(ground)
    await begin(ground)
    await players.answer()
    if step == "result":
        await ground.until(lambda: turns_of(ground)[1]["state"] == "revealed")
    elif step == "open":
        await ground.until(lambda: isinstance(posted(ground)[0].card, RevealCard))
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


@pytest.mark.parametrize("nth", [2, REVEAL, SECOND, RESULT], ids=["counter", "reveal", "second", "result"])
async def test_a_lost_channel_ends_the_round_and_frees_the_channel(ground: Ground, nth: int) -> None:
    players = Players(ground)
    ground.faults.fail(nth, ChannelLost)
    await begin(ground)
    await play_out(ground, players)
    check(ground, players)
    assert newest_round(ground)["end_reason"] == "channel"
    assert len(ground.faults.requests) <= nth + 2  # counters do not notice, the next request does
    with pytest.raises(ChannelGone):
        await ground.begin()
    # The questions are free for another round of the server, and so is the channel for the database.
    assert (await ground.begin(ELSEWHERE)).left_out == 0


async def test_what_was_answered_on_a_table_that_is_lost_settles_without_points(ground: Ground) -> None:
    await ground.begin()
    question = posted(ground)[0]
    await ground.answer(MAYA, KEYS[1])
    ground.faults.lost.add(CHANNEL)
    await ground.advance(10)
    first, *others = turns_of(ground)
    assert [turn["state"] for turn in (first, *others)] == ["void", "dropped", "dropped"]
    (response,) = responses_of(ground, first)
    assert response["points"] is None
    assert instant(response["settled_at"]) == ground.clock.now() - timedelta(seconds=5)  # the first counter
    with pytest.raises(NotOnTheTable):
        await ground.answer_on(question, MAYA, KEYS[1])
    check(ground)


async def test_a_question_that_finds_no_channel_any_more_is_void(ground: Ground) -> None:
    players = Players(ground)
    ground.faults.fail(SECOND, ChannelLost)
    await begin(ground)
    await play_out(ground, players)
    assert [turn["state"] for turn in turns_of(ground)] == ["revealed", "void"]
    check(ground, players)


@pytest.mark.parametrize("nth", [2, 3, 4], ids=["counter", "counter at half time", "reveal"])
async def test_the_reveal_of_a_deleted_question_is_posted_anew(ground: Ground, nth: int) -> None:
    players = Players(ground)
    ground.faults.fail(nth, MessageGone)
    await ground.begin(questions=1)
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
    ground.faults.fail(REVEAL, MessageGone)
    ground.faults.fail(REVEAL + 1, Death, after=after)
    await ground.begin(questions=1)
    await play_out(ground, players, away=timedelta(seconds=away_s))
    assert check(ground, players) is not None


async def test_where_the_history_cannot_be_read_the_round_pauses_rather_than_post_twice(
    ground: Ground,
) -> None:
    players = Players(ground)
    ground.faults.fail(FIRST, Death, after=True)
    ground.faults.unreadable.add(CHANNEL)
    await begin(ground)
    await ground.restart(timedelta(minutes=10))
    await ground.advance(180)
    assert newest_round(ground)["state"] == "paused"
    assert len(posted(ground)) == 1
    ground.faults.unreadable.clear()
    await play_out(ground, players)
    assert check(ground, players) is not None
