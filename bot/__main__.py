"""The command line: run the bot, try it in the sandbox, check and import quizzes.

It only reads arguments, prints and starts processes; everything else is imported by the command that needs it, so
that checking a quiz waits for neither Discord nor a database. No other module knows the sandbox.
"""

import asyncio
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from bot.config import Settings, SettingsFault, read_settings

RESTARTS = 5
"""How often a bot that dies in the sandbox is started again."""
START_S = 30.0
"""How long the sandbox, and then the bot in it, may take to appear."""
PAUSE_S = 1.0
GLANCE_S = 0.2
ASK_S = 20.0
"""How long the sandbox may wait for somebody's wish before it is asked anew."""
END_S = 8.0
"""How long a process may take to wind up before it is killed."""

Port = Annotated[
    int | None, typer.Option(min=1, max=65535, help="The page's port; a taken one becomes a free one.")
]
Keep = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Keep the sandbox's world and its database in DIR.")
]

cli = typer.Typer(
    help="Etüt, the study-quiz bot for Discord.",
    epilog="Settings come from the environment and from .env; .env.example explains each.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@cli.command()
def run() -> None:
    """Run the bot on Discord."""
    settings = _settings()
    if settings.discord_token is None:
        _say(
            "There is no DISCORD_TOKEN, neither in the environment nor in .env: "
            "copy .env.example to .env and fill it in.\n"
            "To try Etüt without one, use `make run` or `python -m bot sandbox`."
        )
        raise typer.Exit(2)
    from bot.app import run as run_app

    raise typer.Exit(run_app(settings))


@cli.command()
def sandbox(port: Port = None, keep: Keep = None) -> None:
    """Try the bot in a browser, without Discord or a token.

    Starts a loopback Discord on this machine and the bot in it, with a database of its own. Both are forgotten at the
    end, unless they are kept.
    """
    settings = _settings()
    with tempfile.TemporaryDirectory(prefix="etut-", ignore_cleanup_errors=True) as temporary:
        folder = (keep or Path(temporary)).absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            _say(f"{folder}: {fault.strerror}; choose another folder")
            raise typer.Exit(1) from None
        trial = _Trial(settings, folder, port or settings.sandbox_port, kept=keep is not None)
        try:
            status = asyncio.run(trial.run())
        except KeyboardInterrupt:  # only where the loop cannot handle signals
            status = 0
        raise typer.Exit(status)


@cli.command()
def start(port: Port = None, keep: Keep = None) -> None:
    """Run on Discord if there is a token, else in the sandbox: `make run`."""
    if _settings().discord_token is None:
        sandbox(port, keep)
    else:
        run()


@cli.command()
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Quiz files or folders; without any, all that the bot loads.")
    ] = None,
) -> None:
    """Check quiz files and name every fault with its line."""
    from bot.content import check_paths, quiz_folders

    checked = check_paths(paths or quiz_folders(_settings().quiz_dir))
    print(checked.as_text())
    raise typer.Exit(0 if checked.ok else 1)


@cli.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document with questions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write the draft to OUT.")
    ] = None,
) -> None:
    """Read questions from a document, and write them as a draft.

    Prints what came in and what did not. Right answers that the document does not give are marked as missing in the
    draft; nothing is guessed.
    """
    from bot.content import draft_yaml, import_document

    try:
        data = file.read_bytes()
    except OSError as fault:
        _say(f"{file}: {fault.strerror}; look at the path")
        raise typer.Exit(1) from None
    report = import_document(data, file.name)
    print(json.dumps(report.as_json(), ensure_ascii=False, indent=1) if as_json else report.as_text())
    if not report.questions:
        raise typer.Exit(1)
    if out is not None:
        try:
            out.write_text(draft_yaml(report), "utf-8")
        except OSError as fault:
            _say(f"{out}: {fault.strerror}; choose another place")
            raise typer.Exit(1) from None
        if not as_json:
            print(f"draft written to {out}; `python -m bot check {out}` checks it")


def _settings() -> Settings:
    try:
        return read_settings()
    except SettingsFault as fault:
        _say("The settings cannot be used:\n" + "\n".join(f"- {line}" for line in fault.faults))
        raise typer.Exit(2) from None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class _Addresses(NamedTuple):
    """What the sandbox prints when it is there, line by line."""

    page: str
    api: str
    gateway: str
    files: str
    token: str


