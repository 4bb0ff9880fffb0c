"""What a round asks and how it shuffles, from seeded randomness that is stored with the round."""

import random
from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.core.quiz import Version


def choose(candidates: Sequence[int], asked_at: Mapping[int, datetime], count: int) -> list[int]:
    """Return at most `count` candidates, those never or least recently asked, in the candidates' own order."""
    places = {candidate: place for place, candidate in enumerate(candidates)}
    stalest = sorted(
        candidates,
        key=lambda one: (one in asked_at, asked_at[one].timestamp() if one in asked_at else 0.0, places[one]),
    )
    return sorted(stalest[:count], key=places.__getitem__)


def shuffled(version: Version, rng: random.Random) -> tuple[int, ...]:
    """Return the order in which a version's options are shown; pinned options keep their place."""
    free = [place for place, option in enumerate(version.options) if not option.pin]
    mixed = free.copy()
    rng.shuffle(mixed)
    order = list(range(len(version.options)))
    for place, written in zip(free, mixed, strict=True):
        order[place] = written
    return tuple(order)
