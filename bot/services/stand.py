"""A round as it stands in the store: what its next step and its cards are made from."""

from dataclasses import dataclass
from datetime import datetime

from bot.core import round as rules
from bot.core.round import Standpoint, Step, Turn
from bot.ports import Posting
from bot.store import rounds
from bot.store.database import Tx
from bot.store.messages import MessageKind, find_newest
from bot.store.rounds import StoredRound


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
        confirmed = {turn.number for turn in self.turns if _confirmed(self.questions.get(turn.id))}
        posted = self.result is not None and self.result.message_id is not None
        lost = self.round.end_reason == "channel"
        point = Standpoint(
            self.round.state, self.round.next_at, frozenset(confirmed), result_posted=posted or lost
        )
        return rules.next_step(point, self.turns, now)


def _confirmed(posting: Posting | None) -> bool:
    return posting is not None and posting.message_id is not None


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
