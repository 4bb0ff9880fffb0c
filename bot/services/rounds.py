"""Live rounds as people and outages act on them: started, answered, stopped, and given back their time.

What happens by itself, with the clock, is `play`'s.
"""

import base64
import logging
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core import round as rules
from bot.core.cards import AnswerCard, ChoiceCard, LateCard, Outcome, Receipt, Shown
from bot.core.quiz import Text, Version
from bot.core.refusals import (
    ChannelGone,
    EmptyQuiz,
    NoRound,
    NothingToAsk,
    NotHost,
    NotOnTheTable,
    PermissionsMissing,
    RoundOpen,
    Sealed,
    TooLate,
)
from bot.core.round import TurnState
from bot.core.scoring import ruling
from bot.core.sealing import sealed
from bot.core.selection import choose, shuffled
from bot.ports import Clock, Messenger
from bot.scheduler import Scheduler
from bot.services.counters import Counters
from bot.services.library import Found, Library
from bot.services.play import lose
from bot.services.presence import Presence
from bot.services.recorder import Pressed, Recorder
from bot.store import people, responses, rounds
from bot.store.database import Database, Tx
from bot.store.messages import MessageKind, find_newest
from bot.store.responses import Addressed
from bot.store.rounds import ChannelTaken, NewTurn, StoredRound

_log = logging.getLogger(__name__)

QUESTIONS = 10
"""How many questions a round asks when nobody says a number."""


@dataclass(frozen=True, slots=True)
class Started:
    """A round that has begun. `link` is None where its first message is not up yet; `left_out` counts the questions
    that are on the table in another round of the server.
    """

    title: Text
    questions: int
    left_out: int
    link: str | None


