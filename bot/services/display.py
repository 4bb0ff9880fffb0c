"""A round as it stands in the store, and what its channel is shown of it: cards, and messages drawn anew."""

from dataclasses import dataclass
from datetime import datetime

from bot.core import round as rules
from bot.core.cards import Card, QuestionCard, ResultCard, RevealCard, Shown
from bot.core.quiz import Version
from bot.core.round import Standpoint, Step, Turn, TurnState
from bot.core.scoring import FULL, average, podium, ruling, tally
from bot.ports import STALE, MessageGone, Messenger, Posting, Urgency
from bot.services.library import Library
from bot.services.postbox import Postbox
from bot.store import people, responses, rounds
from bot.store.database import Database, Tx
from bot.store.messages import MessageKind, find_newest
from bot.store.rounds import StoredRound

PODIUM = 3
CROWD = 20
"""More names than this are not listed in public."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A round as it stands in the store, with its newest messages by turn."""

    round: StoredRound
    turns: list[Turn]
    questions: dict[int, Posting]
    reveals: dict[int, Posting]
    result: Posting | None

    def step(self, now: datetime) -> Step:
        """Return what the core says comes next."""
        posted_of = [(turn, self.questions[turn.id]) for turn in self.turns if turn.id in self.questions]
        confirmed = {turn.number for turn, posted in posted_of if posted.message_id is not None}
        outdated = {
            turn.number
            for turn, posted in posted_of
            if posted.drawn != turn.epoch and posted.deleted_at is None
        }
        stale = {turn.number for turn in self.turns if (shown := self.shown(turn)) and shown.drawn == STALE}
        result = self.result if self.result is not None and self.result.deleted_at is None else None
        posted = self.result is not None and self.result.message_id is not None
        lost = self.round.end_reason == "channel"
        point = Standpoint(
            self.round.state,
            self.round.next_at,
            frozenset(confirmed),
            result_posted=posted or lost,
            outdated=frozenset(outdated),
            stale=frozenset(stale),
            stale_result=posted and result is not None and result.drawn == STALE,
        )
        return rules.next_step(point, self.turns, now)

    def shown(self, turn: Turn) -> Posting | None:
        """Return the message that shows a turn: its question, or the reveal posted anew; None where neither stands."""
        for posting in (self.questions.get(turn.id), self.reveals.get(turn.id)):
            if posting is not None and posting.message_id is not None and posting.deleted_at is None:
                return posting
        return None


async def read_stand(tx: Tx, round_id: int) -> Stand:
    """Return everything about a round that its next step and its cards depend on."""
    turns = await rounds.read_turns(tx, round_id)
    ids = [turn.id for turn in turns]
    return Stand(
        await rounds.read_round(tx, round_id),
        turns,
        await find_newest(tx, MessageKind.QUESTION, ids),
        await find_newest(tx, MessageKind.REVEAL, ids),
        (await find_newest(tx, MessageKind.RESULT, [round_id])).get(round_id),
    )


class Display:
    """Makes the public cards of rounds, and draws their messages anew."""

    def __init__(self, database: Database, postbox: Postbox, messenger: Messenger, library: Library) -> None:
        self._database = database
        self._postbox = postbox
        self._messenger = messenger
        self._library = library

    async def redraw(self, round_id: int, turn_number: int, urgency: Urgency = Urgency.TURN) -> None:
        """Draw a turn's message as it stands now; a message that is gone is noted."""
        async with self._database.reading() as tx:
            stand = await read_stand(tx, round_id)
        turn = stand.turns[turn_number - 1]
        posting = stand.shown(turn)
        if posting is None:
            return
        if turn.state is TurnState.REVEALED:
            reposted = posting == stand.reveals.get(turn.id)
            card: Card = await self.reveal_card(stand, turn, reposted=reposted)
        elif turn.state is TurnState.OPEN:
            async with self._database.reading() as tx:
                answered = await responses.count_answered(tx, turn.id)
            card = self.question_card(stand, turn, await self._library.version(turn.version_id), answered)
        else:
            return
        try:
            await self._messenger.edit(posting, card, urgency)
        except MessageGone:
            await self._postbox.note_deleted(posting)
        else:
            await self._postbox.note_drawn(posting, turn.epoch)

    async def redraw_result(self, round_id: int) -> None:
        """Draw a round's result anew, if it stands in the channel."""
        async with self._database.reading() as tx:
            stand = await read_stand(tx, round_id)
        if stand.result is not None and stand.result.message_id is not None:
            try:
                await self._messenger.edit(stand.result, await self.result_card(stand), Urgency.REVEAL)
            except MessageGone:
                await self._postbox.note_deleted(stand.result)
            else:
                await self._postbox.note_drawn(stand.result, 0)

    def question_card(self, stand: Stand, turn: Turn, version: Version, answered: int = 0) -> QuestionCard:
        """Return the card of an open turn."""
        if turn.closes_at is None:
            raise AssertionError("rounds without a clock are not started yet")
        return QuestionCard(_shown(stand, turn, version), turn.closes_at, answered, turn.extended)

    async def reveal_card(self, stand: Stand, turn: Turn, *, reposted: bool = False) -> RevealCard:
        """Return the card of a revealed turn, as its version is ruled now."""
        version = await self._library.version(turn.version_id)
        async with self._database.reading() as tx:
            counts = await responses.count_answers(tx, turn.id)
            ruled = await rounds.read_corrections(tx, stand.round.guild, [turn.version_id])
        given = [answer for answer, (times, _) in counts.items() for _ in range(times)]
        key = ruling(version, ruled.get(turn.version_id, ())).key
        right = sum(times for times, worth in counts.values() if worth == FULL)
        where = _shown(stand, turn, version)
        return RevealCard(where, key, tally(len(version.options), given), len(given), right, reposted)

    async def result_card(self, stand: Stand) -> ResultCard:
        """Return the public end of a round."""
        asked = [turn for turn in stand.turns if turn.state is TurnState.REVEALED]
        versions = await self._library.versions([turn.version_id for turn in asked])
        async with self._database.reading() as tx:
            totals = await responses.round_totals(tx, stand.round.id)
            names = await people.public_names(tx, stand.round.guild, totals)
            ruled = await rounds.read_corrections(tx, stand.round.guild, versions)
        scored = sum(ruling(versions[one.version_id], ruled.get(one.version_id, ())).scored for one in asked)
        standings = podium(totals, names, PODIUM)
        crowd = len(standings) if len(standings) > CROWD else 0
        return ResultCard(
            token=stand.round.token,
            titles=stand.round.titles,
            asked=len(asked),
            questions=scored,
            took_part=len(totals),
            average=average(list(totals.values())),
            podium=() if crowd else standings,
            crowd=crowd,
            stopped=stand.round.end_reason == "stopped",
            unscored=len(asked) - scored,
        )


def _shown(stand: Stand, turn: Turn, version: Version) -> Shown:
    return Shown(stand.round.token, turn.number, len(stand.turns), version, turn.order)
