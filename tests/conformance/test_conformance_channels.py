"""discord-facts §8 and §9: direct messages, channels, threads, forums, and who may do what."""

import pytest

VIEW, SEND, FILES, HISTORY = 1 << 10, 1 << 11, 1 << 15, 1 << 16
MANAGE_CHANNELS, ADMINISTRATOR, MANAGE_ROLES, MANAGE_THREADS = 1 << 4, 1 << 3, 1 << 28, 1 << 34
PUBLIC_THREADS, PRIVATE_THREADS, SEND_IN_THREADS = 1 << 35, 1 << 36, 1 << 38
COMMANDS = 1 << 31


async def world(wire, action, **fields):
    return (await wire.control("POST", "world", action=action, **fields)).get("id")


async def thread(wire, name="A thread", **body):
    path = f"/channels/{wire.channels['general']}/threads"
    made = await wire.call("POST", path, {"name": name, "type": 11, **body})
    wire.channels[name] = made.body.get("id")
    return made


async def test_sending_needs_view_and_send(wire):
    """§9 "post in a channel: VIEW_CHANNEL, SEND_MESSAGES"; §11 "50001 no access, 50013 permission missing"."""
    await wire.overwrite("general", wire.bot_role, deny=SEND)
    answer = await wire.send({"content": "x"})
    assert (answer.status, answer.body["code"]) == (403, 50013)
    await wire.overwrite("general", wire.bot_role, deny=VIEW)
    answer = await wire.send({"content": "x"})
    assert (answer.status, answer.body["code"]) == (403, 50001)
    assert (await wire.call("GET", f"/channels/{wire.channels['general']}")).body["code"] == 50001


async def test_files_need_their_permission(wire):
    """§9 "files: ATTACH_FILES"."""
    await wire.overwrite("general", wire.bot_role, deny=FILES)
    path = f"/channels/{wire.channels['general']}/messages"
    answer = await wire.call("POST", path, {"content": "x"}, files=[("a.txt", b"x")])
    assert (answer.status, answer.body["code"]) == (403, 50013)


async def test_history_needs_its_permission(wire):
    """§9 "reply, react, read back: READ_MESSAGE_HISTORY"; §11 160002."""
    message = (await wire.send({"content": "x"})).body
    reply = {"content": "y", "message_reference": {"message_id": message["id"]}}
    answered = await wire.send(reply)
    assert answered.body["referenced_message"]["id"] == message["id"]
    await wire.overwrite("general", wire.bot_role, deny=HISTORY)
    path = f"/channels/{wire.channels['general']}/messages"
    assert (await wire.call("GET", path)).body == []
    assert (await wire.call("GET", f"{path}/{message['id']}")).body["code"] == 50013
    assert (await wire.send(reply)).body["code"] == 160002


async def test_a_reply_to_nothing_is_refused_unless_it_says_so(wire, fields):
    """§2 and MSG: message_reference with fail_if_not_exists."""
    reply = {"content": "y", "message_reference": {"message_id": "1"}}
    assert fields((await wire.send(reply)).body, "message_reference") == ["REPLIES_UNKNOWN_MESSAGE"]
    reply["message_reference"]["fail_if_not_exists"] = False
    assert (await wire.send(reply)).status == 200


async def test_overwrites_in_their_order(wire):
    """§9 "Order of overwrites: @everyone deny, allow; roles deny, allow; member deny, allow"."""
    everyone, me = wire.guild, wire.app

    async def may():
        return (await wire.send({"content": "x"})).status == 200

    await wire.overwrite("general", everyone, deny=SEND)
    assert not await may()
    await wire.overwrite("general", wire.bot_role, allow=SEND)
    assert await may()
    second = await world(wire, "create_role", name="Muted", permissions="0")
    await world(wire, "set_roles", member=me, roles=[wire.bot_role, second])
    await wire.overwrite("general", second, deny=SEND)
    assert await may(), "among roles an allow wins"
    await wire.overwrite("general", me, deny=SEND)
    assert not await may()


