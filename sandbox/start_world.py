"""The world a sandbox begins with: one guild with people of different rights and languages. Its ids are the
same at every start and lie in the past, so that tests may hold the clock at any later instant.
"""

import itertools
from datetime import UTC, datetime

from sandbox.clock import Clock
from sandbox.permissions import Permission
from sandbox.world import (
    BOT_ROLE,
    FORUM,
    TEXT,
    VOICE,
    Channel,
    Guild,
    Member,
    Role,
    User,
    World,
)

MADE_AT = datetime(2025, 1, 1, tzinfo=UTC)

EVERYONE_MAY = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.ADD_REACTIONS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CONNECT
    | Permission.CHANGE_NICKNAME
)

BOT_MAY = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
)

_PEOPLE = (
    ("Deniz", "tr"),
    ("Maya", "en-US"),
    ("Ada", "en-US"),
    ("Kerem", "tr"),
    ("Tom", "en-GB"),
    ("Elif", "tr"),
)

_NEWCOMERS = (
    ("Zeynep", "tr"),
    ("Noah", "en-US"),
    ("Emre", "tr"),
    ("Olivia", "en-GB"),
    ("Defne", "tr"),
    ("Liam", "en-US"),
    ("Mert", "tr"),
    ("Grace", "en-GB"),
    ("Ece", "tr"),
    ("Lucas", "en-US"),
    ("Can", "tr"),
    ("Amelia", "en-GB"),
    ("Nehir", "tr"),
    ("Oscar", "en-US"),
    ("Yağmur", "tr"),
)

_CHANNELS = (
    ("general", TEXT, "Anything that is not a quiz"),
    ("quiz-night", TEXT, "Quizzes, live"),
    ("çalışma-odası", TEXT, "Birlikte çalışıyoruz"),
    ("Study room", VOICE, None),
    ("questions", FORUM, "One post a question"),
)


def study_hall() -> World:
    """Make the first world: the guild "Study hall"."""
    clock = Clock(held_at=MADE_AT)
    bot = User(clock.snowflake(), "etut", "Etüt", bot=True)
    world = World(bot_id=bot.id, users={bot.id: bot})
    people: dict[str, User] = {}
    for name, locale in _PEOPLE:
        people[name] = User(clock.snowflake(), name.lower(), name, locale)
        world.users[people[name].id] = people[name]

    guild = add_guild(world, clock, "Study hall", owner_id=people["Deniz"].id)
    guild.features.append("COMMUNITY")
    quizmaster = Role(clock.snowflake(), "Quizmaster", int(Permission.MANAGE_EVENTS), 2, color=0x2E86AB)
    guild.roles[quizmaster.id] = quizmaster
    for person in people.values():
        guild.members[person.id] = Member(person.id, MADE_AT)
    guild.members[people["Maya"].id].roles.append(quizmaster.id)
    for position, (name, kind, topic) in enumerate(_CHANNELS):
        channel = Channel(clock.snowflake(), kind, name, guild.id, position=position, topic=topic)
        world.channels[channel.id] = channel
    return world


def name_newcomers(taken: set[str], count: int) -> list[tuple[str, str]]:
    """Find names that nobody has yet, each with a language; when the names run out they are numbered."""
    numbered = (
        (name if time == 1 else f"{name} {time}", locale)
        for time in itertools.count(1)
        for name, locale in _NEWCOMERS
    )
    free = ((name, locale) for name, locale in numbered if name not in taken)
    return list(itertools.islice(free, count))


def add_guild(world: World, clock: Clock, name: str, owner_id: int, locale: str = "en-US") -> Guild:
    """Add a guild with @everyone and the bot in its own role."""
    guild = Guild(clock.snowflake(), name, owner_id, locale)
    guild.roles[guild.id] = Role(guild.id, "@everyone", EVERYONE_MAY, 0)
    own = Role(clock.snowflake(), BOT_ROLE, BOT_MAY, 1, managed_by=world.bot_id)
    guild.roles[own.id] = own
    guild.members[owner_id] = Member(owner_id, clock.now())
    guild.members[world.bot_id] = Member(world.bot_id, clock.now(), [own.id])
    world.guilds[guild.id] = guild
    return guild
