"""discord-facts §6: commands."""

import pytest

MANAGE_EVENTS = 1 << 33


def slash(name="ping", **fields):
    return {"name": name, "description": "D", **fields}


def option(name="o", kind=3, **fields):
    return {"type": kind, "name": name, "description": "D", **fields}


def choices(count, **fields):
    return [{"name": str(n), "value": str(n), **fields} for n in range(count)]


ACCEPTED = {
    "name of 32": slash("x" * 32),
    "a Turkish name": slash("çalış-ığüşöı"),
    "Hindi with combining signs": slash("हिन्दी"),
    "an apostrophe": slash("l'eau"),
    "description 100": slash(description="x" * 100),
    "25 options": slash(options=[option(f"o{n}") for n in range(25)]),
    "25 choices": slash(options=[option(choices=choices(25))]),
    "a group with a subcommand": slash(
        options=[option("g", 2, options=[option("s", 1, options=[option()])])]
    ),
    "required before optional": slash(options=[option("a", required=True), option("b")]),
    "every language": slash(name_localizations={"tr": "sıralama", "en-US": "board", "zh-CN": "排行榜"}),
    "a user menu with capitals and spaces": {"type": 2, "name": "Make A Question"},
    "permissions as a number": slash(default_member_permissions=8),
    "permissions as text": slash(default_member_permissions="8"),
    "contexts": slash(contexts=[0, 1], integration_types=[0]),
    "8000 characters": slash(
        "x" * 19,
        description="x",
        options=[
            option(f"{n:02}", description="x" * 97, choices=choices(3, value="y" * 99)) for n in range(20)
        ],
    ),
}

OPTION = ("options", "0")
REFUSED = {
    "name of 33": (slash("x" * 33), ("name",)),
    "an empty name": (slash(""), ("name",)),
    "a capital": (slash("Ping"), ("name",)),
    "a dotted capital I": (slash("İzle"), ("name",)),
    "a space": (slash("a b"), ("name",)),
    "a full stop": (slash("a.b"), ("name",)),
    "an emoji": (slash("🎲"), ("name",)),
    "a localised capital": (slash(name_localizations={"tr": "Sıralama"}), ("name_localizations", "tr")),
    "an unknown locale": (slash(name_localizations={"ar": "x"}), ("name_localizations", "ar")),
    "description 101": (slash(description="x" * 101), ("description",)),
    "an empty description": (slash(description=""), ("description",)),
    "a localised description of 101": (
        slash(description_localizations={"tr": "x" * 101}),
        ("description_localizations", "tr"),
    ),
    "26 options": (slash(options=[option(f"o{n}") for n in range(26)]), ("options",)),
    "26 choices": (slash(options=[option(choices=choices(26))]), (*OPTION, "choices")),
    "choice name 101": (
        slash(options=[option(choices=choices(1, name="x" * 101))]),
        (*OPTION, "choices", "0", "name"),
    ),
    "choice value 101": (
        slash(options=[option(choices=choices(1, value="x" * 101))]),
        (*OPTION, "choices", "0", "value"),
    ),
    "choices beside autocomplete": (
        slash(options=[option(autocomplete=True, choices=choices(1))]),
        (*OPTION, "autocomplete"),
    ),
    "required after optional": (
        slash(options=[option("a"), option("b", required=True)]),
        ("options", "1", "required"),
    ),
    "doubled option names": (slash(options=[option(), option()]), ("options", "1", "name")),
    "a localised option name that is another's default": (
        slash(options=[option("a", name_localizations={"tr": "b"}), option("b")]),
        (*OPTION, "name_localizations", "tr"),
    ),
    "a group in a group": (
        slash(options=[option("g", 2, options=[option("h", 2, options=[])])]),
        (*OPTION, "options", "0", "type"),
    ),
    "a value beside a subcommand": (slash(options=[option("s", 1), option("v")]), ("options",)),
    "a menu with a description": ({"type": 3, "name": "Menu", "description": "D"}, ("description",)),
    "no contexts": (slash(contexts=[]), ("contexts",)),
    "an unknown context": (slash(contexts=[3]), ("contexts", "0")),
    "private channels without user install": (slash(contexts=[2], integration_types=[0]), ("contexts",)),
    "min above max length": (slash(options=[option(min_length=3, max_length=2)]), (*OPTION, "min_length")),
    "more than 8000 characters": (
        slash(
            options=[
                option(f"o{n}", description="x" * 100, choices=choices(3, value="y" * 99)) for n in range(20)
            ]
        ),
        (),
    ),
}