async def test_administrators_are_above_all_overwrites(wire):
    """§9 "ADMINISTRATOR beats all"."""
    admin = await world(wire, "create_role", name="Admin", permissions=str(ADMINISTRATOR))
    await world(wire, "set_roles", member=wire.app, roles=[wire.bot_role, admin])
    await wire.overwrite("general", wire.app, deny=VIEW | SEND)
    assert (await wire.send({"content": "x"})).status == 200


async def test_losing_view_loses_the_rest(wire):
    """§9 "Losing VIEW_CHANNEL implies losing the rest"."""
    await wire.overwrite("general", wire.members["Ada"], deny=VIEW)
    fields = {"member": wire.members["Ada"], "channel": wire.channels["general"]}
    await wire.control("GET", "messages", expect=400, **fields)
    await wire.control("POST", "send", expect=400, **fields, content="x")
    ada = next(
        one for one in (await wire.control("GET", "world"))["guilds"][0]["members"] if one["name"] == "Ada"
    )
    assert ada["hidden"] == [wire.channels["general"]]


async def test_without_the_right_to_use_commands_there_are_none(wire):
    """§9 and PE: USE_APPLICATION_COMMANDS."""
    await wire.commands({"name": "ping", "description": "Ping"})
    await wire.overwrite("general", wire.members["Ada"], deny=COMMANDS)
    fields = {"member": wire.members["Ada"], "channel": wire.channels["general"]}
    assert await wire.control("GET", "commands", **fields) == []


async def test_threads_are_private_unless_they_say_otherwise(wire):
    """§9 "send `type`, the default is private"; threads need CREATE_PUBLIC_THREADS / PRIVATE."""
    made = await thread(wire)
    assert (made.status, made.body["type"], made.body["parent_id"]) == (201, 11, wire.channels["general"])
    path = f"/channels/{wire.channels['general']}/threads"
    assert (await wire.call("POST", path, {"name": "x"})).body["code"] == 50013
    await wire.overwrite("general", wire.bot_role, allow=PRIVATE_THREADS)
    private = await wire.call("POST", path, {"name": "x"})
    assert private.body["type"] == 12
    await wire.control("GET", "messages", expect=400, member=wire.members["Ada"], channel=private.body["id"])
    await wire.overwrite("general", wire.bot_role, deny=PUBLIC_THREADS)
    assert (await thread(wire, "z")).body["code"] == 50013


@pytest.mark.parametrize(
    "body", [{"name": ""}, {"name": "x" * 101}, {"auto_archive_duration": 30}, {"rate_limit_per_user": 21601}]
)
async def test_thread_forms_have_limits(wire, body):
    """§9 "Thread/post name 1-100; auto archive 60, 1440, 4320 or 10080 min; slowmode 0-21600 s"."""
    assert (await thread(wire, **body)).body["code"] == 50035


async def test_writing_in_a_thread_needs_its_own_permission(wire):
    """§9 "post in a thread: VIEW_CHANNEL on the parent, SEND_MESSAGES_IN_THREADS (SEND_MESSAGES has no effect)"."""
    await thread(wire)
    await wire.overwrite("general", wire.bot_role, deny=SEND)
    assert (await wire.send({"content": "x"}, "A thread")).status == 200
    await wire.overwrite("general", wire.bot_role, deny=SEND_IN_THREADS)
    assert (await wire.send({"content": "x"}, "A thread")).body["code"] == 50013
    await wire.overwrite("general", wire.bot_role, deny=VIEW)
    assert (await wire.send({"content": "x"}, "A thread")).body["code"] == 50001


async def test_one_thread_a_message_with_its_id(wire):
    """§9 "One thread per message (160004); thread id = message id"."""
    message = (await wire.send({"content": "x"})).body["id"]
    path = f"/channels/{wire.channels['general']}/messages/{message}/threads"
    made = await wire.call("POST", path, {"name": "About x"})
    assert (made.status, made.body["id"]) == (201, message)
    again = await wire.call("POST", path, {"name": "Again"})
    assert (again.status, again.body["code"]) == (400, 160004)
    listed = (await wire.call("GET", f"/guilds/{wire.guild}/threads/active")).body["threads"]
    assert [one["id"] for one in listed] == [message]


