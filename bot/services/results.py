"""What a member sees of a round that has ended: their own result and mistakes, privately, from settled responses."""

from dataclasses import dataclass

from bot.core.cards import Face, MistakeCard, MyResultCard, ResultRow, Shown
from bot.core.quiz import Version
from bot.core.refusals import NothingToReview, NotOnTheTable, RoundRunning, Sealed
from bot.core.round import RoundState, Turn, TurnState
from bot.core.scoring import FULL, Ruling, ranks, ruling
from bot.core.sealing import sealed
from bot.services.library import Library
from bot.store import responses, rounds
from bot.store.database import Database
from bot.store.responses import Given
from bot.store.rounds import StoredRound


@dataclass(frozen=True, slots=True)
class _Own:
    """A round that has ended, with one member's responses to the turns that were revealed of all that were chosen."""

    round: StoredRound
    chosen: int
    turns: list[Turn]
    given: dict[int, Given]
    versions: dict[int, Version]
    rulings: dict[int, Ruling]
    unrevealed: frozenset[int]

    def is_sealed(self, turn: Turn) -> bool:
        """Tell whether a question is being asked again elsewhere in the server."""
        return sealed(turn.question, self.unrevealed)

    def is_mistake(self, turn: Turn) -> bool:
        """Tell whether a scored question was answered without full points, or not at all."""
        given = self.given.get(turn.id)
        return self.rulings[turn.version_id].scored and (given is None or given.points != FULL)


class Results:
    """Use cases around a result message."""

    def __init__(self, database: Database, library: Library) -> None:
        self._database = database
        self._library = library

    async def mine(self, token: str, member: int) -> MyResultCard:
        """Return a member's own result.

        Raises:
            NotOnTheTable, RoundRunning: there is none (yet).
        """
        own = await self._read(token, member)
        async with self._database.reading() as tx:
            totals = await responses.round_totals(tx, own.round.id)
        rows: list[ResultRow] = []
        for turn in own.turns:
            given = None if own.is_sealed(turn) else own.given.get(turn.id)
            version = own.versions[turn.version_id]
            scored = own.rulings[turn.version_id].scored and not own.is_sealed(turn)
            points = (given.points if given else 0) if scored else None
            answer = given.answer if given else None
            rows.append(ResultRow(turn.number, version, answer, points, own.is_sealed(turn)))
        return MyResultCard(
            token=token,
            titles=own.round.titles,
            rows=tuple(rows),
            points=sum(row.points or 0 for row in rows),
            best=sum(row.points is not None for row in rows),
            rank=ranks(totals).get(member),
            took_part=len(totals),
        )

    async def mistake(self, token: str, member: int, page: int, face: Face) -> MistakeCard:
        """Return one page of a member's mistakes.

        Raises:
            NotOnTheTable, RoundRunning: the round has no result (yet).
            NothingToReview: there is no mistake.
            Sealed: there is none among the questions that are not being asked again now.
        """
        own = await self._read(token, member)
        if not own.given:
            raise NothingToReview(took_part=False)
        open_turns = [turn for turn in own.turns if not own.is_sealed(turn)]
        told = [turn for turn in open_turns if own.is_mistake(turn)]
        if not told and len(open_turns) < len(own.turns):
            raise Sealed  # also where nothing sealed was answered wrongly: that too would tell
        if not told:
            raise NothingToReview(took_part=True)
        page = min(max(page, 0), len(told) - 1)
        turn = told[page]
        version = own.versions[turn.version_id]
        given = own.given.get(turn.id)
        return MistakeCard(
            token=token,
            page=page,
            pages=len(told),
            face=face,
            shown=Shown(token, turn.number, own.chosen, version, turn.order),
            key=own.rulings[turn.version_id].key or frozenset(),
            answer=given.answer if given else None,
        )

    async def _read(self, token: str, member: int) -> _Own:
        async with self._database.reading() as tx:
            stored = await rounds.find_round(tx, token)
            if stored is None:
                raise NotOnTheTable(ended=False)
            if stored.state is not RoundState.ENDED:
                raise RoundRunning
            chosen = await rounds.read_turns(tx, stored.id)
            turns = [turn for turn in chosen if turn.state is TurnState.REVEALED]
            given = await responses.member_responses(tx, stored.id, member)
            ids = [turn.version_id for turn in turns]
            ruled = await rounds.read_corrections(tx, stored.guild, ids)
            unrevealed = frozenset(await rounds.unrevealed_questions(tx, stored.guild))
        versions = await self._library.versions(ids)
        rulings = {one: ruling(versions[one], ruled.get(one, ())) for one in ids}
        return _Own(stored, len(chosen), turns, given, versions, rulings, unrevealed)