class Rounds:
    """The use cases of live rounds."""

    def __init__(
        self,
        database: Database,
        recorder: Recorder,
        library: Library,
        scheduler: Scheduler,
        counters: Counters,
        presence: Presence,
        messenger: Messenger,
        clock: Clock,
    ) -> None:
        self._database = database
        self._recorder = recorder
        self._library = library
        self._scheduler = scheduler
        self._counters = counters
        self._presence = presence
        self._messenger = messenger
        self._clock = clock

    async def start(
        self,
        guild: int,
        channel_id: int,
        host: int,
        found: Found,
        questions: int | None,
        language: str,
        missing: Sequence[str] | None = None,
    ) -> Started:
        """Start a live round of a quiz in a channel and put its first question on the table.

        `missing` names the permissions that the bot lacks there, where Discord has just told; else they are looked up.

        Raises:
            PermissionsMissing, RoundOpen, EmptyQuiz, NothingToAsk, ChannelGone: nothing was started.
        """
        if missing is None:
            missing = self._messenger.missing_permissions(channel_id)
        if missing:
            raise PermissionsMissing(channel_id, tuple(missing))
        if not found.questions:
            raise EmptyQuiz
        round_id, asked, left_out = await self._create(guild, channel_id, host, found, questions, language)
        await self._scheduler.act_now(round_id)
        self._scheduler.wake()
        async with self._database.reading() as tx:
            stored = await rounds.read_round(tx, round_id)
            link = await self._newest_link(tx, stored)
        if stored.end_reason == "channel":
            raise ChannelGone
        if stored.state is rules.RoundState.PAUSED:
            # It could not even begin: better not at all than all of a sudden, when somebody mends a permission.
            await self._recorder.write(lambda tx: lose(tx, round_id, self._clock.now()))
            raise PermissionsMissing(channel_id, tuple(self._messenger.missing_permissions(channel_id)))
        return Started(found.quiz.title, asked, left_out, link)

    async def _create(
        self, guild: int, channel_id: int, host: int, found: Found, questions: int | None, language: str
    ) -> tuple[int, int, int]:
        """Write the round; return its id, how many it asks, and how many are on the table elsewhere."""
        seed = secrets.randbits(62)
        rng = random.Random(seed)  # noqa: S311 - a shuffle, stored with its seed
        token = base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]

        async def create(tx: Tx) -> tuple[int, int, int]:
            open_here = await rounds.find_open_round(tx, channel_id)
            if open_here is not None:
                raise RoundOpen(await self._newest_link(tx, open_here))
            unrevealed = await rounds.unrevealed_questions(tx, guild)
            free = {one.id: one for one in found.questions if not sealed(one.id, unrevealed.keys())}
            if not free:
                elsewhere = await rounds.read_round(tx, next(iter(unrevealed.values())))
                raise NothingToAsk(await self._newest_link(tx, elsewhere))
            asked_at = await rounds.last_asked(tx, guild, free)
            count = min(questions or QUESTIONS, rules.MAX_QUESTIONS)
            chosen = [free[one] for one in choose(list(free), asked_at, count)]
            asked = [
                NewTurn(
                    one.id,
                    one.version_id,
                    shuffled(one.version, rng),
                    rules.reading_seconds(one.version),
                )
                for one in chosen
            ]
            now = self._clock.now()
            try:
                round_id = await rounds.create_round(
                    tx,
                    token=token,
                    guild=guild,
                    channel_id=channel_id,
                    host=host,
                    titles=[found.quiz.title],
                    language=language,
                    seed=seed,
                    asked=asked,
                    now=now,
                )
            except ChannelTaken:
                raise RoundOpen(None) from None
            await rounds.note(tx, now, guild, host, "round_started", round=token, quiz=found.quiz.ref)
            return round_id, len(chosen), len(found.questions) - len(free)

        return await self._recorder.write(create)

    async def stop(self, channel_id: int, member: int, *, quizmaster: bool, at: datetime) -> Text:
        """Stop the round of a channel at an instant: what was asked counts, the results follow; return its title.

        Raises:
            NoRound, NotHost: none plays here, or the member is neither its host nor a quizmaster.
        """

        async def stop(tx: Tx) -> StoredRound:
            stored = await rounds.find_open_round(tx, channel_id)
            silenced = stored is not None and stored.state is rules.RoundState.PAUSED
            if stored is None or (stored.end_reason is not None and not silenced):
                raise NoRound
            if member != stored.host and not quizmaster:
                raise NotHost
            now = self._clock.now()
            if stored.end_reason is not None:
                # Stopped before, and not allowed to say so in the channel: it makes room for the next.
                await lose(tx, stored.id, now)
                return stored
            for turn in await rounds.read_turns(tx, stored.id):
                stopped = rules.stop(turn, at, now)
                if stopped is not turn:
                    await rounds.write_turn(tx, stopped)
            await rounds.write_round(
                tx, stored.id, end_reason="stopped", due_at=now, next_at=stored.next_at and now
            )
            await rounds.note(tx, now, stored.guild, member, "round_stopped", round=stored.token)
            return stored

        stored = await self._recorder.write(stop)
        self._scheduler.wake()
        return stored.titles[0]

    async def respond(self, guild: int | None, pressed: Pressed) -> Receipt | LateCard:
        """Record a press; return its receipt once it is on disk, or that it came too late.

        Raises:
            NotOnTheTable: the round is over or unknown.
        """
        await self._presence.arrived(guild)
        try:
            recorded = await self._recorder.respond(pressed)
        except TooLate as late:
            return await self._late(late)
        addressed, decision = recorded.turn, recorded.decision
        if decision.write:
            await self._follow(addressed, decision.outcome)
        version = await self._library.version(addressed.turn.version_id)
        return Receipt(
            _shown(addressed, version), decision.outcome, decision.response.answer, decision.before
        )

    async def _follow(self, addressed: Addressed, outcome: Outcome) -> None:
        """Let the channel follow what was recorded: the counter soon, or at once where the answer already stands."""
        if addressed.turn.state is TurnState.REVEALED:
            self._scheduler.wake()  # reveal and result are drawn anew
        elif outcome is Outcome.SAVED:
            self._counters.note(addressed.turn.id)

    async def choice(
        self, guild: int | None, token: str, number: int, member: int, at: datetime
    ) -> ChoiceCard | LateCard:
        """Return the private select of a question with several right answers, with what the member marked so far.

        Raises:
            NotOnTheTable: the round is over or unknown.
        """
        await self._presence.arrived(guild)
        async with self._database.reading() as tx:
            addressed = (await responses.read_addressed(tx, [(token, number)])).get((token, number))
            if addressed is None or addressed.turn.state in (TurnState.DROPPED, TurnState.VOID):
                raise NotOnTheTable(ended=addressed is not None)
            own = await responses.find_own(tx, addressed.turn.id, member)
        turn = addressed.turn
        closed_at = turn.closes_at or turn.closed_at
        if closed_at is not None and at > closed_at:
            return await self._late(TooLate(token, number, closed_at))
        version = await self._library.version(turn.version_id)
        return ChoiceCard(_shown(addressed, version), turn.closes_at, own)

    async def _late(self, late: TooLate) -> LateCard:
        async with self._database.reading() as tx:
            stored = await rounds.find_round(tx, late.token)
            if stored is None:
                raise NotOnTheTable(ended=False)
            turns = await rounds.read_turns(tx, stored.id)
            others = (turn for turn in turns if turn.state is TurnState.OPEN and turn.number != late.number)
            on_table = next(others, None)
            posted = await find_newest(tx, MessageKind.QUESTION, [on_table.id] if on_table else [])
        revealed = turns[late.number - 1].state is TurnState.REVEALED
        link = None
        if on_table is not None:
            message_id = posted[on_table.id].message_id
            link = self._messenger.link(stored.guild, stored.channel_id, message_id) if message_id else None
        return LateCard(late.token, late.number, late.closed_at, revealed, link)

    async def answer(self, token: str, number: int, member: int) -> AnswerCard:
        """Return a revealed question with its explanation, and what the member chose.

        Raises:
            NotOnTheTable: it is not revealed, or not known.
            Sealed: it is being asked again now.
        """
        async with self._database.reading() as tx:
            addressed = (await responses.read_addressed(tx, [(token, number)])).get((token, number))
            if addressed is None or addressed.turn.state is not TurnState.REVEALED:
                raise NotOnTheTable(ended=False)
            unrevealed = await rounds.unrevealed_questions(tx, addressed.guild)
            if sealed(addressed.turn.question, unrevealed.keys()):
                raise Sealed
            own = await responses.find_own(tx, addressed.turn.id, member)
            ruled = await rounds.read_corrections(tx, addressed.guild, [addressed.turn.version_id])
        version = await self._library.version(addressed.turn.version_id)
        key = ruling(version, ruled.get(addressed.turn.version_id, ())).key
        return AnswerCard(_shown(addressed, version), key, own)

    async def came_back(self, shard: int) -> None:
        """Give open turns on a shard the time its absence took from them, and let every unfinished round act."""
        since = self._presence.away_since(shard)

        async def extend(tx: Tx) -> None:
            now = self._clock.now()
            for stored, turn in await rounds.open_turns(tx):
                if since is None or self._presence.shard_of(stored.guild) != shard:
                    continue
                # Also one not confirmed: it may have been seen. If it was not, its confirmation gives full time.
                extended = rules.return_from_outage(turn, since, now)
                if extended is not turn:
                    await rounds.write_turn(tx, extended)
            await rounds.wake_unfinished(tx, now)
            if since is not None:
                await people.add_outage(tx, since, now, shard)

        await self._recorder.write(extend)
        self._presence.arrive(shard)
        self._scheduler.wake()

    async def _newest_link(self, tx: Tx, stored: StoredRound) -> str | None:
        turns = await rounds.read_turns(tx, stored.id)
        posted = await find_newest(tx, MessageKind.QUESTION, [turn.id for turn in turns])
        newest = max((one.message_id for one in posted.values() if one.message_id), default=None)
        return self._messenger.link(stored.guild, stored.channel_id, newest) if newest else None


def _shown(addressed: Addressed, version: Version) -> Shown:
    return Shown(addressed.token, addressed.turn.number, addressed.total, version, addressed.turn.order)
