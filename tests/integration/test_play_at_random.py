"""Whole rounds through random misfortune: the process dies anywhere, requests fail anywhere, somebody stops it."""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.refusals import Refusal
from bot.ports import AccessDenied, ChannelLost, MessageGone, OutcomeUnknown
from tests.support.faults import Death, Fault
from tests.support.ground import Ground, Killed
from tests.support.recount import Players, check, play_out, read


@dataclass(frozen=True)
class Misfortune:
    """A fault at a request, by number."""

    nth: int
    fault: Fault
    after: bool = False


REQUESTS = st.integers(1, 20)
MISFORTUNES = st.one_of(
    st.builds(Misfortune, REQUESTS, st.sampled_from([Death, OutcomeUnknown]), st.booleans()),
    st.builds(Misfortune, REQUESTS, st.sampled_from([AccessDenied, MessageGone])),
    st.builds(Misfortune, st.integers(5, 20), st.just(ChannelLost)),
)


async def play(
    folder: Path, misfortunes: list[Misfortune], last_commits: list[int], away_s: int, stop_s: int | None
) -> None:
    ground = Ground(folder)
    await ground.open()
    opened = ground.commits
    for one in misfortunes:
        ground.faults.fail(one.nth, one.fault, after=one.after)
    ground.die_at_commits = {opened + distance for distance in last_commits}
    away = timedelta(seconds=away_s)
    players = Players(ground)
    with suppress(Killed, Refusal):
        await ground.begin()
    if ground.faults.died:
        await ground.restart(away)
    if stop_s is not None:
        await play_out(ground, players, away=away, until=ground.clock.now() + timedelta(seconds=stop_s))
        with suppress(Killed, Refusal):
            await ground.stop()
    await play_out(ground, players, away=away)
    if read(ground, "SELECT id FROM rounds"):
        check(ground, players)
    await ground.kill()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    misfortunes=st.lists(MISFORTUNES, max_size=4),
    last_commits=st.lists(st.integers(1, 90), max_size=3),
    away_s=st.sampled_from([0, 2, 30, 90, 600]),
    stop_s=st.none() | st.integers(0, 100),
)
def test_whatever_happens_nothing_is_posted_twice_skipped_or_miscounted(
    misfortunes: list[Misfortune], last_commits: list[int], away_s: int, stop_s: int | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder), misfortunes, last_commits, away_s, stop_s))
