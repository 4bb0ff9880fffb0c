"""The sandbox: a loopback Discord for people, scripts and tests. It knows nothing of the bot."""

from sandbox.clock import Clock
from sandbox.hub import Settings
from sandbox.server import Sandbox

__all__ = ["Clock", "Sandbox", "Settings"]
