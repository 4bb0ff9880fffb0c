"""Discord's time as the real clock learns it: from `Date` headers, then from ids, and never from the wall clock."""

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import clock as module
from bot.clock import WINDOW, DiscordClock

NOON = datetime(2026, 12, 5, 12, 0, tzinfo=UTC)
"""Discord's time when a test begins."""


def s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


class Host:
    """The computer's own two clocks: one that only runs on, and one that anybody may set."""

    def __init__(self) -> None:
        self.ran = timedelta(hours=7)
        self.wall = NOON

    def run_for(self, seconds: float) -> None:
        """Let both clocks run."""
        self.ran += s(seconds)
        self.wall += s(seconds)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    """Replace the computer's clocks."""
    host = Host()

    class Wall(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return host.wall

    monkeypatch.setattr(module, "_monotonic", lambda: host.ran)
    monkeypatch.setattr(module, "datetime", Wall)
    return host


def header(at: datetime) -> str:
    """Return an instant as HTTP writes it, in whole seconds."""
    return format_datetime(at.replace(microsecond=0), usegmt=True)


def test_until_anything_is_known_the_computers_time_is_used(host: Host) -> None:
    clock = DiscordClock()
    assert clock.now() == NOON
    host.run_for(5)
    assert clock.now() == NOON + s(5)


def test_the_wall_clock_may_jump(host: Host) -> None:
    clock = DiscordClock()
    clock.observe(NOON)
    host.wall -= timedelta(days=400)
    host.run_for(60)
    assert clock.now() == NOON + s(60)
    host.wall += timedelta(days=4_000)
    assert clock.now() == NOON + s(60)


def test_the_date_of_the_log_in_sets_a_wrong_clock_right(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    host.wall = NOON + timedelta(hours=3)
    clock = DiscordClock()
    with caplog.at_level(logging.WARNING):
        clock.set_by_date(header(NOON))
    assert abs(clock.now() - NOON) <= s(0.5)
    assert [record.getMessage() for record in caplog.records] == [
        "this computer's clock is +10799.5 s off Discord's; Discord's is used"
    ]


def test_a_clock_that_is_right_is_not_complained_of(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        DiscordClock().set_by_date(header(NOON))
    assert caplog.records == []


def test_further_dates_do_not_make_the_time_flicker(host: Host) -> None:
    clock = DiscordClock()
    clock.set_by_date(header(NOON))
    first = clock.now()
    host.run_for(0.9)
    clock.set_by_date(header(NOON))  # the same second, a little later
    assert clock.now() == first + s(0.9)
    host.run_for(60)
    clock.set_by_date(header(NOON + s(90)))  # but what is far off is corrected
    assert abs(clock.now() - NOON - s(90)) <= s(0.5)


@given(st.text() | st.sampled_from(["Sat, 05 Dec 2026 12:00:00", "Sat, 05 Dec 2026 12:00:00 -0000", "0", ""]))
def test_a_header_that_names_no_instant_changes_nothing(said: str) -> None:
    clock = DiscordClock()
    before = clock.now()
    clock.set_by_date(said)
    assert abs(clock.now() - before) < s(60)


def test_ids_tell_the_time_better_than_dates(host: Host) -> None:
    clock = DiscordClock()
    clock.set_by_date(header(NOON))
    clock.observe(NOON + s(0.2))
    assert clock.now() == NOON + s(0.2)
    clock.set_by_date(header(NOON + s(30)))
    assert clock.now() == NOON + s(0.2)


def test_the_least_delayed_id_of_the_last_minutes_is_believed(host: Host) -> None:
    clock = DiscordClock()
    for delay in (0.4, 0.1, 1.5, 0.3):
        host.run_for(10)
        clock.observe(host.wall - s(delay))
    assert clock.now() == host.wall - s(0.1)
    # After some minutes what was seen then counts no more: the two clocks may run at different rates.
    host.run_for(WINDOW.total_seconds() + 1)
    clock.observe(host.wall - s(0.7))
    assert clock.now() == host.wall - s(0.7)


def test_an_id_that_was_held_back_somewhere_says_nothing(host: Host) -> None:
    clock = DiscordClock()
    clock.observe(NOON)
    host.run_for(120)
    for held_back in (3, 45, 119):
        clock.observe(host.wall - s(held_back))
        assert clock.now() == host.wall
    # Not even when nothing else was heard for longer than the last minutes.
    host.run_for(WINDOW.total_seconds() * 2)
    clock.observe(host.wall - s(400))
    assert clock.now() == host.wall


def test_a_first_id_that_was_held_back_is_made_good_by_the_next(host: Host) -> None:
    # Whether the header or the id is wrong cannot be known yet, and deadlines are compared with ids.
    clock = DiscordClock()
    clock.set_by_date(header(NOON))
    host.run_for(60)
    clock.observe(NOON + s(20))
    clock.observe(NOON + s(60))
    assert clock.now() == NOON + s(60)


def test_a_computer_that_slept_without_its_clock_is_set_right_by_the_next_id(host: Host) -> None:
    clock = DiscordClock()
    clock.observe(NOON)
    clock.observe(NOON + timedelta(hours=8))
    assert clock.now() == NOON + timedelta(hours=8)


async def test_an_instant_that_has_passed_is_not_waited_for(host: Host) -> None:
    clock = DiscordClock()
    await clock.sleep_until(NOON)
    await clock.sleep_until(NOON - timedelta(days=1))


async def test_what_is_learnt_while_waiting_is_heeded(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = DiscordClock()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        host.run_for(seconds)
        if len(slept) == 1:
            clock.observe(host.wall + s(20))  # Discord is further than this computer thought

    monkeypatch.setattr(module.asyncio, "sleep", sleep)
    await clock.sleep_until(NOON + s(60))
    assert slept == [30.0, 10.0]
