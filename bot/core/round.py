"""The round as a state machine: commands in, new state or typed refusals out. No I/O, no clock, no text.

A deadline is a stored instant that moves only by a recorded transition with a new epoch. A press counts by its own
instant, never by the state it finds. What a round does next is a pure function of what is stored, so that a round
taken up after a crash goes on exactly where it stood.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.core.cards import Outcome
from bot.core.quiz import Version
from bot.core.refusals import NotOnTheTable, TooLate

DRAIN = timedelta(seconds=1.5)
"""How long after the deadline the close is queued: presses made in time may still be on their way."""
LATE_LIMIT = timedelta(minutes=15)
"""How long after the close a press made in time is still recorded; Discord's tokens live no longer."""
SLOW_POST = timedelta(seconds=2)
"""A question confirmed later than this after its claim gets its full time from the confirmation."""
AWAY_GRACE = timedelta(seconds=15)
AWAY_THRESHOLD = timedelta(seconds=10)
MAX_QUESTIONS = 25
_NONE: frozenset[int] = frozenset()


class RoundState(StrEnum):
    """Where a round stands. `PAUSED` waits for a channel that refuses the bot; presses still count."""

    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"


class TurnState(StrEnum):
    """Where a turn stands. `DROPPED` was never asked; `VOID` was open when its channel was lost."""

    PENDING = "pending"
    OPEN = "open"
    CLOSED = "closed"
    REVEALED = "revealed"
    DROPPED = "dropped"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a round on the table.

    `order[i]` is the place as written of the option shown at place i. `seconds` is its time, None where the host
    goes on. `closes_at` is a whole second, None while the clock is stopped. `extended`: an outage has moved it.
    """

    id: int
    number: int
    question: int
    version_id: int
    order: tuple[int, ...]
    seconds: int | None
    state: TurnState = TurnState.PENDING
    epoch: int = 0
    opened_at: datetime | None = None
    closes_at: datetime | None = None
    closed_at: datetime | None = None
    revealed_at: datetime | None = None
    extended: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """A member's press on a turn: `at` is the instant in the interaction's id, `shown` the places pressed."""

    member: int
    interaction: int
    at: datetime
    shown: frozenset[int]


@dataclass(frozen=True, slots=True)
class Response:
    """What is stored of one member in one turn: the options' places as written, and the press it comes from."""

    answer: frozenset[int]
    interaction: int
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """What a press does: the reply's outcome, the response that holds, and whether it must be written."""

    outcome: Outcome
    response: Response
    before: frozenset[int] | None
    write: bool


def reading_seconds(version: Version) -> int:
    """Return a turn's time by length: 15 s + 1 s for each 12 characters of stem and options, up to a multiple of 5.

    Between 20 and 180 s; the longest language counts, so that nobody reads against a shorter clock.
    """
    longest = max(
        len(version.stem[language]) + sum(len(option.text.get(language, "")) for option in version.options)
        for language in version.languages()
    )
    return min(180, max(20, 5 * math.ceil((15 + longest / 12) / 5)))


