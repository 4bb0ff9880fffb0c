"""The life of an interaction: one first answer within 3 s, a token for 15 minutes, then nothing (discord-
facts §1). It knows times and states; what an answer says and how it travels is for the REST routes.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

from sandbox.clock import Clock, Timer
from sandbox.refusals import refuse
from sandbox.wire import JsonObject

FIRST_ANSWER_WITHIN = timedelta(seconds=3)
TOKEN_LIVES = timedelta(minutes=15)
KEPT = 20_000


class Kind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Discord's callback types that the sandbox takes."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    AUTOCOMPLETE = 8
    MODAL = 9


@dataclass(slots=True)
class Interaction:
    """One act of a member and what became of it. State: pending, done or failed."""

    id: int
    token: str
    kind: Kind
    user_id: int
    channel_id: int
    guild_id: int | None
    created_at: datetime
    data: JsonObject
    command: str | None = None
    source_message_id: int | None = None
    state: str = "pending"
    answered_at: datetime | None = None
    callback_type: int | None = None
    original_id: int | None = None
    message_ids: list[int] = field(default_factory=list[int])
    modal: JsonObject | None = None
    choices: list[JsonObject] = field(default_factory=list[JsonObject])
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    deadline: Timer | None = None

    @property
    def may_update(self) -> bool:
        """Say whether there is a source message that answers may edit: components, and modals opened from them."""
        return self.source_message_id is not None

    def allowed_callbacks(self) -> set[int]:
        """List the callback types this interaction takes as its first answer."""
        if self.kind is Kind.AUTOCOMPLETE:
            return {Callback.AUTOCOMPLETE}
        allowed = {int(Callback.MESSAGE), int(Callback.DEFERRED_MESSAGE)}
        if self.may_update:
            allowed |= {Callback.DEFERRED_UPDATE, Callback.UPDATE}
        if self.kind is not Kind.MODAL:
            allowed.add(Callback.MODAL)
        return allowed


class Interactions:
    """All interactions of late, by id and by token."""

    def __init__(self, clock: Clock, on_change: Callable[[Interaction], None]) -> None:
        self._clock = clock
        self._on_change = on_change
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def open(
        self,
        kind: Kind,
        user_id: int,
        channel_id: int,
        guild_id: int | None,
        data: JsonObject,
        command: str | None = None,
        source_message_id: int | None = None,
    ) -> Interaction:
        """Begin an interaction; the 3 s run from now."""
        now = self._clock.now()
        interaction = Interaction(
            self._clock.snowflake(),
            secrets.token_urlsafe(48),
            kind,
            user_id,
            channel_id,
            guild_id,
            now,
            data,
            command,
            source_message_id,
        )
        self._by_id[interaction.id] = interaction
        self._by_token[interaction.token] = interaction
        interaction.deadline = self._clock.call_at(now + FIRST_ANSWER_WITHIN, lambda: self._fail(interaction))
        self._forget_old()
        return interaction

    def find(self, interaction_id: int) -> Interaction | None:
        """Look for an interaction by its id."""
        return self._by_id.get(interaction_id)

    def awaiting_first_answer(self, interaction_id: int, token: str) -> Interaction:
        """Return the interaction a callback is for; raises 10062 when it is unknown or too late, 40060 when done."""
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token or interaction.state == "failed":
            raise refuse(10062)
        if interaction.state == "done":
            raise refuse(40060)
        return interaction

    def answered(self, token: str) -> Interaction:
        """Return the interaction of a webhook token; raises 50027 or 10015 when the token gives no right (any more)."""
        interaction = self._by_token.get(token)
        if interaction is None or self._clock.now() > interaction.created_at + TOKEN_LIVES:
            raise refuse(50027)
        if interaction.state != "done":
            raise refuse(10015)
        return interaction

    def answer(self, interaction: Interaction, callback_type: int) -> None:
        """Note the first answer."""
        interaction.state = "done"
        interaction.callback_type = callback_type
        interaction.answered_at = self._clock.now()
        self._settle(interaction)

    def token_is_dead(self, interaction_id: int) -> bool:
        """Say whether nothing can be filled in through this interaction any more."""
        interaction = self._by_id.get(interaction_id)
        return interaction is None or self._clock.now() > interaction.created_at + TOKEN_LIVES

    def _fail(self, interaction: Interaction) -> None:
        if interaction.state == "pending":
            interaction.state = "failed"
            self._settle(interaction)

    def _settle(self, interaction: Interaction) -> None:
        if interaction.deadline:
            interaction.deadline.cancel()
        interaction.settled.set()
        self._on_change(interaction)

    def _forget_old(self) -> None:
        while len(self._by_id) > KEPT:
            oldest = self._by_id.pop(next(iter(self._by_id)))
            self._by_token.pop(oldest.token, None)
