"""One upsert for both dialects."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.database import Tx


async def upsert(tx: Tx, table: Table, rows: Sequence[Mapping[str, Any]], keep: Collection[str] = ()) -> None:
    """Insert rows, or update those whose primary key exists; columns in `keep` hold what they had."""
    if not rows:
        return
    key = [column.name for column in table.primary_key]
    insert = postgresql.insert if tx.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in key and name not in keep}
    if changed:
        statement = statement.on_conflict_do_update(index_elements=key, set_=changed)
    else:
        statement = statement.on_conflict_do_nothing(index_elements=key)
    await tx.execute(statement, list(rows))
