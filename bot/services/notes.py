"""Small facts that outlive the process, by name."""

from bot.services.recorder import Recorder
from bot.store import people
from bot.store.database import Database


class Notes:
    """Reads and writes small facts."""

    def __init__(self, database: Database, recorder: Recorder) -> None:
        self._database = database
        self._recorder = recorder

    async def read(self, name: str) -> str | None:
        """Return a fact, None where it was never written."""
        async with self._database.reading() as tx:
            return await people.read_meta(tx, name)

    async def write(self, name: str, value: str) -> None:
        """Write a fact."""
        await self._recorder.write(lambda tx: people.write_meta(tx, name, value))