async def test_archived_and_locked_threads(wire):
    """§9 "Editing in an archived thread fails (50083); locked 160005"; §1 "a new message un-archives it"."""
    await thread(wire)
    channel = wire.channels["A thread"]
    message = (await wire.send({"content": "x"}, "A thread")).body["id"]
    path = f"/channels/{channel}/messages/{message}"
    await world(wire, "archive_thread", channel=channel, locked=False)
    edited = await wire.call("PATCH", path, {"content": "y"})
    assert (edited.status, edited.body["code"]) == (400, 50083)
    archived = (await wire.call("GET", f"/channels/{wire.channels['general']}/threads/archived/public")).body
    assert [one["id"] for one in archived["threads"]] == [channel]
    await wire.send({"content": "awake"}, "A thread")
    assert (await wire.call("PATCH", path, {"content": "y"})).status == 200
    await world(wire, "archive_thread", channel=channel, locked=True)
    for answer in (
        await wire.call("PATCH", path, {"content": "z"}),
        await wire.send({"content": "z"}, "A thread"),
    ):
        assert (answer.status, answer.body["code"]) == (403, 160005)


async def test_the_bot_archives_its_own_thread(wire):
    """§9 "manage threads: MANAGE_THREADS"; its owner may archive a thread, but not lock it."""
    await thread(wire)
    path = f"/channels/{wire.channels['A thread']}"
    assert (await wire.call("PATCH", path, {"locked": True})).body["code"] == 50013
    archived = await wire.call("PATCH", path, {"archived": True})
    assert archived.body["thread_metadata"]["archived"] is True
    assert (await wire.call("PATCH", path, {"name": "New"})).body["code"] == 50083
    assert (await wire.call("PATCH", path, {"archived": False})).body["thread_metadata"]["archived"] is False
    assert (await wire.call("PUT", path + "/thread-members/@me")).status == 204
    assert (await wire.call("DELETE", path)).body["code"] == 50013
    await wire.overwrite("general", wire.bot_role, allow=MANAGE_THREADS)
    assert (await wire.call("DELETE", path)).status == 200
    assert (await wire.call("GET", path)).body["code"] == 10003


async def test_a_forum_takes_posts_and_no_messages(wire, fields):
    """§9 "Forum (15)/media (16) channels take no direct messages (40058): create a post with `message`"."""
    refused = await wire.send({"content": "x"}, "questions")
    assert (refused.status, refused.body["code"]) == (400, 40058)
    path = f"/channels/{wire.channels['questions']}/threads"
    post = (await wire.call("POST", path, {"name": "Why?", "message": {"content": "Because"}})).body
    assert (post["type"], post["message"]["content"], post["message"]["id"]) == (11, "Because", post["id"])
    assert post["message"]["channel_id"] == post["id"]
    wire.channels["post"] = post["id"]
    assert [one["content"] for one in await wire.seen("Ada", "post")] == ["Because"]
    assert fields((await wire.call("POST", path, {"name": "x"})).body, "message")
    too_long = await wire.call("POST", path, {"name": "x", "message": {"content": "x" * 2001}})
    assert fields(too_long.body, "message", "content")
    unknown_tag = {"name": "x", "message": {"content": "x"}, "applied_tags": ["1"]}
    assert fields((await wire.call("POST", path, unknown_tag)).body, "applied_tags")


async def test_a_forum_post_needs_only_send_messages(wire):
    """§9 "forum post only SEND_MESSAGES"."""
    path = f"/channels/{wire.channels['questions']}/threads"
    body = {"name": "x", "message": {"content": "x"}}
    await wire.overwrite("questions", wire.bot_role, deny=PUBLIC_THREADS)
    assert (await wire.call("POST", path, body)).status == 201
    await wire.overwrite("questions", wire.bot_role, deny=SEND)
    assert (await wire.call("POST", path, body)).body["code"] == 50013


