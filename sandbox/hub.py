"""What every part of the sandbox shares: the world, the clock, the feed of events, the interactions, the
log and the settings. It holds them together and has no behaviour of its own.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sandbox.clock import Clock
from sandbox.events import Feed, InteractionChanged
from sandbox.interactions import Interactions
from sandbox.log import Log
from sandbox.world import Message, World


@dataclass(slots=True)
class Settings:
    """What can be set from outside."""

    token: str = "sandbox-token"  # noqa: S105 (a loopback's token guards nothing)
    nonce_window: timedelta = timedelta(minutes=5)
    resume_window: timedelta = timedelta(minutes=5)
    attachment_limit_bytes: int = 10 * 1024 * 1024
    request_limit_bytes: int = 25 * 1024 * 1024


@dataclass(slots=True)
class Sent:
    """A message sent with a nonce, and when."""

    message: Message
    at: datetime


@dataclass(slots=True)
class Hub:
    """The shared parts."""

    world: World
    clock: Clock
    settings: Settings = field(default_factory=Settings)
    base_url: str = ""
    bot_online: bool = False
    feed: Feed = field(default_factory=Feed)
    nonces: dict[tuple[int, str], Sent] = field(default_factory=dict[tuple[int, str], Sent])
    command_creates: dict[int | None, list[datetime]] = field(
        default_factory=dict[int | None, list[datetime]]
    )
    member_files: dict[int, bytes] = field(default_factory=dict[int, bytes])
    interactions: Interactions = field(init=False)
    log: Log = field(init=False)

    def __post_init__(self) -> None:
        self.interactions = Interactions(
            self.clock, lambda changed: self.feed.publish(InteractionChanged(changed))
        )
        self.log = Log(self.clock)
        self.clock.never_below(self.world.highest_id())

    @property
    def cdn_base(self) -> str:
        """The address files are served below."""
        return f"{self.base_url}/cdn"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return f"{self.base_url.replace('http', 'ws', 1)}/gateway/"
