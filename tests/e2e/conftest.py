"""Tables to play at; what holds for everything the bot does is checked when one leaves them."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest_asyncio

from tests.support import conduct
from tests.support.table import Table, laid_table

QUIZZES = Path(__file__).parent / "quizzes"
"""The quizzes of an operator: what the shipped ones have none of, and some that are quickly played."""


@asynccontextmanager
async def watched(folder: Path, **how: Any) -> AsyncGenerator[Table]:
    """Lay a table, and check afterwards how the bot has conducted itself."""
    async with laid_table(folder, quizzes=QUIZZES, **how) as table:
        yield table
        log = await table.log()
        assert conduct.pinging(log) == []
        assert [one for one in conduct.refused(log) if one[2] not in table.forgiven] == []
        if not table.complaints_expected:
            assert conduct.complaints(table.bot_log) == []
        assert "FOREIGN" not in table.bot_log


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """A sandbox with the bot in it."""
    async with watched(tmp_path) as laid:
        yield laid


@pytest_asyncio.fixture
async def turkish_table(tmp_path: Path) -> AsyncIterator[Table]:
    """A sandbox whose server speaks Turkish, with the bot in it."""
    async with watched(tmp_path, locale="tr") as laid:
        yield laid


@pytest_asyncio.fixture
async def bare_table(tmp_path: Path) -> AsyncIterator[Table]:
    """A sandbox without the bot."""
    async with watched(tmp_path, start=False) as laid:
        yield laid
