"""The sandbox's own side: who is let in, the control interface, the live socket, the clock, markdown, and keeping a
world. The lines of discord-facts are named where one is held."""

import asyncio
from datetime import timedelta

import aiohttp
import pytest

from sandbox import Clock, Sandbox

V2 = 32768


@pytest.mark.parametrize(
    "path", ["/", "/control/world", "/control/live?member=1", "/api/v10/gateway", "/gateway/"]
)
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "null"},
    ],
)
async def test_strangers_are_refused(wire, path, headers):
    """The control contract: foreign Host and Origin headers get 403."""
    port = wire.sandbox.port
    sent = {name: value.format(port=port) for name, value in headers.items()}
    async with wire.http.get(wire.base + path, headers=sent) as response:
        assert response.status == 403


async def test_the_own_page_is_let_in(wire):
    """The control contract: 127.0.0.1, localhost and [::1], with the port or without, and an Origin that fits."""
    port = wire.sandbox.port
    for name in ("127.0.0.1", "localhost", "[::1]"):
        for host in (name, f"{name}:{port}"):
            headers = {"Host": host, "Origin": f"http://{host}"}
            async with wire.http.get(wire.base + "/control/world", headers=headers) as response:
                assert response.status == 200


async def test_the_page_may_load_only_itself(wire):
    """The page has a strict Content-Security-Policy and nothing from elsewhere."""
    async with wire.http.get(wire.base + "/") as response:
        policy = response.headers["Content-Security-Policy"]
        assert response.status == 200
        assert response.content_type == "text/html"
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
    assert "unsafe" not in policy
    for path in ("/nothing.js", "/..%2fserver.py", "/server.py", "/%2e%2e/pyproject.toml"):
        async with wire.http.get(wire.base + path) as response:
            assert response.status in (403, 404)


async def test_uploaded_pages_are_never_shown(wire):
    """A file of a message can be no page of ours: only pictures are shown in place."""
    path = f"/channels/{wire.channels['general']}/messages"
    message = (await wire.call("POST", path, {}, files=[("a.html", b"<script>x</script>")])).body
    async with wire.http.get(message["attachments"][0]["url"]) as response:
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("method", "path", "fields", "status"),
    [
        ("POST", "slash", {"member": "1", "channel": "{general}", "command": "x"}, 404),
        ("POST", "slash", {"member": "{bot}", "channel": "{general}", "command": "x"}, 404),
        ("POST", "slash", {"member": "{ada}", "channel": "1", "command": "x"}, 404),
        ("POST", "slash", {"member": "{ada}", "channel": "{general}"}, 400),
        ("POST", "press", {"member": "{ada}", "message": "1", "custom_id": "x"}, 404),
        ("POST", "select", {"member": "{ada}", "message": "1", "custom_id": "x", "values": []}, 404),
        ("POST", "submit", {"member": "{ada}", "interaction": "1", "values": {}}, 404),
        ("POST", "send", {"member": "{ada}", "channel": "{general}", "content": ""}, 400),
        ("POST", "world", {"action": "unknown"}, 400),
        ("POST", "world", {"action": "create_channel"}, 400),
        ("POST", "world", {"action": "create_channel", "name": "x", "type": 99}, 400),
        ("POST", "world", {"action": "delete_message", "message": "1"}, 404),
        ("POST", "world", {"action": "set_overwrite", "channel": "{general}", "target": "1"}, 404),
        ("POST", "world", {"action": "set_roles", "member": "{ada}", "roles": ["1"]}, 400),
        ("POST", "world", {"action": "archive_thread", "channel": "{general}"}, 400),
        ("POST", "world", {"action": "create_thread", "channel": "{room}", "name": "x"}, 400),
        ("POST", "gateway", {"action": "unknown"}, 400),
        ("POST", "clock", {"action": "unknown"}, 400),
        ("POST", "clock", {"action": "set", "to": "2026-03-01"}, 400),
        ("POST", "clock", {"action": "set", "to": "2020-01-01T00:00:00Z"}, 400),
        ("POST", "clock", {"action": "set", "to": "9999-01-01T00:00:00Z"}, 400),
        ("POST", "clock", {"action": "advance", "by": 1e30}, 400),
        ("GET", "interactions/1", {}, 404),
        ("GET", "nothing", {}, 404),
        ("GET", "messages", {"member": "{ada}"}, 400),
    ],
)
async def test_faults_are_told_in_words(wire, method, path, fields, status):
    """The control contract: 400 or 404 with what is wrong and what to do."""
    names = {
        "ada": wire.members["Ada"],
        "bot": wire.app,
        "general": wire.channels["general"],
        "room": wire.channels["Study room"],
    }
    filled = {
        key: value.format(**names) if isinstance(value, str) else value for key, value in fields.items()
    }
    answer = await wire.control(method, path, expect=status, **filled)
    assert len(answer["error"]) > 10