@pytest.mark.parametrize("command", ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_commands_inside_the_limits(wire, command):
    """§6 table: names, descriptions, options, choices, localisations, just inside their limits."""
    answer = await wire.commands(command)
    assert answer.status == 200, answer.body


@pytest.mark.parametrize(("command", "path"), REFUSED.values(), ids=REFUSED.keys())
async def test_commands_outside_the_limits(wire, fields, command, path):
    """§6 table: names, descriptions, options, choices, localisations, just outside their limits."""
    answer = await wire.commands(slash("fine"), command)
    assert (answer.status, answer.body["code"]) == (400, 50035)
    assert fields(answer.body, "1", *path)
    assert (await wire.call("GET", f"/applications/{wire.app}/commands")).body == []


async def test_how_many_commands_there_may_be(wire):
    """§6 "100 slash, 15 user, 15 message"."""

    def many(count, kind):
        if kind == 1:
            return [slash(f"c{n}") for n in range(count)]
        return [{"type": kind, "name": f"c{n}"} for n in range(count)]

    everything = [*many(100, 1), *many(15, 2), *many(15, 3)]
    assert (await wire.commands(*everything)).status == 200
    for too_many in (many(101, 1), many(16, 2), many(16, 3)):
        assert (await wire.commands(*too_many)).body["code"] == 30032
    posted = await wire.call("POST", f"/applications/{wire.app}/commands", slash("one-more"))
    assert posted.body["code"] == 30032


async def test_creates_are_counted_by_the_day(wire):
    """§6 "creates: 200 per day per guild (30034); bulk overwrite counts only new ones"."""
    first = [slash(f"a{n}") for n in range(100)]
    second = [slash(f"b{n}") for n in range(100)]
    assert (await wire.commands(*first)).status == 200
    assert (await wire.commands(*first)).status == 200
    assert (await wire.commands(*second)).status == 200
    assert (await wire.commands(slash("c"))).body["code"] == 30034
    await wire.pass_time(24 * 3600 + 1)
    assert (await wire.commands(slash("c"))).status == 200


async def test_a_bulk_overwrite_deletes_the_rest(wire):
    """§6 "Bulk overwrite (PUT) deletes everything not in the list, all types"."""
    await wire.commands(slash("a"), slash("b"), {"type": 2, "name": "M"})
    made = (await wire.commands(slash("b"), slash("c"))).body
    listed = (await wire.call("GET", f"/applications/{wire.app}/commands")).body
    assert [one["name"] for one in listed] == ["b", "c"]
    assert [one["id"] for one in listed] == [one["id"] for one in made]


async def test_an_unchanged_command_keeps_id_and_version(wire):
    """§6 "a client with an old version is rejected": the version changes with the command, the id does not."""
    (before,) = (await wire.commands(slash())).body
    (same,) = (await wire.commands(slash())).body
    (changed,) = (await wire.commands(slash(description="New"))).body
    assert same == before
    assert changed["id"] == before["id"]
    assert changed["version"] != before["version"]
    assert {"application_id", "default_member_permissions", "description", "nsfw"} <= before.keys()


async def test_single_commands_can_be_read_changed_and_deleted(wire):
    """§11 "10063 404 command unknown → resync"."""
    base = f"/applications/{wire.app}/commands"
    made = await wire.call("POST", base, slash())
    again = await wire.call("POST", base, slash(description="Again"))
    assert (made.status, again.status, again.body["id"]) == (201, 200, made.body["id"])
    path = f"{base}/{made.body['id']}"
    assert (await wire.call("PATCH", path, {"description": "Patched"})).body["description"] == "Patched"
    assert (await wire.call("PATCH", path, {"name": "No Good"})).body["code"] == 50035
    assert (await wire.call("DELETE", path)).status == 204
    for method in ("GET", "DELETE"):
        gone = await wire.call(method, path)
        assert (gone.status, gone.body["code"]) == (404, 10063)


async def test_localisations_are_listed_on_request(wire):
    """§6 "Text equal to the default is dropped"; GET shows localisations with with_localizations."""
    await wire.commands(slash(name_localizations={"tr": "selam", "de": "ping"}))
    path = f"/applications/{wire.app}/commands"
    (full,) = (await wire.call("GET", f"{path}?with_localizations=1")).body
    assert full["name_localizations"] == {"tr": "selam"}
    assert "name_localizations" not in (await wire.call("GET", path)).body[0]


async def menu(wire, member):
    return await wire.control(
        "GET", "commands", member=wire.members[member], channel=wire.channels["general"]
    )


async def test_everyone_reads_commands_in_their_language_with_fallbacks(wire):
    """§6 "Fallbacks: en-US→en-GB, en-GB→en-US, es-419→es-ES"."""
    await wire.commands(
        slash(
            "sirala",
            description="Sırala",
            name_localizations={"en-US": "rank"},
            description_localizations={"en-GB": "The ranking"},
            options=[option("tur", name_localizations={"en-US": "kind"}, choices=choices(1))],
        )
    )
    (deniz,), (maya,), (tom,) = await menu(wire, "Deniz"), await menu(wire, "Maya"), await menu(wire, "Tom")
    assert (deniz["name"], deniz["description"]) == ("sirala", "Sırala")
    assert (maya["name"], maya["description"]) == ("rank", "The ranking")
    assert (tom["name"], tom["description"]) == ("rank", "The ranking")
    assert (tom["path"], tom["options"][0]["name"], tom["options"][0]["name_localized"]) == (
        "sirala",
        "tur",
        "kind",
    )


async def test_the_interaction_carries_default_names(wire):
    """§6 "The interaction carries default names whatever the user's language"."""
    sub = option("start", 1, name_localizations={"tr": "başlat"}, options=[option("quiz", required=True)])
    await wire.commands(slash("quiz", name_localizations={"tr": "sınav"}, options=[sub]))
    interaction = await wire.slash("Kerem", command="quiz start", quiz="budama")
    assert interaction["data"]["name"] == "quiz"
    assert interaction["data"]["options"] == [
        {"type": 1, "name": "start", "options": [{"type": 3, "name": "quiz", "value": "budama"}]}
    ]


async def test_a_command_with_subcommands_cannot_be_called_itself(wire):
    """§6 "A command with subcommands cannot be called itself"."""
    await wire.commands(slash("quiz", options=[option("start", 1)]))
    assert [one["path"] for one in await menu(wire, "Ada")] == ["quiz start"]
    fields = {"member": wire.members["Ada"], "channel": wire.channels["general"], "options": {}}
    await wire.control("POST", "slash", expect=404, **fields, command="quiz")


async def test_default_permissions_hide_a_command(wire):
    """§6 "default_member_permissions: bit set; "0" = admins only"."""
    await wire.commands(
        slash("all"),
        slash("events", default_member_permissions=str(MANAGE_EVENTS)),
        slash("admins", default_member_permissions="0"),
    )
    assert [one["path"] for one in await menu(wire, "Ada")] == ["all"]
    assert [one["path"] for one in await menu(wire, "Maya")] == ["all", "events"]
    assert [one["path"] for one in await menu(wire, "Deniz")] == ["admins", "all", "events"]
    fields = {"member": wire.members["Ada"], "channel": wire.channels["general"], "options": {}}
    await wire.control("POST", "slash", expect=404, **fields, command="events")


async def test_contexts_say_where_a_command_is_shown(wire):
    """§6 "contexts 0 guild, 1 bot DM"."""
    await wire.commands(slash("here", contexts=[0]), slash("dm", contexts=[1]), slash("both"))
    assert [one["path"] for one in await menu(wire, "Ada")] == ["both", "here"]
    in_dm = await wire.control("GET", "commands", member=wire.members["Ada"], channel="dm")
    assert [one["path"] for one in in_dm] == ["both", "dm"]


async def test_guild_commands_are_of_their_guild(wire):
    """§6 "Guild commands are immediate", and "Both only for global commands"."""
    path = f"/applications/{wire.app}/guilds/{wire.guild}/commands"
    assert (await wire.call("PUT", path, [slash("local")])).body[0]["guild_id"] == wire.guild
    assert [one["path"] for one in await menu(wire, "Ada")] == ["local"]
    assert await wire.control("GET", "commands", member=wire.members["Ada"], channel="dm") == []
    assert (await wire.call("PUT", path, [slash("local", contexts=[0])])).body["code"] == 50035


@pytest.mark.parametrize(
    ("kind", "fields", "value"),
    [
        (3, {"min_length": 2}, "x"),
        (3, {"max_length": 2}, "xxx"),
        (3, {"choices": choices(2)}, "9"),
        (3, {}, 5),
        (4, {"min_value": 1}, 0),
        (4, {"max_value": 25}, 26),
        (4, {}, "ten"),
        (4, {}, 1.5),
        (5, {}, "yes"),
        (6, {}, "1"),
        (7, {}, "1"),
        (8, {}, "1"),
        (11, {}, "x"),
    ],
)
async def test_the_client_sends_only_values_that_fit(wire, kind, fields, value):
    """§6 table of options: the client refuses what does not fit, before the bot hears of it."""
    await wire.commands(slash(options=[option("o", kind, required=True, **fields)]))
    request = {"member": wire.members["Ada"], "channel": wire.channels["general"], "command": "ping"}
    await wire.control("POST", "slash", expect=400, **request, options={"o": value})
    await wire.control("POST", "slash", expect=400, **request, options={})
    await wire.control("POST", "slash", expect=400, **request, options={"o": value, "unknown": 1})


async def test_autocompleted_values_are_not_restricted(wire):
    """§6 "autocomplete input is not restricted to offered values"."""
    await wire.commands(slash(options=[option("o", autocomplete=True)]))
    assert (await wire.slash(o="anything"))["data"]["options"][0]["value"] == "anything"


async def test_options_of_people_roles_and_channels_are_resolved(wire):
    """§6 option types 6, 7, 8: the interaction carries what was chosen."""
    await wire.commands(slash(options=[option("who", 6), option("where", 7), option("role", 8)]))
    interaction = await wire.slash(
        who=wire.members["Tom"], where=wire.channels["quiz-night"], role=wire.bot_role
    )
    resolved = interaction["data"]["resolved"]
    assert resolved["users"][wire.members["Tom"]]["username"] == "tom"
    assert resolved["channels"][wire.channels["quiz-night"]]["name"] == "quiz-night"
    assert resolved["roles"][wire.bot_role]["managed"] is True


async def test_a_file_option_carries_the_file(wire):
    """§6 option type 11: the file is served at the address the interaction names."""
    await wire.commands(slash(options=[option("file", 11)]))
    interaction = await wire.slash(file={"filename": "q.yaml", "data": "Zm9ybWF0OiAx"})
    (file,) = interaction["data"]["resolved"]["attachments"].values()
    assert (file["filename"], file["size"]) == ("q.yaml", 9)
    async with wire.http.get(file["url"]) as response:
        assert await response.read() == b"format: 1"


async def test_context_menus_carry_their_target(wire):
    """§6 "15 user, 15 message" commands: what they were used on."""
    await wire.commands({"type": 3, "name": "Make a question"}, {"type": 2, "name": "Who"})
    message = (await wire.send({"content": "What?"})).body["id"]
    gateway = await wire.gateway()
    await gateway.ready()
    fields = {"member": wire.members["Ada"], "channel": wire.channels["general"]}
    await wire.control("POST", "slash", **fields, command="Make a question", target=message)
    data = (await gateway.event("INTERACTION_CREATE"))["data"]
    assert (data["type"], data["target_id"]) == (3, message)
    assert data["resolved"]["messages"][message]["content"] == "What?"
    await wire.control("POST", "slash", **fields, command="Who", target=wire.members["Tom"])
    data = (await gateway.event("INTERACTION_CREATE"))["data"]
    assert data["resolved"]["users"][wire.members["Tom"]]["global_name"] == "Tom"
