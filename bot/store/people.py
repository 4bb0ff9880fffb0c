"""Members, people, outages and small facts in the store."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import insert, select

from bot.store.database import Tx
from bot.store.tables import members, meta, outages, people
from bot.store.upsert import upsert


async def public_names(tx: Tx, guild: int | None, them: Iterable[int]) -> dict[int, str | None]:
    """Return the names members go by in a server; None for those who hide theirs."""
    query = (
        select(members.c.member, members.c.name, people.c.hidden)
        .outerjoin(people, people.c.member == members.c.member)
        .where(members.c.guild == guild, members.c.member.in_(list(them)))
    )
    return {row.member: None if row.hidden else row.name for row in await tx.execute(query)}


async def read_meta(tx: Tx, name: str) -> str | None:
    """Return a small fact by name."""
    return (await tx.execute(select(meta.c.value).where(meta.c.name == name))).scalar_one_or_none()


async def write_meta(tx: Tx, name: str, value: str) -> None:
    """Write a small fact by name."""
    await upsert(tx, meta, [{"name": name, "value": value}])


async def add_outage(tx: Tx, from_at: datetime, to_at: datetime, shard: int | None) -> None:
    """Write that the bot was away, on one shard or as a whole."""
    await tx.execute(insert(outages).values(from_at=from_at, to_at=to_at, shard=shard))