async def live(wire, member):
    return await wire.http.ws_connect(
        f"{wire.base.replace('http', 'ws')}/control/live?member={wire.members[member]}"
    )


async def frames(socket, last):
    """Read frames up to one for which `last` holds."""
    read = []
    for _ in range(100):
        read.append(await socket.receive_json(timeout=5))
        if last(read[-1]):
            return read
    raise AssertionError(read)


async def test_the_live_socket_tells_a_member_only_what_is_theirs(wire):
    """§1 "Visible to the invoking user only", and interactions and modals go to who acted."""
    await wire.commands({"name": "ping", "description": "Ping"})
    async with await live(wire, "Ada") as ada, await live(wire, "Tom") as tom:
        interaction = await wire.slash("Ada")
        await wire.answer(interaction, 4, {"content": "hush", "flags": 64})
        opener = await wire.slash("Ada")
        modal = {"title": "T", "custom_id": "m", "components": [{"type": 10, "content": "**Hi**"}]}
        await wire.answer(opener, 9, modal)
        message = (await wire.send({"content": "for all"})).body["id"]
        await wire.control("POST", "world", action="delete_message", message=message)

        def is_end(frame):
            return frame["type"] == "message_delete"

        hers, his = await frames(ada, is_end), await frames(tom, is_end)
    assert [(one["state"], one["kind"]) for one in hers if one["type"] == "interaction"] == [
        ("pending", "command"),
        ("done", "command"),
        ("pending", "command"),
        ("done", "command"),
    ]
    (opened,) = [one for one in hers if one["type"] == "modal"]
    assert opened["interaction_id"] == opener["id"]
    assert opened["modal"]["components"][0]["html"] == "<p><strong>Hi</strong></p>\n"
    created = [one["message"]["content"] for one in hers if one["type"] == "message_create"]
    assert created == ["hush", "for all"]
    assert [one["message"]["content"] for one in his if one["type"] == "message_create"] == ["for all"]
    assert not [one for one in his if one["type"] in ("interaction", "modal")]


async def test_the_live_socket_tells_that_nobody_answered(wire):
    """§1 "First answer must arrive within 3 s", as the member sees it."""
    async with await live(wire, "Ada") as ada:
        interaction = await wire.slash("Ada")
        await wire.pass_time(3)
        read = await frames(ada, lambda one: one.get("state") == "failed")
    assert read[-1]["id"] == interaction["id"]


async def test_the_live_socket_follows_edits(wire):
    """The control contract: message_update carries the message anew."""
    message = (await wire.send({"flags": V2, "components": [{"type": 10, "content": "old"}]})).body
    async with await live(wire, "Ada") as ada:
        path = f"/channels/{message['channel_id']}/messages/{message['id']}"
        await wire.call("PATCH", path, {"components": [{"type": 10, "content": "# New"}]})
        (frame,) = await frames(ada, lambda one: one["type"] == "message_update")
    assert frame["message"]["components"][0]["html"] == "<h1>New</h1>\n"
    assert frame["message"]["edited_timestamp"] == "2026-03-01T20:00:00.000Z"


async def test_acts_can_wait_for_the_answer(wire):
    """The control contract: "wait" adds the result."""
    await wire.commands({"name": "ping", "description": "Ping"})
    gateway = await wire.gateway()
    await gateway.ready()
    fields = {
        "member": wire.members["Ada"],
        "channel": wire.channels["general"],
        "command": "ping",
        "options": {},
    }
    waiting = asyncio.create_task(wire.control("POST", "slash", **fields, wait=5))
    interaction = await gateway.event("INTERACTION_CREATE")
    await wire.answer(interaction, 4, {"content": "**pong**", "flags": 64})
    result = (await waiting)["result"]
    assert (result["state"], result["callback_type"], result["kind"]) == ("done", 4, "command")
    assert result["messages"][0]["content_html"] == "<p><strong>pong</strong></p>\n"
    assert result["created_at"] == result["answered_at"] == "2026-03-01T20:00:00.000Z"
    assert await wire.control("GET", f"interactions/{interaction['id']}") == result


