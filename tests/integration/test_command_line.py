"""The command line, as processes: what it prints and with which status it ends, and the sandbox it starts."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.config import Settings

ROOT = Path(__file__).parents[2]
APPEARS_S = 60
QUIZ = """\
format: 1
id: {id}
title: A quiz
language: en
questions:
  - id: first
    stem: What is it?
    options:
      - text: This
        correct: {correct}
      - text: That
    explanation: Because.
"""


@pytest.fixture
def environment() -> dict[str, str]:
    names = {name.upper() for name in Settings.model_fields}
    mine = {name: value for name, value in os.environ.items() if name not in names}
    return {**mine, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


@pytest.fixture
def etut(tmp_path: Path, environment: dict[str, str]) -> Any:
    """Run `python -m bot …` in an empty folder."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=tmp_path,
            env=environment | settings,
            capture_output=True,
            encoding="utf-8",
            timeout=APPEARS_S,
            check=False,
        )

    return run


def test_help_names_every_command(etut: Any) -> None:
    done = etut("--help")
    assert done.returncode == 0
    for command in ("run", "sandbox", "start", "check", "import"):
        assert f"\n  {command} " in done.stdout


def test_run_without_a_token_says_why_and_starts_nothing(etut: Any) -> None:
    done = etut("run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no DISCORD_TOKEN" in done.stderr
    assert "python -m bot sandbox" in done.stderr


@pytest.mark.parametrize("command", ["run", "sandbox", "start", "check"])
def test_faulty_settings_are_reported_together_with_status_2(etut: Any, command: str) -> None:
    done = etut(command, DISCORD_TOKEN="a secret", DATABASE_URL="mysql://u:secret@h/d", TIME_ZONE="Nowhere")
    assert done.returncode == 2
    assert [line.split()[1] for line in done.stderr.splitlines()[1:]] == [
        "DISCORD_TOKEN",
        "DATABASE_URL",
        "TIME_ZONE",
    ]
    assert "secret" not in done.stdout + done.stderr


def test_check_counts_the_shipped_quizzes_and_those_of_the_operator(etut: Any, tmp_path: Path) -> None:
    shipped = etut("check")
    assert shipped.returncode == 0
    assert "2 quizzes, 16 questions" in shipped.stdout
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.yaml").write_text(QUIZ.format(id="mine", correct="true"))
    both = etut("check", QUIZ_DIR="own")
    assert both.returncode == 0
    assert "3 quizzes, 17 questions" in both.stdout


def test_check_names_every_fault_of_every_file(etut: Any, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(QUIZ.format(id=name, correct="yes"))
    done = etut("check", "one.yaml", "two.yaml")
    assert done.returncode == 1
    assert [line.split(":")[:2] for line in done.stdout.splitlines()] == [
        ["one.yaml", "10"],
        ["two.yaml", "10"],
    ]


def test_check_waits_for_neither_discord_nor_a_database(tmp_path: Path, environment: dict[str, str]) -> None:
    program = (
        "import sys; from bot.__main__ import cli\n"
        "try: cli(['check'])\n"
        "finally: print(sorted({'discord', 'sqlalchemy', 'aiohttp'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_import_reports_and_writes_a_draft_that_check_accepts(etut: Any, tmp_path: Path) -> None:
    (tmp_path / "quiz.txt").write_text("1. Hangisi doğru?\nA) Şu\nB) Bu\n", "utf-8")
    printed = etut("import", "quiz.txt", "--json", "-o", "draft.yaml")
    assert printed.returncode == 0
    report = json.loads(printed.stdout)
    assert [question["key"] for question in report["questions"]] == ["missing"]
    assert [option["text"] for option in report["questions"][0]["options"]] == ["Şu", "Bu"]
    checked = etut("check", "draft.yaml")
    assert checked.returncode == 0, checked.stdout
    assert "1 quiz, 1 question" in checked.stdout


def test_import_of_nothing_fails_and_writes_nothing(etut: Any, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    assert etut("import", "empty.txt", "-o", "draft.yaml").returncode == 1
    assert etut("import", "missing.txt").returncode == 1
    assert not (tmp_path / "draft.yaml").exists()


class Trial:
    """A sandbox that was started by the command line, and what it has printed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self.page = ""

    async def appears(self) -> None:
        """Read until the address has been printed."""
        assert self.process.stdout is not None
        async with asyncio.timeout(APPEARS_S):
            while not self.page and (line := await self.process.stdout.readline()):
                self.lines.append(line.decode().rstrip("\n"))
                self.page = line.decode().split()[-1] if b"http://127.0.0.1" in line else ""
        assert self.page, self.lines

    async def world(self) -> dict[str, Any]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.page}control/world") as answer:
            return await answer.json()

    async def ends(self) -> int:
        """End it as a service manager would; read what it still says; return its status."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(APPEARS_S):
            rest, _ = await self.process.communicate()
        self.lines += rest.decode().splitlines()
        return self.process.returncode or 0


@pytest.fixture
def trial(tmp_path: Path, environment: dict[str, str]) -> Any:
    """Start a command that starts a sandbox; end it, whatever happens."""
    (tmp_path / "temporary").mkdir()

    @asynccontextmanager
    async def started(*arguments: str, **settings: str) -> AsyncIterator[Trial]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *arguments,
            cwd=tmp_path,
            env=environment | {"TMPDIR": str(tmp_path / "temporary")} | settings,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        begun = Trial(process)
        try:
            await begun.appears()
            yield begun
        finally:
            await begun.ends()

    return started


async def test_without_a_token_start_opens_the_sandbox_and_tells_how_to_get_one(
    trial: Any, tmp_path: Path
) -> None:
    async with trial("start") as first:
        assert (await first.world())["bot"]["online"]
        async with trial("start") as second:
            assert second.page != first.page
        assert await first.ends() == 0
    assert "/quiz start" in "\n".join(first.lines)
    assert "discord.com/developers" in first.lines[-1]
    with pytest.raises(aiohttp.ClientConnectionError):
        await first.world()
    assert not list((tmp_path / "temporary").iterdir())
    assert not (tmp_path / "data").exists()


async def test_a_token_never_reaches_the_sandbox(trial: Any) -> None:
    async with trial("sandbox", DISCORD_TOKEN="a-real-token") as sandbox:
        assert (await sandbox.world())["bot"]["online"]
    assert "a-real-token" not in "\n".join(sandbox.lines)
    assert "discord.com/developers" not in sandbox.lines[-1]


async def test_what_is_kept_is_taken_up_again(trial: Any, tmp_path: Path) -> None:
    async with trial("sandbox", "--keep", "kept world") as before:
        world = await before.world()
        channel = world["guilds"][0]["channels"][0]["id"]
        member = world["guilds"][0]["members"][0]["id"]
        async with aiohttp.ClientSession() as session:
            said = {"member": member, "channel": channel, "content": "Merhaba"}
            async with session.post(f"{before.page}control/send", json=said) as answer:
                assert answer.status == 200
    assert {"world.json", "etut.db"} <= {path.name for path in (tmp_path / "kept world").iterdir()}
    async with trial("sandbox", "--keep", "kept world") as after, aiohttp.ClientSession() as session:
        asked = {"member": member, "channel": channel}
        async with session.get(f"{after.page}control/messages", params=asked) as answer:
            assert [message["content"] for message in await answer.json()] == ["Merhaba"]


def bot_of(sandbox: Trial) -> int | None:
    """Find the process of the bot in a sandbox."""
    parent = sandbox.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    bots = [int(child) for child in children if "\0bot\0run" in Path(f"/proc/{child}/cmdline").read_text()]
    return bots[0] if bots else None


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux's list of child processes")
async def test_a_bot_that_dies_in_the_sandbox_is_started_again(trial: Any) -> None:
    async with trial("sandbox") as sandbox:
        first = bot_of(sandbox)
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(APPEARS_S):
            while b"started again" not in (line := await sandbox.process.stdout.readline()):
                assert line
            for _ in range(10 * APPEARS_S):
                await asyncio.sleep(0.1)
                if bot_of(sandbox) not in (first, None) and (await sandbox.world())["bot"]["online"]:
                    return
    pytest.fail("the bot did not come back")
