"""Three members who play a round, and what must hold of it afterwards, read past the product's own code.

The recount reads the file with the driver alone and knows the quiz by heart; it shares nothing with store or scoring.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.core.cards import Card, LateCard, QuestionCard, ResultCard, RevealCard
from bot.core.refusals import Refusal
from tests.support.fake_messenger import Message
from tests.support.ground import ADA, KEREM, KEYS, MAYA, Ground, Killed
from tests.support.house import CHANNEL

ANSWERS = {
    1: {MAYA: frozenset({1}), ADA: frozenset({0}), KEREM: frozenset({1})},
    2: {MAYA: frozenset({0, 2}), ADA: frozenset({0}), KEREM: frozenset({0, 1})},
    3: {MAYA: frozenset({1}), ADA: frozenset({1})},
}
"""Maya knows everything, Ada half of it, Kerem leaves before the end."""
MOVES = 2_000
FAR = datetime(9999, 1, 1, tzinfo=UTC)
Row = dict[str, Any]


@dataclass
class Players:
    """Members who answer a question once they see it, and again where the receipt did not come."""

    ground: Ground
    channel: int = CHANNEL
    received: dict[tuple[str, int, int], frozenset[int]] = field(
        default_factory=dict[tuple[str, int, int], frozenset[int]]
    )
    """The receipts, by round, turn and member."""
    refused: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])

    async def answer(self) -> None:
        """Answer what lies on the table and was not answered yet."""
        message = self.ground.on_table(self.channel)
        if message is None or not isinstance(message.card, QuestionCard):
            return
        shown = message.card.shown
        for member, answer in ANSWERS[shown.number].items():
            key = (shown.token, shown.number, member)
            if key in self.received or key in self.refused:
                continue
            try:
                reply = await self.ground.answer_on(message, member, answer)  # it may close meanwhile
            except Killed:
                return
            except Refusal:
                self.refused.add(key)
                continue
            if isinstance(reply, LateCard):
                self.refused.add(key)
            else:
                self.received[key] = answer


async def play_out(
    ground: Ground, *players: Players, away: timedelta = timedelta(0), until: datetime = FAR
) -> None:
    """Let time pass until every round is over, or until an instant; a process that dies is replaced after a while."""
    await ground.settle()
    for _ in range(MOVES):
        if ground.faults.died:
            await ground.restart(away)
            continue
        for group in players:
            await group.answer()
        if ground.faults.died:
            continue
        started = read(ground, "SELECT due_at FROM rounds")
        if all(one["due_at"] is None for one in started) or ground.clock.now() >= until:
            return
        await ground.move(min(until, ground.clock.now() + timedelta(hours=1)))
    raise AssertionError("the rounds do not come to their end")


def read(ground: Ground, query: str, *values: object) -> list[Row]:
    """Read the file as it is committed."""
    with closing(sqlite3.connect(ground.path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(query, values)]


def instant(stored: int) -> datetime:
    """Return a stored instant: microseconds since 1970."""
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=stored)


def posted(ground: Ground, channel: int = CHANNEL) -> list[Message]:
    """Return every message that was ever made in a channel, oldest first."""
    return [one for one in ground.messenger.messages if one.channel == channel]


def newest_round(ground: Ground, channel: int = CHANNEL) -> Row:
    """Return the newest round of a channel."""
    return read(ground, "SELECT * FROM rounds WHERE channel_id = ? ORDER BY id DESC", channel)[0]


def turns_of(ground: Ground, channel: int = CHANNEL) -> list[Row]:
    """Return the turns of the newest round of a channel, in order."""
    return read(
        ground, "SELECT * FROM turns WHERE round_id = ? ORDER BY number", newest_round(ground, channel)["id"]
    )


def responses_of(ground: Ground, turn: Row) -> list[Row]:
    """Return the responses to a turn."""
    return read(ground, "SELECT * FROM responses WHERE turn_id = ?", turn["id"])


def of_round(ground: Ground, channel: int, token: str) -> list[Message]:
    """Return every message that was made for a round, oldest first."""
    made = ground.messenger.messages
    return [one for one in made if one.channel == channel and _token(one.first) == token]


def _token(card: Card) -> str:
    return card.token if isinstance(card, ResultCard) else card.shown.token


def cards_of(message: Message) -> list[Card]:
    """Return everything a message has shown, in order."""
    return [message.first, *(card for _, card, _ in message.edits)]


def worth(number: int, answer: frozenset[int]) -> int:
    """Return the points of an answer in thousandths, counted by hand."""
    right, wrong = len(answer & KEYS[number]), len(answer - KEYS[number])
    return max(0, right - wrong) * 1000 // len(KEYS[number])


def check(ground: Ground, *groups: Players, channel: int = CHANNEL) -> ResultCard | None:
    """Check what holds of a round that is over, whatever happened to it; return its result, if it has one."""
    stored = newest_round(ground, channel)
    turns = turns_of(ground, channel)
    messages = of_round(ground, channel, stored["token"])
    assert stored["state"] == "ended"
    assert stored["due_at"] is None
    asked = [turn for turn in turns if turn["state"] in ("revealed", "void")]
    assert [turn["state"] for turn in turns[len(asked) :]] == ["dropped"] * (len(turns) - len(asked))
    posted = [one.first.shown.number for one in messages if isinstance(one.first, QuestionCard)]
    assert posted == sorted(set(posted)), "a question was posted twice, or out of order"
    seen = [turn["number"] for turn in asked if turn["state"] == "revealed"]
    assert set(seen) <= set(posted), "a question was never posted"
    totals: dict[int, int] = {}
    for turn in asked:
        lost = stored["end_reason"] == "channel" and turn is asked[-1]
        _check_turn(ground, turn, lost, [one for one in messages if not isinstance(one.card, ResultCard)])
        for group in groups:
            _check_receipts(ground, turn, stored["token"], group)
        for row in responses_of(ground, turn):
            totals[row["member"]] = totals.get(row["member"], 0) + (row["points"] or 0)
    return _check_result(stored, seen, totals, messages)


def _check_turn(ground: Ground, turn: Row, lost: bool, messages: list[Message]) -> None:
    mine = [one for one in messages if one.first.shown.number == turn["number"]]  # pyright: ignore[reportAttributeAccessIssue]
    for message in mine:
        cards = cards_of(message)
        faces = [isinstance(card, RevealCard) for card in cards]
        assert faces == sorted(faces), "an answer was hidden again"
        orders = {card.shown.order for card in cards if not isinstance(card, ResultCard)}
        assert [list(order) for order in orders] == [_numbers(turn["option_order"])]
    given = {row["member"]: frozenset(_numbers(row["answer"])) for row in responses_of(ground, turn)}
    settled = {(row["settled_at"], row["points"]) for row in responses_of(ground, turn)}
    if turn["state"] == "void":
        ended_at = read(ground, "SELECT ended_at FROM rounds WHERE id = ?", turn["round_id"])[0]["ended_at"]
        assert settled <= {(ended_at, None)}
        return
    # Settled once: at the reveal and never again, or the instant would be a later one.
    assert {at for at, _ in settled} <= {turn["revealed_at"]}
    points = {row["member"]: row["points"] for row in responses_of(ground, turn)}
    assert points == {member: worth(turn["number"], answer) for member, answer in given.items()}
    reveals = [one for one in mine if isinstance(one.card, RevealCard) and not one.deleted]
    if lost and not reveals:
        return
    assert len(reveals) == 1, "an answer is shown once, and stays"
    card = reveals[0].card
    assert isinstance(card, RevealCard)
    assert card.key == KEYS[turn["number"]]
    assert card.reposted is any(one.deleted for one in mine)
    assert card.answered == len(given)
    assert card.right == sum(one == 1000 for one in points.values())
    counts = [sum(place in answer for answer in given.values()) for place in range(len(card.tally))]
    assert list(card.tally) == counts


def _check_receipts(ground: Ground, turn: Row, token: str, players: Players) -> None:
    stored = {row["member"]: frozenset(_numbers(row["answer"])) for row in responses_of(ground, turn)}
    number = turn["number"]
    for member, answer in ANSWERS[number].items():
        if (token, number, member) in players.received:
            assert stored.pop(member) == answer, "a receipt was given for what is not stored"
        elif member in stored:
            assert stored.pop(member) == answer
    assert not stored, "somebody is said to have answered who did not"


def _check_result(
    stored: Row, seen: list[int], totals: dict[int, int], messages: list[Message]
) -> ResultCard | None:
    results = [one for one in messages if isinstance(one.card, ResultCard)]
    if stored["end_reason"] == "channel":
        assert len(results) <= 1
        return None
    assert len(results) == 1, "the result stands in the channel once"
    assert messages[-1] is results[0]
    card = results[0].card
    assert isinstance(card, ResultCard)
    assert card.asked == card.questions == len(seen)
    assert card.took_part == len(totals)
    assert card.average == (round(sum(totals.values()) / len(totals)) if totals else 0)
    assert card.stopped is (stored["end_reason"] == "stopped")
    best = sorted(totals.items(), key=lambda one: -one[1])[: -(-len(totals) // 2)]
    named = [(f"Member {member}", points) for member, points in best if points]
    # Ties stand on the podium together; those who lead it are the same either way.
    assert [(one.name, one.points) for one in card.podium][: len(named)] == named or len(
        {points for _, points in named}
    ) < len(named)
    return card


def _numbers(written: str) -> list[int]:
    return [int(part) for part in written.strip("[]").split(",") if part.strip()]
