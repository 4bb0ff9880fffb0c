"""The browser tests need Chromium; without one they are left out, and one line says so."""

import pytest

from tests.support.page import CHROMIUM

collect_ignore_glob = [] if CHROMIUM else ["test_*.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one clear line that the browser tests were left out."""
    if CHROMIUM is None:
        terminalreporter.write_line(
            "SKIPPED: the browser tests, since no Chromium was found; install chromium to run them."
        )
