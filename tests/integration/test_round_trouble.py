"""Whole rounds under random trouble: deaths at any request or commit, requests that fail, absences, and a stop.

Whatever happens, `tests/support/recount` must find every question once, every receipt on disk, and a result that is
right when counted by hand.
"""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.core.refusals import PermissionsMissing, Refusal
from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown
from tests.support.faults import Death, Fault
from tests.support.ground import Ground, Killed
from tests.support.recount import Players, check, play_out, read


@dataclass(frozen=True)
class Trouble:
    """What goes wrong: faults by the number of the request, deaths at commits, for how long, and a stop."""

    faults: dict[int, tuple[Fault, bool]]
    commits: frozenset[int]
    away_s: int
    stop_s: int | None


TROUBLE = st.builds(
    Trouble,
    st.dictionaries(
        st.integers(1, 20),
        st.tuples(st.sampled_from([OutcomeUnknown, AccessDenied, MessageGone, Death]), st.booleans()),
        max_size=6,
    ),
    st.frozensets(st.integers(3, 120), max_size=3),
    st.sampled_from([0, 5, 25, 70, 600, 100_000]),
    st.none() | st.integers(0, 150),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(Trouble({1: (Death, True), 2: (OutcomeUnknown, True)}, frozenset(), 70, 0))
@example(
    Trouble({4: (AccessDenied, False), 5: (Death, False), 7: (Death, True)}, frozenset({20, 21}), 600, None)
)
@example(
    Trouble({4: (MessageGone, False), 5: (Death, True), 10: (ChannelLost, False)}, frozenset({50}), 90, None)
)
@given(TROUBLE)
def test_whatever_happens_nothing_is_lost_and_nothing_is_there_twice(trouble: Trouble) -> None:
    asyncio.run(_play(trouble))


async def _play(trouble: Trouble) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder))
        await ground.open()
        for nth, (fault, after) in trouble.faults.items():
            ground.faults.fail(nth, fault, after=after)
        ground.die_at_commits = set(trouble.commits)
        try:
            if await _began(ground, trouble):
                players = Players(ground)
                await _stop(ground, players, trouble)
                await play_out(ground, players, away=timedelta(seconds=trouble.away_s))
                check(ground, players)
        finally:
            await ground.kill()


async def _began(ground: Ground, trouble: Trouble) -> bool:
    """Start a round, again if the process died before it was written; False if it is refused for want of a right."""
    for _ in range(10):
        try:
            await ground.begin()
        except Killed:
            await ground.restart(timedelta(seconds=trouble.away_s))
        except PermissionsMissing:
            return False
        if read(ground, "SELECT id FROM rounds"):
            return True
    raise AssertionError("no round begins")


async def _stop(ground: Ground, players: Players, trouble: Trouble) -> None:
    """Stop the round some time after its start, if this is one to be stopped."""
    if trouble.stop_s is None:
        return
    await players.answer()
    await ground.advance(trouble.stop_s)
    if ground.faults.died:
        await ground.restart(timedelta(seconds=trouble.away_s))
    with suppress(Refusal, Killed):
        await ground.stop()