def standing_time(version: Version, *, last: bool) -> timedelta:
    """Return how long a reveal stands: 8 s + 1 s for each 25 characters of explanation, at most 40 s.

    The last reveal stands 8 s: the result is a message of its own and takes nothing away.
    """
    longest = max((len(text) for text in version.explanation.values()), default=0)
    return timedelta(seconds=8 if last else min(40, 8 + longest // 25))


def whole_second(instant: datetime) -> datetime:
    """Return the first whole second not before an instant."""
    return instant if instant.microsecond == 0 else instant.replace(microsecond=0) + timedelta(seconds=1)


def open_turn(turn: Turn, now: datetime) -> Turn:
    """Put a pending turn on the table; its clock runs from now. Anything else is left as it is."""
    if turn.state is not TurnState.PENDING:
        return turn
    closes = None if turn.seconds is None else whole_second(now + timedelta(seconds=turn.seconds))
    return replace(turn, state=TurnState.OPEN, epoch=turn.epoch + 1, opened_at=now, closes_at=closes)


def confirm(turn: Turn, sent_at: datetime) -> Turn:
    """Take note of when Discord has the question: a slow post gets its full time, by a new epoch."""
    if (
        turn.state is not TurnState.OPEN
        or turn.opened_at is None
        or turn.closes_at is None
        or turn.seconds is None
        or sent_at - turn.opened_at <= SLOW_POST
    ):
        return turn
    closes = whole_second(sent_at + timedelta(seconds=turn.seconds))
    if closes <= turn.closes_at:
        return turn
    return replace(turn, epoch=turn.epoch + 1, closes_at=closes, extended=False)


def return_from_outage(turn: Turn, away_from: datetime, now: datetime) -> Turn:
    """Give an open turn 15 s from the return, once, if its deadline fell into the outage or is less than 10 s off."""
    if turn.state is not TurnState.OPEN or turn.closes_at is None or turn.extended:
        return turn
    if turn.closes_at < away_from or turn.closes_at - now >= AWAY_THRESHOLD:
        return turn
    return replace(turn, epoch=turn.epoch + 1, closes_at=whole_second(now + AWAY_GRACE), extended=True)


def close(turn: Turn, epoch: int, now: datetime) -> Turn:
    """Close an open turn whose deadline this epoch set; a stale close changes nothing."""
    if turn.state is not TurnState.OPEN or turn.epoch != epoch:
        return turn
    return replace(turn, state=TurnState.CLOSED, epoch=turn.epoch + 1, closed_at=now)


def reveal(turn: Turn, now: datetime) -> Turn:
    """Make a closed turn's answer public; anything else is left as it is."""
    if turn.state is not TurnState.CLOSED:
        return turn
    return replace(turn, state=TurnState.REVEALED, epoch=turn.epoch + 1, revealed_at=now)


def stop(turn: Turn, at: datetime, now: datetime) -> Turn:
    """Stop at an instant: an open turn closes there and will be revealed, a pending one is dropped."""
    if turn.state is TurnState.PENDING:
        return replace(turn, state=TurnState.DROPPED, epoch=turn.epoch + 1)
    if turn.state is TurnState.OPEN:
        closes = at if turn.closes_at is None else min(at, turn.closes_at)
        return replace(turn, state=TurnState.CLOSED, epoch=turn.epoch + 1, closes_at=closes, closed_at=now)
    return turn


def lose_channel(turn: Turn) -> Turn:
    """End a turn whose channel is gone: what is on the table is void, what was not asked is dropped."""
    if turn.state is TurnState.PENDING:
        return replace(turn, state=TurnState.DROPPED, epoch=turn.epoch + 1)
    if turn.state in (TurnState.OPEN, TurnState.CLOSED):
        return replace(turn, state=TurnState.VOID, epoch=turn.epoch + 1)
    return turn


def respond(token: str, turn: Turn, press: Press, earlier: Response | None, now: datetime) -> Decision:
    """Decide one press from the turn, the press, and that member's earlier response: nothing else.

    Raises:
        NotOnTheTable: the turn was never asked, or was lost.
        TooLate: the press was made after the deadline, or arrived more than 15 minutes after the close.
    """
    if turn.state in (TurnState.PENDING, TurnState.DROPPED, TurnState.VOID):
        raise NotOnTheTable(ended=turn.state is not TurnState.PENDING)
    deadline = turn.closes_at or turn.closed_at  # without a clock, the close itself is the deadline
    expired = turn.closed_at is not None and now - turn.closed_at > LATE_LIMIT
    if deadline is not None and (press.at > deadline or expired):
        raise TooLate(token, turn.number, deadline)
    if not all(0 <= place < len(turn.order) for place in press.shown):
        raise NotOnTheTable(ended=False)
    answer = frozenset(turn.order[place] for place in press.shown)
    response = Response(answer, press.interaction, press.at)
    if earlier is None:
        return Decision(Outcome.SAVED, response, None, write=True)
    if earlier.interaction >= press.interaction:
        outcome = Outcome.SAME if earlier.answer == answer else Outcome.KEPT
        return Decision(outcome, earlier, None, write=False)
    if earlier.answer == answer:
        return Decision(Outcome.SAME, response, None, write=True)
    return Decision(Outcome.CHANGED, response, earlier.answer, write=True)


class Act(StrEnum):
    """What a round does next."""

    OPEN = "open"  # put the turn on the table: claim and post its message
    POST = "post"  # its message is claimed and not confirmed
    REDRAW = "redraw"  # its message may show an earlier deadline, or what a late press has changed
    CLOSE = "close"
    REVEAL = "reveal"  # settle and make public
    SHOW_REVEAL = "show"  # revealed, and the channel may not show it yet
    FINISH = "finish"
    POST_RESULT = "result"
    REDRAW_RESULT = "redraw result"
    WAIT = "wait"
    REST = "rest"  # nothing ever again


@dataclass(frozen=True, slots=True)
class Step:
    """An act on a turn, where it has one, or a wait until an instant; `turn` is then the open one."""

    act: Act
    turn: Turn | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standpoint:
    """What the next step depends on, beside the turns.

    `confirmed` are the numbers of the turns whose message Discord is known to have, `outdated` those of them that may
    show an earlier epoch; `stale` are revealed turns, and `stale_result` a result, that a late press has changed;
    `next_at` is when the reveal that stands may go, None until the channel shows it.
    """

    state: RoundState
    next_at: datetime | None
    confirmed: frozenset[int]
    result_posted: bool
    outdated: frozenset[int] = _NONE
    stale: frozenset[int] = _NONE
    stale_result: bool = False


def next_step(point: Standpoint, turns: Sequence[Turn], now: datetime) -> Step:
    """Decide what a round does next from what is stored alone."""
    for turn in turns:
        if turn.state is TurnState.REVEALED and turn.number in point.stale:
            return Step(Act.REDRAW, turn)
    if point.stale_result:
        return Step(Act.REDRAW_RESULT)
    if point.state is RoundState.ENDED and point.result_posted:
        return Step(Act.REST)
    asked = [
        turn for turn in turns if turn.state is not TurnState.PENDING and turn.state is not TurnState.DROPPED
    ]
    waiting = [turn for turn in turns if turn.state is TurnState.PENDING]
    current = asked[-1] if asked else None
    if current is not None and current.state is TurnState.OPEN:
        return _open_step(point, current, now)
    if current is not None and current.state is TurnState.CLOSED:
        return Step(Act.REVEAL, current)
    if current is not None and current.state is TurnState.REVEALED:
        if point.next_at is None:
            return Step(Act.SHOW_REVEAL, current)
        if now < point.next_at:
            return Step(Act.WAIT, until=point.next_at)
    if point.state is RoundState.ENDED:
        return Step(Act.POST_RESULT)
    return Step(Act.OPEN, waiting[0]) if waiting else Step(Act.FINISH)


def _open_step(point: Standpoint, turn: Turn, now: datetime) -> Step:
    if turn.number not in point.confirmed:
        return Step(Act.POST, turn)
    if turn.number in point.outdated:
        return Step(Act.REDRAW, turn)
    if turn.closes_at is None:
        return Step(Act.WAIT, turn)
    if now < turn.closes_at + DRAIN:
        return Step(Act.WAIT, turn, turn.closes_at + DRAIN)
    return Step(Act.CLOSE, turn)
