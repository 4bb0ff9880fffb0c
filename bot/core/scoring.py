"""Points, ranks and the podium: functions of responses, versions and corrections; a re-score is a recomputation.

Points are integer thousandths of a question. Accuracy comes first: one point for a right answer.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.cards import Standing
from bot.core.quiz import Version
from bot.core.search import fold

FULL = 1000
"""The points of a right answer, in thousandths."""
_NONE: frozenset[int] = frozenset()


class Verdict(StrEnum):
    """The kinds of corrections, as they are stored."""

    ACCEPT = "accept"
    KEY = "key"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Correction:
    """A later ruling on a version: also accept the options named, take them as the key, or drop the question.

    Raises:
        ValueError: a key or an acceptance without an option.
    """

    kind: Verdict
    options: frozenset[int] = _NONE

    def __post_init__(self) -> None:
        if self.kind is not Verdict.DROP and not self.options:
            raise ValueError("a key needs an option")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What counts as right for a version now. Not scored where the key is missing or the question was dropped."""

    key: frozenset[int] | None
    accepted: frozenset[int] = _NONE
    dropped: bool = False

    @property
    def scored(self) -> bool:
        """Tell whether answers to the question get points."""
        return self.key is not None and not self.dropped


def ruling(version: Version, corrections: Iterable[Correction] = ()) -> Ruling:
    """Apply corrections, oldest first, to a version's own key."""
    key, accepted, dropped = version.key, _NONE, False
    for correction in corrections:
        if correction.kind is Verdict.DROP:
            dropped = True
        elif correction.kind is Verdict.KEY:
            key, accepted, dropped = correction.options, frozenset[int](), False
        else:
            accepted |= correction.options
    return Ruling(key, accepted, dropped)


def points(version: Version, now: Ruling, answer: frozenset[int]) -> int | None:
    """Return an answer's points in thousandths; None where the question is not scored.

    Several right answers give max(0, hits - false marks) ÷ number of right options; an option that is also
    accepted neither adds nor takes away.
    """
    if not now.scored or now.key is None:
        return None
    if not version.takes_several:
        return FULL if answer <= (now.key | now.accepted) and answer else 0
    hits = len(answer & now.key)
    false_marks = len(answer - now.key - now.accepted)
    return max(0, hits - false_marks) * FULL // len(now.key)


def ranks(totals: Mapping[int, int]) -> dict[int, int]:
    """Return each member's competition rank (1, 2, 2, 4) by points, most first."""
    ordered = sorted(totals.values(), reverse=True)
    first = {value: place for place, value in reversed(list(enumerate(ordered, start=1)))}
    return {member: first[value] for member, value in totals.items()}


def podium(totals: Mapping[int, int], names: Mapping[int, str | None], size: int = 3) -> tuple[Standing, ...]:
    """Return the members who are named in public, by rank and then by name, never by speed.

    Ranks up to `size` are shown, but never more than half of those who took part, rounded up, and nobody without
    a right answer; ties are all shown. A name of None is a hidden member, who keeps the rank.
    """
    last = min(size, math.ceil(len(totals) / 2))
    placed = [
        Standing(rank, names.get(member), totals[member])
        for member, rank in ranks(totals).items()
        if rank <= last and totals[member] > 0
    ]
    placed.sort(key=lambda one: (one.rank, one.name is None, fold(one.name or ""), one.name or ""))
    return tuple(placed)


def tally(options: int, answers: Iterable[frozenset[int]]) -> tuple[int, ...]:
    """Count, for each option as written, the answers that hold it."""
    counts = [0] * options
    for answer in answers:
        for place in answer:
            counts[place] += 1
    return tuple(counts)


def average(totals: Sequence[int]) -> int:
    """Return the mean points in thousandths, rounded; 0 for nobody."""
    return round(sum(totals) / len(totals)) if totals else 0
