"""The bot as a process: how it ends, what it refuses to start on, and when it registers its commands."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from sandbox.server import Sandbox
from tests.support.process import PATIENCE_S, ROOT, clean_environment, run_product
from tests.support.reading import deadline, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e


async def test_asked_to_stop_it_finishes_what_it_received_and_the_round_goes_on_later(table: Table) -> None:
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await tom.press(question, "A")
    pressed = await ada.press_blindly(question, "B")

    async def arrived() -> bool:
        return (await table.interaction(pressed))["state"] == "done"

    await table.until(arrived)
    assert await table.stop_bot(within_s=5) == 0
    assert "1 has answered" not in words(await table.again(question))
    await table.advance(3)
    await table.start_bot()
    assert deadline(await table.again(question)) == deadline(question)
    assert reply(await ada.press(question, "B")) == "Still B ✔"
    assert "2 took part" in words(await table.message("🏁"))


async def test_stopped_while_its_answers_are_held_up_it_still_ends(table: Table) -> None:
    """A request that is never answered delays the end by seconds, not for ever."""
    table.complaints_expected = True
    maya = table.people["Maya"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    table.rest.hold_answers()
    await table.people["Ada"].press_blindly(question, "B")

    async def received() -> bool:
        return len(await table.sent("POST", "/callback")) == 2

    await table.until(received)
    assert await table.stop_bot() == 0
    table.rest.let_go()
    await table.start_bot()
    assert reply(await table.people["Ada"].press(question, "B")) == "Still B ✔"


async def test_commands_are_registered_once_and_again_only_when_they_differ(bare_table: Table) -> None:
    table = bare_table

    async def registrations() -> int:
        return len(await table.sent("PUT", "/commands"))

    await table.start_bot()
    assert await registrations() == 1
    assert await table.stop_bot() == 0
    await table.start_bot()
    await table.kill_bot()
    await table.start_bot()
    assert await registrations() == 1
    assert await table.stop_bot() == 0

    # Somebody has deleted them at Discord.
    application = table.sandbox.world.bot_id
    headers = {"Authorization": f"Bot {table.sandbox.hub.settings.token}"}
    url = f"{table.sandbox.api_base}/applications/{application}/commands"
    async with table.http.put(url, json=[], headers=headers) as made:
        assert made.status == 200
    assert await table.people["Maya"].menu() == {}
    await table.start_bot()
    assert await registrations() == 3
    assert set(await table.people["Maya"].menu()) == {"quiz start", "quiz stop", "quiz list", "help"}


async def test_a_second_process_on_the_same_database_refuses_to_start(table: Table) -> None:
    status, printed = await run_product("run", environment=table.environment())
    assert status == 2
    assert "is in use by another running Etüt; stop that one first" in printed
    assert table.sandbox.hub.settings.token not in printed
    assert "Traceback" not in printed
    # The first one has not noticed.
    assert reply(await table.people["Maya"].slash("quiz start", quiz="light")).startswith("Started: ")


async def test_after_a_kill_the_database_is_free_at_once(table: Table) -> None:
    await table.kill_bot()
    await table.start_bot()
    assert reply(await table.people["Maya"].slash("quiz start", quiz="light")).startswith("Started: ")


async def test_a_refused_token_is_said_and_never_shown(bare_table: Table) -> None:
    table = bare_table
    table.forgiven.add(0)
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GfAkEd.this-token-must-never-be-shown"
    status, printed = await run_product("run", environment=table.environment(DISCORD_TOKEN=token))
    assert status == 2
    assert "Discord refuses the token" in printed
    for part in (token, *token.split(".")):
        assert part not in printed
    assert "Traceback" not in printed
    log = await table.log()
    assert [one["status"] for one in log if one["dir"] == "rest"] == [401]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM on Windows")
async def test_the_product_itself_connects_and_ends_cleanly_with_real_time(tmp_path: Path) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    environment = {
        **clean_environment(),
        "DISCORD_TOKEN": sandbox.hub.settings.token,
        "DISCORD_API_BASE": sandbox.api_base,
        "DISCORD_GATEWAY_URL": sandbox.gateway_url,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'etut.db'}",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            printed = ""
            while "invite it with" not in printed:
                line = await process.stderr.readline()
                assert line, printed
                printed += line.decode()
        process.send_signal(signal.SIGTERM)
        printed += (await process.stderr.read()).decode()
        assert await asyncio.wait_for(process.wait(), 5) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await sandbox.stop()
    # View Channel, Send Messages, Send Messages in Threads and Read Message History; nothing else.
    asked = (1 << 10) | (1 << 11) | (1 << 38) | (1 << 16)
    assert f"permissions={asked}" in printed
    assert "ERROR" not in printed
    assert sandbox.hub.settings.token not in printed