async def test_everything_is_in_the_log_and_no_token(wire):
    """The control contract: the log reads back what was sent and received, never a token."""
    interaction = await wire.slash()
    await wire.answer(interaction, 4, {"content": "hi"})
    await wire.webhook("PATCH", interaction, "/messages/@original", {"content": "there"})
    await wire.call("GET", "/users/@me", token="wrong-token")
    log = await wire.control("GET", "log")
    assert [one["n"] for one in log] == list(range(1, len(log) + 1))
    for secret in (interaction["token"], "sandbox-token", "wrong-token"):
        assert secret not in str(log)
    by_dir = {
        kind: [one for one in log if one["dir"] == kind]
        for kind in ("rest", "gateway-out", "gateway-in", "control")
    }
    assert all(by_dir.values())
    edit = next(one for one in by_dir["rest"] if one["method"] == "PATCH")
    assert (edit["body"], edit["status"], edit["answer"]["content"]) == ({"content": "there"}, 200, "there")
    assert "INTERACTION_CREATE" in [one["path"] for one in by_dir["gateway-out"]]
    later = await wire.control("GET", "log", after=log[-1]["n"] - 2, limit=1)
    assert [one["n"] for one in later] == [log[-1]["n"] - 1]


async def test_the_clock_is_held_moved_and_released(wire):
    """The control contract: hold, advance, set, release; time never falls behind an id."""
    clock = await wire.control("GET", "clock")
    assert clock == {"held": True, "now": "2026-03-01T20:00:00.000Z"}
    moved = await wire.control("POST", "clock", action="set", to="2027-03-01T20:00:00.5Z")
    assert moved["now"] == "2027-03-01T20:00:00.500Z"
    assert (await wire.control("POST", "clock", action="advance", to="2027-03-01T20:00:01Z"))["held"] is True
    message = (await wire.send({"content": "x"})).body
    assert message["timestamp"] == "2027-03-01T20:00:01.000000+00:00"
    await wire.control("POST", "clock", expect=400, action="set", to="2027-03-01T20:00:00Z")
    released = await wire.control("POST", "clock", action="release")
    assert released["held"] is False
    assert released["now"].startswith("2027-03-01T20:00")
    held = await wire.control("POST", "clock", action="hold")
    assert await wire.control("GET", "clock") == held


async def test_planned_calls_fire_in_order_at_their_own_instants(start):
    """Moving a held clock past several instants lets each see its own time."""
    clock, seen = Clock(held_at=start), []
    for seconds in (3, 1, 2):
        clock.call_at(
            start + timedelta(seconds=seconds), lambda: seen.append((clock.now() - start).total_seconds())
        )
    clock.call_at(start + timedelta(seconds=1.5), lambda: seen.append("never")).cancel()
    sleeping = asyncio.create_task(clock.sleep_until(start + timedelta(seconds=2.5)))
    await asyncio.sleep(0)
    clock.advance(timedelta(seconds=2.5))
    await sleeping
    assert seen == [1, 2]
    assert clock.next_due() == start + timedelta(seconds=3)
    clock.advance(timedelta(days=365))
    assert seen == [1, 2, 3]
    assert clock.next_due() is None


async def test_a_running_clock_fires_by_itself():
    """Without being held, planned calls fire with real time, also after the clock was held and released."""
    clock = Clock()
    clock.hold()
    sleeping = asyncio.create_task(clock.sleep_until(clock.now() + timedelta(milliseconds=1)))
    await asyncio.sleep(0)
    clock.release()
    await asyncio.wait_for(sleeping, 5)