class _Trial:
    """The sandbox and the bot in it, each a process; their world and their database are made and kept together."""

    def __init__(self, settings: Settings, folder: Path, port: int, *, kept: bool) -> None:
        self._settings = settings
        self._folder = folder
        self._port = port
        self._kept = kept
        self._stopping = asyncio.Event()
        self._processes: list[asyncio.subprocess.Process] = []

    async def run(self) -> int:
        """Run both until Ctrl-C or SIGTERM; return the exit status."""
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            with suppress(NotImplementedError, AttributeError):  # Windows: Ctrl-C ends the loop itself
                loop.add_signal_handler(getattr(signal, name), self._stopping.set)
        try:
            world = await self._start_sandbox()
            addresses = await self._addresses(world)
            return 1 if addresses is None else await self._keep_running(world, addresses)
        finally:
            await self._end_all()

    async def _start_sandbox(self) -> asyncio.subprocess.Process:
        keep = ["--keep", str(self._folder)] if self._kept else []
        environment = {name: value for name, value in os.environ.items() if name != "DISCORD_TOKEN"}
        return await self._start(
            ["sandbox", "--port", str(self._port), *keep], environment, asyncio.subprocess.PIPE
        )

    async def _addresses(self, world: asyncio.subprocess.Process) -> _Addresses | None:
        """Return where everything is, or None where the sandbox did not start, having said why."""
        assert world.stdout is not None
        lines: list[str] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                while len(lines) < len(_Addresses._fields) and (line := await world.stdout.readline()):
                    lines.append(line.decode().split()[-1])
        if len(lines) == len(_Addresses._fields):
            return _Addresses(*lines)
        _say("The sandbox did not start; see what it printed above.")
        return None

    async def _keep_running(self, world: asyncio.subprocess.Process, at: _Addresses) -> int:
        """Keep the bot running, and say where to look as soon as it is there; return the exit status."""
        environment = {
            **os.environ,
            "DISCORD_TOKEN": at.token,
            "DISCORD_API_BASE": at.api,
            "DISCORD_GATEWAY_URL": at.gateway,
            "DISCORD_CDN_BASE": at.files,
            "DATABASE_URL": f"sqlite:///{self._folder / 'etut.db'}",
        }
        if "log_level" not in self._settings.model_fields_set:
            environment["LOG_LEVEL"] = "WARNING"  # what is to be clicked should stay in view
        greeting = asyncio.create_task(self._greet(at))
        try:
            return await self._restart_bot(world, environment, at.page)
        finally:
            greeting.cancel()

    async def _restart_bot(
        self, world: asyncio.subprocess.Process, environment: dict[str, str], page: str
    ) -> int:
        deaths = 0
        while not self._is_over(world):
            bot = await self._start(["bot", "run"], environment)
            await self._until_over(world, bot.wait(), _wished(page, "stopped"))
            if self._is_over(world):
                break
            if bot.returncode is None:
                bot.kill()
                await bot.wait()
                _say("The bot was killed on the page, which can start it again.")
                await self._until_over(world, _wished(page, "running"))
            elif bot.returncode == 2:
                return 2  # it has said why it cannot start
            elif deaths == RESTARTS:
                _say("The bot keeps ending; see what it printed above.")
                return 1
            else:
                deaths += 1
                _say("The bot has ended unexpectedly; it is started again.")
                await self._until_over(world, asyncio.sleep(PAUSE_S))
        if self._stopping.is_set():
            return 0
        _say("The sandbox has ended.")
        return 1

    async def _until_over(
        self, world: asyncio.subprocess.Process, *waits: Coroutine[None, None, object]
    ) -> None:
        await _first(self._stopping.wait(), world.wait(), *waits)

    def _is_over(self, world: asyncio.subprocess.Process) -> bool:
        return self._stopping.is_set() or world.returncode is not None

    async def _greet(self, at: _Addresses) -> None:
        """Print the address and what to click, once the bot is there to answer."""
        if not await _online(at.page):
            _say("The bot is not there yet; what it prints says why.")
        print(
            f"\nEtüt is running in its sandbox: {at.page}\n"
            "Open it in a browser, type /quiz start into the message box, choose a quiz and press Enter; then press "
            "a letter,\nswitch to another member at the top, and press another one; or have members play by "
            "themselves: that is\nunder Backstage, with what the bot sends and receives, and ways to disturb it. "
            "Ctrl-C ends it.",
            flush=True,
        )
        if self._settings.discord_token is None:
            print(
                "To run it on Discord, copy .env.example to .env and fill in DISCORD_TOKEN, from "
                "https://discord.com/developers/applications (New Application → Bot → Reset Token).",
                flush=True,
            )

    async def _start(
        self, module: list[str], environment: dict[str, str], stdout: int | None = None
    ) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *module, env=environment, stdout=stdout
        )
        self._processes.append(process)
        return process

    async def _end_all(self) -> None:
        """End the bot first, then the sandbox; what does not end in seconds is killed."""
        for process in reversed(self._processes):
            if process.returncode is None:
                process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), END_S)
                except TimeoutError:
                    process.kill()
                    await process.wait()


async def _first(*waits: Coroutine[None, None, object]) -> None:
    """Return when one of several waits is over; the others are given up."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _wished(page: str, state: str) -> None:
    """Wait until somebody at the sandbox's page wishes the bot's process to be running, or stopped."""
    import aiohttp

    present = "running" if state == "stopped" else "stopped"
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ASK_S + START_S)) as session:
        while True:
            wanted = None
            with suppress(aiohttp.ClientError, TimeoutError):
                asked = {"state": present, "wait": ASK_S}
                async with session.post(f"{page}control/bot/state", json=asked) as answer:
                    wanted = (await answer.json()).get("wanted")
            if wanted == state:
                return
            if wanted is None:
                await asyncio.sleep(GLANCE_S)


async def _online(page: str) -> bool:
    """Wait until the sandbox says that its bot is connected; tell whether it is, after all that time."""
    import aiohttp

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=2)) as session:
        for _ in range(int(START_S / GLANCE_S)):
            with suppress(aiohttp.ClientError, TimeoutError):
                async with session.get(f"{page}control/world") as answer:
                    if (await answer.json())["bot"]["online"]:
                        return True
            await asyncio.sleep(GLANCE_S)
    return False


def main() -> None:
    """Run the command that was given; texts leave in UTF-8 wherever they go."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    cli(prog_name="python -m bot")


if __name__ == "__main__":
    main()
