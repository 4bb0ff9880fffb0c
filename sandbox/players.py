"""Members who play by themselves, so that one person at the screen sees a full round. They know the bot no better than
any client does: they press what its messages offer, at random, each at a pace of their own. What they may not do they
leave, and nobody plays for ever.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from sandbox import acts, permissions
from sandbox.clock import Timer
from sandbox.events import Event, InteractionChanged, MessageCreated, MessageEdited, WorldChanged
from sandbox.faults import Fault
from sandbox.hub import Hub
from sandbox.offers import Offer, Way, find_offer, some_values
from sandbox.wire import JsonObject, control_time, ids
from sandbox.world import Channel, Message

PACES = {"calm": (4.0, 16.0), "quick": (0.5, 4.0)}
"""How many seconds a player takes before each press: at least, and at most."""

CHANGES_MIND = 0.2
"""How often somebody who chose chooses once more."""

MOST_PRESSES = 6
"""How often one player presses because of one public message, its private answers and second thoughts included."""

USUAL_MINUTES, MOST_MINUTES = 60, 240
"""How long members play if nobody stops them, and how long they may be let play."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays where and how, and until when."""

    channel_id: int
    members: tuple[int, ...]
    pace: str
    seed: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a player presses: the public message it began with, and what that offered."""

    message_id: int
    way: Way


class Players:
    """The members who play by themselves now, if any do."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._game: _Game | None = None

    def start(self, plan: Plan) -> None:
        """Let these members play; whoever played before stops."""
        if self._game:
            self._game.end()
        self._game = _Game(self._hub, plan, self.stop)
        self._hub.feed.publish(WorldChanged())

    def stop(self) -> None:
        """Let nobody play any more."""
        if self._game:
            self._game.end()
            self._game = None
            self._hub.feed.publish(WorldChanged())

    def view(self) -> JsonObject:
        """Write who plays, for the control interface."""
        game = self._game
        return {
            "playing": game is not None,
            "channel": str(game.plan.channel_id) if game else None,
            "members": ids(game.plan.members) if game else [],
            "pace": game.plan.pace if game else None,
            "seed": game.plan.seed if game else None,
            "until": control_time(game.plan.until) if game else None,
            "presses": game.presses if game else 0,
        }


class _Game:
    """One playing of some members in a channel and its threads."""

    def __init__(self, hub: Hub, plan: Plan, over: Callable[[], None]) -> None:
        self.plan = plan
        self.presses = 0
        self._hub = hub
        self._random = Random(plan.seed)  # noqa: S311 (a game, which a seed repeats)
        self._timers: dict[int, Timer] = {}
        self._noticed: set[tuple[int, int, tuple[str, ...]]] = set()
        self._pressed: Counter[tuple[int, int]] = Counter()
        self._reasons: dict[int, Reason] = {}
        self._end_timer = hub.clock.call_at(plan.until, over)
        self._stop_listening = hub.feed.listen(self._hear)
        self._begin()

    def end(self) -> None:
        """Stop listening, and leave what was planned."""
        self._stop_listening()
        for timer in (self._end_timer, *self._timers.values()):
            timer.cancel()
        self._timers.clear()

    def _begin(self) -> None:
        standing = [one for one in self._hub.world.messages_in(self.plan.channel_id) if self._is_for_all(one)]
        for message in reversed(standing):
            if find_offer(message):
                self._look_at(message)
                return

    def _hear(self, event: Event) -> None:
        match event:
            case MessageCreated(message) | MessageEdited(message):
                self._look_at(message)
            case InteractionChanged(interaction) if interaction.state == "failed":
                reason = self._reasons.get(interaction.id)
                source = self._standing(interaction.channel_id, interaction.source_message_id)
                if reason and source:
                    self._later(interaction.user_id, source, reason)
            case _:
                pass

    def _look_at(self, message: Message) -> None:
        offer = find_offer(message)
        if offer is None:
            return
        if self._is_for_all(message):
            for member in self.plan.members:
                self._notice(member, message, offer, Reason(message.id, offer.way))
        elif message.ephemeral_for is not None and message.origin:
            reason = self._reasons.get(message.origin.interaction_id)
            # A button that stands out in a private answer completes a choice, or leads away from the round.
            if reason and (offer.way is not Way.BUTTON or reason.way is Way.OPTIONS):
                self._notice(message.ephemeral_for, message, offer, reason)

    def _is_for_all(self, message: Message) -> bool:
        channel = self._hub.world.channels.get(message.channel_id)
        here = channel is not None and self.plan.channel_id in (
            channel.id,
            channel.parent_id if channel.thread else None,
        )
        return here and message.author_id == self._hub.world.bot_id and message.ephemeral_for is None

    def _notice(self, member: int, message: Message, offer: Offer, reason: Reason) -> None:
        key = (member, message.id, offer.custom_ids)
        if key not in self._noticed:
            self._noticed.add(key)
            self._later(member, message, reason)

    def _later(self, member: int, message: Message, reason: Reason, tried: str | None = None) -> None:
        delay = timedelta(seconds=self._random.uniform(*PACES[self.plan.pace]))

        def act() -> None:
            self._timers.pop(timer.order, None)
            self._act(member, message, reason, tried)

        timer = self._hub.clock.call_at(self._hub.clock.now() + delay, act)
        self._timers[timer.order] = timer

    def _act(self, member: int, message: Message, reason: Reason, tried: str | None) -> None:
        offer = find_offer(message) if self._standing(message.channel_id, message.id) else None
        if offer is None or self._pressed[member, reason.message_id] >= MOST_PRESSES:
            return
        if not self._hub.bot_online:
            self._later(member, message, reason, tried)
            return
        used = self._use(member, message, offer, reason, tried)
        if used and tried is None and offer.way is not Way.BUTTON and self._random.random() < CHANGES_MIND:
            self._later(member, message, reason, used)

    def _use(
        self, member: int, message: Message, offer: Offer, reason: Reason, tried: str | None
    ) -> str | None:
        """Do what is offered, other than what was tried; returns the custom_id used, or None if it may not be."""
        others = [part for part in offer.components if part["custom_id"] != tried]
        part = self._random.choice(others or offer.components)
        custom_id = str(part["custom_id"])
        person = self._hub.world.users[member]
        try:
            if offer.way is Way.LIST:
                values = some_values(part, self._random)
                interaction = acts.select(self._hub, person, message, custom_id, values)
            else:
                interaction = acts.press(self._hub, person, message, custom_id)
        except Fault:
            return None
        self._reasons[interaction.id] = reason
        self._pressed[member, reason.message_id] += 1
        self.presses += 1
        return custom_id

    def _standing(self, channel_id: int, message_id: int | None) -> Message | None:
        return self._hub.world.messages.get(channel_id, {}).get(message_id or 0)


def choose_players(hub: Hub, channel: Channel, count: int, without: set[int]) -> tuple[int, ...]:
    """Choose members who see a channel, the newest first, so that those one knows by name stay free longest."""
    guild = hub.world.guilds.get(channel.guild_id or 0)
    if guild is None:
        return ()
    able = [
        one
        for one in guild.members
        if not hub.world.users[one].bot
        and one not in without
        and permissions.may_view(hub.world, channel, one)
    ]
    return tuple(able[::-1][:count])
