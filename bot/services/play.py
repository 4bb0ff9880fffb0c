"""Playing a round: does what the core says comes next, one step at a time, until the round must wait.

Every step begins with what is stored and ends with something stored, so a process killed between any two of them is
replaced by one that goes on from there. Nothing about a running round is kept in memory.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.core import round as rules
from bot.core.cards import Card
from bot.core.round import Act, RoundState, Step, Turn, TurnState
from bot.core.scoring import ruling
from bot.ports import (
    AccessDenied,
    ChannelLost,
    Clock,
    MessageGone,
    Messenger,
    OutcomeUnknown,
    Posting,
    Urgency,
)
from bot.services.counters import Counters
from bot.services.display import Display, Stand, read_stand
from bot.services.library import Library
from bot.services.postbox import Postbox
from bot.services.presence import Presence
from bot.services.recorder import Recorder
from bot.store import responses, rounds
from bot.store.database import Database, Tx
from bot.store.messages import MessageKind, NewMessage
from bot.store.rounds import StoredRound

_log = logging.getLogger(__name__)

STEPS = 1_000
"""A bound on the steps of one act; the longest round has a few hundred."""
RETRY = timedelta(seconds=5)
PAUSED_RETRY = timedelta(seconds=60)
PAUSED_LIMIT = timedelta(hours=24)


class Play:
    """Acts for rounds; what is due is the scheduler's to know."""

    def __init__(
        self,
        database: Database,
        recorder: Recorder,
        postbox: Postbox,
        messenger: Messenger,
        library: Library,
        display: Display,
        counters: Counters,
        presence: Presence,
        clock: Clock,
    ) -> None:
        self._database = database
        self._recorder = recorder
        self._postbox = postbox
        self._messenger = messenger
        self._library = library
        self._display = display
        self._counters = counters
        self._presence = presence
        self._clock = clock

    async def due(self, now: datetime) -> list[int]:
        """Return the rounds that must act now."""
        async with self._database.reading() as tx:
            return await rounds.due_rounds(tx, now)

    async def next_due(self, after: datetime) -> datetime | None:
        """Return when the next round must act."""
        async with self._database.reading() as tx:
            return await rounds.next_due(tx, after)

    async def act(self, number: int) -> None:
        """Do what a round has to do until it must wait; store until when."""
        for _ in range(STEPS):
            async with self._database.reading() as tx:
                stand = await read_stand(tx, number)
            step = stand.step(self._clock.now())
            if step.act in (Act.WAIT, Act.REST) or self._held(stand, step):
                if step.turn is not None:
                    self._counters.plan(number, step.turn, self._draw_count)
                if await self._recorder.write(lambda tx: self._rest(tx, number)):
                    return
                continue
            try:
                await self._do(stand, step)
            except OutcomeUnknown as fault:
                _log.warning("round %s: outcome unknown (%s); trying again", stand.round.token, fault)
                await self._postpone(number, RETRY)
                return
            except AccessDenied as fault:
                await self._pause(stand.round, str(fault))
                return
            except ChannelLost:
                await self._recorder.write(lambda tx: lose(tx, number, self._clock.now()))
            else:
                if stand.round.state is RoundState.PAUSED:
                    await self._recorder.write(lambda tx: self._resume(tx, number))
        raise AssertionError(f"round {number} does not come to rest")

    async def _draw_count(self, number: int, turn_number: int, urgency: Urgency) -> None:
        try:
            await self._display.redraw(number, turn_number, urgency)
        except ChannelLost:
            # Noticed while the question is open, it is void; at its reveal it would count, and nobody would see it.
            await self._recorder.write(lambda tx: lose(tx, number, self._clock.now()))

    def _held(self, stand: Stand, step: Step) -> bool:
        """Tell whether a step waits for a shard to return: presses may be on their way that nobody can send us."""
        return step.act is Act.CLOSE and self._presence.is_away(stand.round.guild)

    async def _rest(self, tx: Tx, number: int) -> bool:
        """Store until when the round waits; False if meanwhile something came up."""
        stand = await read_stand(tx, number)
        now = self._clock.now()
        step = stand.step(now)
        if self._held(stand, step):
            await rounds.write_round(tx, number, due_at=now + PAUSED_RETRY)
            return True
        if step.act not in (Act.WAIT, Act.REST):
            return False
        await rounds.write_round(tx, number, due_at=step.until)
        return True

    async def _do(self, stand: Stand, step: Step) -> None:
        turn = step.turn
        if step.act is Act.FINISH:
            await self._recorder.write(lambda tx: self._finish(tx, stand.round.id))
        elif step.act is Act.REDRAW_RESULT:
            await self._display.redraw_result(stand.round.id)
        elif step.act is Act.POST_RESULT:
            await self._post_result(stand)
        elif turn is not None:
            acts: dict[Act, Callable[[Stand, Turn], Awaitable[None]]] = {
                Act.OPEN: self._open,
                Act.POST: self._take_up,
                Act.REDRAW: self._redraw,
                Act.CLOSE: self._close,
                Act.REVEAL: self._reveal,
                Act.SHOW_REVEAL: self._show_reveal,
            }
            await acts[step.act](stand, turn)

    # A turn, from the table to its reveal.

    async def _open(self, stand: Stand, turn: Turn) -> None:
        version = await self._library.version(turn.version_id)

        async def claiming(tx: Tx, now: datetime) -> Card | None:
            fresh = await _fresh(tx, stand.round.id, turn.number)
            if fresh.state is not TurnState.PENDING:
                return None
            opened = rules.open_turn(fresh, now)
            await rounds.write_turn(tx, opened)
            await rounds.write_round(tx, stand.round.id, next_at=None)
            return self._display.question_card(stand, opened, version)

        new = NewMessage(
            MessageKind.QUESTION,
            turn.id,
            stand.round.channel_id,
            stand.round.language,
            rules.open_turn(turn, self._clock.now()).epoch,
        )
        await self._postbox.post(new, Urgency.TURN, claiming, self._confirming(stand, turn))

    async def _take_up(self, stand: Stand, turn: Turn) -> None:
        """Deliver a question that was claimed and never confirmed."""
        card = self._display.question_card(stand, turn, await self._library.version(turn.version_id))
        await self._postbox.deliver(
            stand.questions[turn.id], card, Urgency.TURN, self._confirming(stand, turn)
        )

    async def _redraw(self, stand: Stand, turn: Turn) -> None:
        await self._display.redraw(stand.round.id, turn.number)

    def _confirming(self, stand: Stand, turn: Turn) -> Callable[[Tx, Posting, datetime], Awaitable[None]]:
        async def confirming(tx: Tx, posting: Posting, sent_at: datetime) -> None:
            fresh = await _fresh(tx, stand.round.id, turn.number)
            moved = rules.confirm(fresh, sent_at)
            if moved != fresh:
                await rounds.write_turn(tx, moved)

        return confirming

    async def _close(self, stand: Stand, turn: Turn) -> None:
        await self._counters.stop(turn.id)

        async def close(tx: Tx) -> None:
            fresh = await _fresh(tx, stand.round.id, turn.number)
            await rounds.write_turn(tx, rules.close(fresh, turn.epoch, self._clock.now()))

        await self._recorder.write(close)

    async def _reveal(self, stand: Stand, turn: Turn) -> None:
        await self._counters.stop(turn.id)
        version = await self._library.version(turn.version_id)

        async def reveal(tx: Tx) -> None:
            fresh = await _fresh(tx, stand.round.id, turn.number)
            revealed = rules.reveal(fresh, self._clock.now())
            if revealed is fresh:
                return
            await rounds.write_turn(tx, revealed)
            await rounds.write_round(tx, stand.round.id, next_at=None)
            ruled = await rounds.read_corrections(tx, stand.round.guild, [turn.version_id])
            now_ruled = ruling(version, ruled.get(turn.version_id, ()))
            await responses.settle_turn(tx, turn, version, now_ruled, self._clock.now())

        await self._recorder.write(reveal)

    async def _show_reveal(self, stand: Stand, turn: Turn) -> None:
        """Show the answer in the turn's own message, or anew where that was deleted."""
        card = await self._display.reveal_card(stand, turn)
        posting = stand.questions[turn.id]
        if posting.message_id is None:
            # Stopped between claim and confirmation. It is looked for, and if need be posted, as the open question:
            # only that carries ids by which it can be found again.
            version = await self._library.version(turn.version_id)
            question = self._display.question_card(stand, turn, version)
            posting = await self._postbox.deliver(posting, question, Urgency.REVEAL)
        gone = posting.deleted_at is not None
        if not gone:
            try:
                await self._messenger.edit(posting, card, Urgency.REVEAL)
            except MessageGone:
                await self._postbox.note_deleted(posting)
                gone = True
        if gone:
            await self._repost_reveal(stand, turn)
        version = await self._library.version(turn.version_id)

        async def stand_from_now(tx: Tx) -> None:
            # Read anew: a stop meanwhile makes this the last reveal.
            last = not any(
                one.state is TurnState.PENDING for one in await rounds.read_turns(tx, stand.round.id)
            )
            until = self._clock.now() + rules.standing_time(version, last=last)
            await rounds.write_round(tx, stand.round.id, next_at=until)

        await self._recorder.write(stand_from_now)

    async def _repost_reveal(self, stand: Stand, turn: Turn) -> None:
        card = await self._display.reveal_card(stand, turn, reposted=True)
        claimed = stand.reveals.get(turn.id)
        if claimed is None:
            new = NewMessage(MessageKind.REVEAL, turn.id, stand.round.channel_id, stand.round.language)
            await self._postbox.post(new, Urgency.REVEAL, _sending(card))
        elif claimed.message_id is None:
            await self._postbox.deliver(claimed, card, Urgency.REVEAL)

    # Its end.

    async def _finish(self, tx: Tx, number: int) -> None:
        stored = await rounds.read_round(tx, number)
        now = self._clock.now()
        reason = stored.end_reason or "played"
        await rounds.write_round(tx, number, state=RoundState.ENDED.value, ended_at=now, end_reason=reason)

    async def _post_result(self, stand: Stand) -> None:
        card = await self._display.result_card(stand)
        if stand.result is not None:
            await self._postbox.deliver(stand.result, card, Urgency.REVEAL)
            return
        new = NewMessage(MessageKind.RESULT, stand.round.id, stand.round.channel_id, stand.round.language)
        await self._postbox.post(new, Urgency.REVEAL, _sending(card))

    # What goes wrong.

    async def _postpone(self, number: int, pause: timedelta) -> None:
        due = self._clock.now() + pause
        await self._recorder.write(lambda tx: rounds.write_round(tx, number, due_at=due))

    async def _pause(self, stored: StoredRound, reason: str) -> None:
        """Wait for a right that was taken away; after a day the round ends."""
        now = self._clock.now()
        _log.warning("round %s pauses: %s", stored.token, reason)

        async def pause(tx: Tx) -> None:
            since = await rounds.paused_since(tx, stored.id)
            if since is not None and now - since > PAUSED_LIMIT:
                await lose(tx, stored.id, now)
                return
            facts = {"due_at": now + PAUSED_RETRY, "pause_reason": reason[:64], "paused_at": since or now}
            state = {} if stored.state is RoundState.ENDED else {"state": RoundState.PAUSED.value}
            await rounds.write_round(tx, stored.id, **facts, **state)

        await self._recorder.write(pause)

    async def _resume(self, tx: Tx, number: int) -> None:
        stored = await rounds.read_round(tx, number)
        if stored.state is RoundState.PAUSED:
            state = RoundState.PLAYING.value
            await rounds.write_round(tx, number, state=state, paused_at=None, pause_reason=None)


async def lose(tx: Tx, number: int, now: datetime) -> None:
    """End a round whose channel is gone: what is on the table is void and settles without points."""
    for turn in await rounds.read_turns(tx, number):
        lost = rules.lose_channel(turn)
        if lost is not turn:
            await rounds.write_turn(tx, lost)
        if lost.state is TurnState.VOID:
            await responses.settle_void(tx, turn.id, now)
    ended = {"state": RoundState.ENDED.value, "ended_at": now, "end_reason": "channel"}
    await rounds.write_round(tx, number, **ended, due_at=None)
    stored = await rounds.read_round(tx, number)
    await rounds.note(tx, now, stored.guild, None, "round_lost", round=stored.token)


async def _fresh(tx: Tx, round_id: int, number: int) -> Turn:
    return (await rounds.read_turns(tx, round_id))[number - 1]


def _sending(card: Card) -> Callable[[Tx, datetime], Awaitable[Card | None]]:
    async def claiming(tx: Tx, now: datetime) -> Card | None:
        return card

    return claiming
