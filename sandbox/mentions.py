"""Whom a message pings: the mentions in its texts, as far as allowed_mentions lets them (discord-facts §2).
It needs the world only to know who exists.
"""

import re
from dataclasses import dataclass

from sandbox.wire import JsonObject, as_id, as_list, as_object
from sandbox.world import Guild

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)")

ALL: JsonObject = {"parse": ["users", "roles", "everyone"]}
"""What holds in channels when a message says nothing."""

ONLY_USERS: JsonObject = {"parse": ["users"]}
"""What holds in interactions when an answer says nothing."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Who is pinged."""

    users: list[int]
    roles: list[int]
    everyone: bool


def find_mentions(
    texts: list[str],
    allowed: object,
    default: JsonObject,
    guild: Guild | None,
    may_everyone: bool,
    known: set[int],
) -> Mentions:
    """Work out the pings of a message's texts; `known` are the users there are."""
    rules = as_object(allowed)
    rules = default if rules is None else rules
    parse = as_list(rules.get("parse")) or []
    text = "\n".join(texts)
    users = [int(one) for one in dict.fromkeys(_USER.findall(text)) if int(one) in known]
    roles = [int(one) for one in dict.fromkeys(_ROLE.findall(text)) if guild and int(one) in guild.roles]
    roles = [one for one in roles if guild and (may_everyone or guild.roles[one].mentionable)]
    if "users" not in parse:
        listed = _ids(rules, "users")
        users = [one for one in users if one in listed]
    if "roles" not in parse:
        listed = _ids(rules, "roles")
        roles = [one for one in roles if one in listed]
    everyone = "everyone" in parse and may_everyone and bool(_EVERYONE.search(text))
    return Mentions(users, roles, everyone)


def _ids(rules: JsonObject, name: str) -> set[int]:
    return {number for value in as_list(rules.get(name)) or [] if (number := as_id(value)) is not None}
