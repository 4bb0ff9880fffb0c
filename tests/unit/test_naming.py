"""Names of commands and options: Discord refuses all of them together if one, in one language, is not as it likes."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from babel.messages.pofile import read_po

from bot.client import EXTENSIONS, Client
from bot.i18n import LOCALES, languages
from bot.services import Services
from cogs.ui.guard import Guard
from cogs.ui.naming import CatalogueTranslator
from tests.support.held_clock import HeldClock
from tests.support.interactions import BEGIN

NAME = re.compile(r"[-_'\w]{1,32}")
LONGEST_DESCRIPTION = 100
NAMES = ("command name", "option name")
DESCRIPTIONS = ("command description", "option description")
SUBCOMMAND, GROUP = 1, 2

Json = dict[str, Any]


def is_name(name: str) -> bool:
    """Tell whether Discord takes a name: few characters, none of them with a lower form of its own."""
    # "İ" has a lower form of two characters: what Python and Discord make of it differs.
    return bool(NAME.fullmatch(name)) and name == name.lower() and "\u0307" not in name


@pytest_asyncio.fixture
async def commands() -> list[Json]:
    """Return the commands as they are sent to Discord."""
    clock = HeldClock(BEGIN)
    async with Client(Guard(clock, "en"), clock, aiohttp.TraceConfig(), aiohttp.TCPConnector()) as client:
        nothing: Any = None
        client.services = Services(nothing, nothing, nothing, nothing, nothing)
        for extension in EXTENSIONS:
            await client.load_extension(extension)
        translator = CatalogueTranslator()
        return [
            await one.get_translated_payload(client.tree, translator) for one in client.tree.get_commands()
        ]


def levels(commands: list[Json]) -> Iterator[list[Json]]:
    """Yield what stands beside each other: commands, the subcommands of one, the options of one."""
    yield commands
    for command in commands:
        if command.get("options"):
            yield from levels(command["options"])


def spoken(commands: list[Json], locale: str) -> dict[str, list[str]]:
    """Return the names of every command with those of its options, as a member in a locale sees them."""

    def name(one: Json) -> str:
        localised: Any = one["name_localizations"]
        return localised.get(locale, one["name"])

    found: dict[str, list[str]] = {}
    for command in commands:
        below: list[Json] = command.get("options", [])
        if any(one["type"] in (SUBCOMMAND, GROUP) for one in below):
            found |= {f"{name(command)} {one}": options for one, options in spoken(below, locale).items()}
        else:
            found[name(command)] = [name(one) for one in below]
    return found


def test_members_see_the_names_of_the_surface(commands: list[Json]) -> None:
    english = {"quiz start": ["quiz", "questions"], "quiz stop": [], "quiz list": ["search"], "help": []}
    assert spoken(commands, "none") == spoken(commands, "en-US") == spoken(commands, "en-GB") == english
    assert spoken(commands, "tr") == {
        "quiz başlat": ["quiz", "adet"],
        "quiz bitir": [],
        "quiz liste": ["ara"],
        "yardım": [],
    }


def test_everything_is_named_and_described_in_every_language(commands: list[Json]) -> None:
    locales = {"tr", "en-US", "en-GB"}  # without en-US, Discord would show Americans the en-GB text
    for level in levels(commands):
        for one in level:
            assert set(one["name_localizations"]) >= locales, one["name"]
            assert set(one["description_localizations"]) >= locales, one["name"]


def test_discord_takes_every_name_and_description(commands: list[Json]) -> None:
    for level in levels(commands):
        for one in level:
            for name in (one["name"], *one["name_localizations"].values()):
                assert is_name(name), name
            for text in (one["description"], *one["description_localizations"].values()):
                assert 1 <= len(text) <= LONGEST_DESCRIPTION, text


def test_no_two_names_beside_each_other_are_the_same_in_a_language(commands: list[Json]) -> None:
    for level in levels(commands):
        for locale in {locale for one in level for locale in one["name_localizations"]}:
            names = [one["name_localizations"].get(locale, one["name"]) for one in level]
            assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", languages())
def test_catalogues_hold_only_names_that_discord_takes(language: str) -> None:
    # Also those of languages that Discord does not know, and of commands not loaded here.
    catalogue = read_po(BytesIO((LOCALES / f"{language}.po").read_bytes()), abort_invalid=True)
    for entry in catalogue:
        if entry.context in NAMES:
            assert is_name(str(entry.string or entry.id)), entry.string
        if entry.context in DESCRIPTIONS:
            assert 1 <= len(str(entry.string or entry.id)) <= LONGEST_DESCRIPTION, entry.string