async def test_roles_are_given_below_ones_own(wire):
    """§9 "give a role: MANAGE_ROLES and the role below the bot's highest"."""
    low = await world(wire, "create_role", name="Passed", permissions="0")
    path = f"/guilds/{wire.guild}/members/{wire.members['Ada']}/roles"
    assert (await wire.call("PUT", f"{path}/{low}")).body["code"] == 50013
    await world(wire, "set_role_permissions", role=wire.bot_role, permissions=str(MANAGE_ROLES | VIEW))
    assert (await wire.call("PUT", f"{path}/{low}")).status == 204
    member = await wire.call("GET", f"/guilds/{wire.guild}/members/{wire.members['Ada']}")
    assert member.body["roles"] == [low]
    assert (await wire.call("DELETE", f"{path}/{low}")).status == 204
    for higher in (wire.bot_role, wire.guild):
        assert (await wire.call("PUT", f"{path}/{higher}")).body["code"] == 50013


async def test_channels_are_made_changed_and_deleted_with_their_permission(wire):
    """§9 and PE: MANAGE_CHANNELS; §11 "10003 channel gone"."""
    path = f"/guilds/{wire.guild}/channels"
    assert (await wire.call("POST", path, {"name": "new"})).body["code"] == 50013
    await world(
        wire,
        "set_role_permissions",
        role=wire.bot_role,
        permissions=str(MANAGE_CHANNELS | VIEW | SEND | HISTORY),
    )
    made = await wire.call("POST", path, {"name": "new", "type": 0})
    assert made.status == 201
    channel = f"/channels/{made.body['id']}"
    assert (await wire.call("PATCH", channel, {"name": "newer", "topic": "T"})).body["topic"] == "T"
    assert "newer" in [one["name"] for one in (await wire.call("GET", path)).body]
    assert (await wire.call("DELETE", channel)).status == 200
    assert (await wire.call("GET", channel)).body["code"] == 10003


async def test_deleting_a_channel_takes_its_messages_and_threads(wire):
    """§11 "10003 404 channel gone", "10008 message deleted"."""
    gateway = await wire.gateway()
    await gateway.ready()
    made = await thread(wire)
    await world(wire, "delete_channel", channel=wire.channels["general"])
    assert (await gateway.event("THREAD_DELETE"))["id"] == made.body["id"]
    assert (await gateway.event("CHANNEL_DELETE"))["id"] == wire.channels["general"]
    for channel in (wire.channels["general"], made.body["id"]):
        answer = await wire.call("GET", f"/channels/{channel}")
        assert (answer.status, answer.body["code"]) == (404, 10003)


async def test_changes_of_the_world_reach_the_bot(wire):
    """§12 "GUILDS (1) is enough": channels, threads, roles."""
    gateway = await wire.gateway()
    await gateway.ready()
    channel = await world(wire, "create_channel", name="new", type=0)
    assert (await gateway.event("CHANNEL_CREATE"))["id"] == channel
    made = await world(wire, "create_thread", channel=channel, name="T")
    assert (await gateway.event("THREAD_CREATE"))["id"] == made
    await world(wire, "archive_thread", channel=made, locked=True)
    assert (await gateway.event("THREAD_UPDATE"))["thread_metadata"]["locked"] is True
    await world(wire, "set_overwrite", channel=channel, target=wire.app, allow="0", deny=str(SEND))
    overwrite = (await gateway.event("CHANNEL_UPDATE"))["permission_overwrites"]
    assert overwrite == [{"id": wire.app, "type": 1, "allow": "0", "deny": str(SEND)}]
    role = await world(wire, "create_role", name="R", permissions="8")
    assert (await gateway.event("GUILD_ROLE_CREATE"))["role"]["permissions"] == "8"
    await world(wire, "set_roles", member=wire.app, roles=[role])
    assert (await gateway.event("GUILD_MEMBER_UPDATE"))["roles"] == [role]
    guild = await world(wire, "create_guild", name="G", owner=wire.members["Deniz"])
    assert (await gateway.event("GUILD_CREATE"))["id"] == guild


async def test_new_members_take_part(wire):
    """The control contract: create_member, with locale and roles."""
    role = await world(wire, "create_role", name="R", permissions="0")
    made = await world(wire, "create_member", name="Zeynep", locale="tr", roles=[role])
    wire.members["Zeynep"] = made
    await wire.control("POST", "send", member=made, channel=wire.channels["general"], content="Selam")
    assert (await wire.seen("Zeynep"))[0]["author"] == {"id": made, "name": "Zeynep", "bot": False}
    assert (await wire.call("GET", f"/users/{made}")).body["global_name"] == "Zeynep"


