"""Use cases, one module each. They speak to the outside in cards and through ports."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.services.library import Library
    from bot.services.notes import Notes
    from bot.services.presence import Presence
    from bot.services.results import Results
    from bot.services.rounds import Rounds


@dataclass(frozen=True, slots=True)
class Services:
    """What the client and its cogs may call."""

    library: "Library"
    rounds: "Rounds"
    results: "Results"
    presence: "Presence"
    notes: "Notes"