MARKDOWN = {
    "bold, italic, underline, strike": (
        "**b** *i* __u__ ~~s~~ `c`",
        "<p><strong>b</strong> <em>i</em> <u>u</u> <s>s</s> <code>c</code></p>",
    ),
    "HTML stays text": (
        "<script>alert(1)</script> &amp;",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;</p>",
    ),
    "no script in links": ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
    "links": (
        "[y](https://example.org/a_b_c)",
        '<p><a href="https://example.org/a_b_c" target="_blank" rel="noopener noreferrer">y</a></p>',
    ),
    "bare links": (
        "see https://example.org/a_b_c.",
        '<p>see <a href="https://example.org/a_b_c" target="_blank" rel="noopener noreferrer">'
        "https://example.org/a_b_c</a>.</p>",
    ),
    "jump links": (
        "[here](https://discord.com/channels/1/2/3)",
        '<p><a class="jump" href="https://discord.com/channels/1/2/3" data-guild="1" data-channel="2" '
        'data-message="3">here</a></p>',
    ),
    "spoilers, and code wins over them": (
        "||a `||` b||",
        '<p><span class="spoiler" tabindex="0" role="button">a <code>||</code> b</span></p>',
    ),
    "an open spoiler is text": ("||a", "<p>||a</p>"),
    "headings only at line start": ("# a\nb # c", "<h1>a</h1>\n<p>b # c</p>"),
    "headings need a space and end at three": ("#a\n#### b", "<p>#a<br />\n#### b</p>"),
    "subtext": ("-# small", "<small>small</small>"),
    "quotes": ("> a\n> b\nc", "<blockquote>\n<p>a<br />\nb</p>\n</blockquote>\n<p>c</p>"),
    "quotes to the end": (">>> a\n\nb", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"),
    "lists": ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    "code blocks": ("```py\na < 1\n```", '<pre><code class="language-py">a &lt; 1\n</code></pre>'),
    "escapes": (r"\*a\* \_b\_ \# c", "<p>*a* _b_ # c</p>"),
    "line breaks": ("a\nb", "<p>a<br />\nb</p>"),
    "no rules, no underlined headings": ("a\n---", "<p>a<br />\n---</p>"),
    "timestamps": (
        "<t:1764619200:R>",
        '<p><time data-unix="1764619200" data-style="R">2025-12-01 20:00 UTC</time></p>',
    ),
    "timestamps default to f": (
        "<t:0>",
        '<p><time data-unix="0" data-style="f">1970-01-01 00:00 UTC</time></p>',
    ),
    "impossible timestamps": (
        "<t:99999999999999:R>",
        '<p><time data-unix="99999999999999" data-style="R">99999999999999</time></p>',
    ),
    "commands": (
        "</quiz start:1>",
        '<p><span class="mention" data-command="quiz start">/quiz start</span></p>',
    ),
    "nothing is named": ("<@1>", '<p><span class="mention" data-member="1">@unknown member</span></p>'),
}


@pytest.mark.parametrize(("text", "html"), MARKDOWN.values(), ids=MARKDOWN.keys())
async def test_markdown(wire, text, html):
    """§7: markdown, timestamps and mentions, as safe HTML."""
    await wire.send({"content": text})
    assert (await wire.seen())[-1]["content_html"].strip() == html


async def test_mentions_are_named(wire):
    """§7 "<@id>, <#id>, <@&id>"."""
    await wire.send(
        {"content": f"<@{wire.members['Ada']}> <#{wire.channels['general']}> <@&{wire.bot_role}>"}
    )
    html = (await wire.seen())[-1]["content_html"]
    for name in (">@Ada<", ">#general<", ">@Etüt<"):
        assert name in html


async def test_a_kept_world_comes_back(tmp_path):
    """--keep: what was written is there again, ephemeral messages and tokens are not."""
    headers = {"Authorization": "Bot sandbox-token"}

    async def post(http, sandbox, path, body):
        async with http.post(f"{sandbox.api_base}{path}", json=body, headers=headers) as response:
            return await response.json()

    sandbox = Sandbox(keep=tmp_path)
    channel = next(one.id for one in sandbox.world.channels.values() if one.name == "çalışma-odası")
    async with aiohttp.ClientSession() as http:
        await sandbox.start()
        path = f"/applications/{sandbox.world.bot_id}/commands"
        await post(http, sandbox, path, {"name": "ping", "description": "Ping"})
        kept = await post(http, sandbox, f"/channels/{channel}/messages", {"content": "Çay?", "nonce": "n"})
        await sandbox.stop()

        again = Sandbox(keep=tmp_path)
        assert again.world == sandbox.world
        await again.start()
        newer = await post(http, again, f"/channels/{channel}/messages", {"content": "Olur"})
        assert int(newer["id"]) > int(kept["id"])
        await again.stop()


async def test_a_taken_port_becomes_another(wire):
    """`start` on a port that is taken serves on a free one."""
    second = Sandbox()
    await second.start(port=wire.sandbox.port)
    assert second.port not in (0, wire.sandbox.port)
    await second.stop()
