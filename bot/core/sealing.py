"""When a question must not be told: the one function that everything private asks."""

from collections.abc import Set


def sealed(question: int, unrevealed: Set[int], planned: Set[int] = frozenset()) -> bool:
    """Tell whether nothing about a question's answer may reach a member.

    `unrevealed` are the questions open, or chosen and not yet revealed, in any round of the member's servers;
    `planned` are those kept back for a planned round, a daily pool or an exam pool whose quiz is not open for practice.
    A turn's own public reveal, and what stands revealed in a channel, need not ask.
    """
    return question in unrevealed or question in planned