async def test_direct_messages(wire):
    """§8 "POST /users/@me/channels {recipient_id} opens (or returns) a DM"."""
    body = {"recipient_id": wire.members["Elif"]}
    opened = await wire.call("POST", "/users/@me/channels", body)
    assert (opened.body["type"], opened.body["recipients"][0]["id"]) == (1, wire.members["Elif"])
    assert (await wire.call("POST", "/users/@me/channels", body)).body["id"] == opened.body["id"]
    wire.channels["elif"] = opened.body["id"]
    assert (await wire.send({"content": "private"}, "elif")).status == 200
    assert [one["content"] for one in await wire.seen("Elif", "dm")] == ["private"]
    await wire.control(
        "GET", "messages", expect=400, member=wire.members["Ada"], channel=wire.channels["elif"]
    )
    assert (await wire.call("POST", "/users/@me/channels", {"recipient_id": "1"})).body["code"] == 10013


async def test_closed_direct_messages(wire):
    """§8 "Sending may fail with 50007 (closed DMs, blocked)"."""
    opened = await wire.call("POST", "/users/@me/channels", {"recipient_id": wire.members["Elif"]})
    wire.channels["elif"] = opened.body["id"]
    await world(wire, "set_dms", member=wire.members["Elif"], open=False)
    answer = await wire.send({"content": "x"}, "elif")
    assert (answer.status, answer.body["code"]) == (403, 50007)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/channels/1", 404, 10003),
        ("POST", "/channels/1/messages", 404, 10003),
        ("GET", "/channels/{channel}/messages/1", 404, 10008),
        ("PATCH", "/channels/{channel}/messages/1", 404, 10008),
        ("DELETE", "/channels/{channel}/messages/1", 404, 10008),
        ("GET", "/guilds/1", 404, 10004),
        ("GET", "/guilds/{guild}/members/1", 404, 10007),
        ("PUT", "/guilds/{guild}/members/{ada}/roles/1", 404, 10011),
        ("GET", "/users/1", 404, 10013),
        ("GET", "/applications/1/commands", 404, 10002),
        ("GET", "/channels/abc", 400, 50035),
        ("GET", "/nothing/here", 404, 0),
        ("PUT", "/channels/{channel}/messages", 404, 0),
    ],
)
async def test_what_does_not_exist(wire, method, path, status, code):
    """§11 table of codes: 10003, 10004, 10007, 10008, 10011, 10013, and ids that are none."""
    names = {"channel": wire.channels["general"], "guild": wire.guild, "ada": wire.members["Ada"]}
    body = {"content": "x"} if method in ("POST", "PATCH") else None
    answer = await wire.call(method, path.format(**names), body)
    assert (answer.status, answer.body["code"]) == (status, code)


@pytest.mark.parametrize("token", [None, "wrong"])
async def test_a_wrong_token_is_401(wire, token):
    """§11 "10 000 invalid requests (401, …)": what counts as one."""
    answer = await wire.call("GET", "/users/@me", token=token)
    assert (answer.status, answer.body) == (401, {"message": "401: Unauthorized", "code": 0})


async def test_the_bot_reads_who_and_where_it_is(wire):
    """discordpy-notes §7 "Start-up REST: GET /users/@me, GET /oauth2/applications/@me"."""
    me = (await wire.call("GET", "/users/@me")).body
    assert (me["id"], me["bot"]) == (wire.app, True)
    for path in ("/oauth2/applications/@me", "/applications/@me", f"/applications/{wire.app}"):
        application = (await wire.call("GET", path)).body
        assert (application["id"], application["verify_key"] != "") == (wire.app, True)
    assert [one["id"] for one in (await wire.call("GET", "/users/@me/guilds")).body] == [wire.guild]
    guild = (await wire.call("GET", f"/guilds/{wire.guild}?with_counts=true")).body
    assert (guild["approximate_member_count"], guild["preferred_locale"]) == (7, "en-US")
    roles = (await wire.call("GET", f"/guilds/{wire.guild}/roles")).body
    assert {one["name"] for one in roles} == {"@everyone", "Etüt", "Quizmaster"}
