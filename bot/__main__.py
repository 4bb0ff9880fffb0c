"""The command line: run the bot, try it in the sandbox, check and import quizzes.

It only reads arguments and prints; the only module that knows the sandbox, which it starts as a process of its own.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.config import Settings, SettingsFault, read_settings

SHIPPED = Path(__file__).resolve().parent.parent / "quizzes"
RESTARTS = 5
"""How often a bot that dies in the sandbox is started again."""
START_S = 30.0

cli = typer.Typer(
    help="Etüt, the study-quiz bot for Discord.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@cli.command()
def run() -> None:
    """Run the bot on Discord, with the token of the settings."""
    settings = _settings()
    if settings.discord_token is None:
        print(
            "There is no DISCORD_TOKEN, neither in the environment nor in .env: "
            "copy .env.example to .env and fill it in.\n"
            "To try Etüt without one, use `make run` or `python -m bot sandbox`.",
            file=sys.stderr,
        )
        raise typer.Exit(2)
    from bot.app import run as run_app  # here, since checking a quiz needs neither Discord nor a database

    raise typer.Exit(run_app(settings))


@cli.command()
def sandbox(
    port: Annotated[
        int | None, typer.Option(help="Port of the page; a taken one becomes a free one.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the sandbox's world and its database here.")
    ] = None,
) -> None:
    """Try everything in a browser, without Discord: a loopback Discord, and the bot in it."""
    settings = _settings()
    with tempfile.TemporaryDirectory(prefix="etut-", ignore_cleanup_errors=True) as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        trial = _Trial(folder.absolute(), port or settings.sandbox_port, kept=keep is not None)
        raise typer.Exit(asyncio.run(trial.run()))


@cli.command(hidden=True)
def start() -> None:
    """Run on Discord if there is a token, else in the sandbox: what `make run` does."""
    if _settings().discord_token is None:
        sandbox(port=None, keep=None)
    else:
        run()


@cli.command()
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Quiz files or folders; without any, all that the bot loads.")
    ] = None,
) -> None:
    """Check quiz files: every fault with its line, or the count of quizzes, questions and languages."""
    from bot.content import check_paths

    if not paths:
        own = _settings().quiz_dir
        paths = [SHIPPED, *([own] if own else [])]
    checked = check_paths(paths)
    print(checked.as_text(), file=sys.stdout if checked.ok else sys.stderr)
    raise typer.Exit(0 if checked.ok else 1)


@cli.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document with questions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write a quiz draft in our format here.")
    ] = None,
) -> None:
    """Read questions from a document, say what came in and what did not, and write them as a draft."""
    from bot.content import draft_yaml, import_document

    try:
        data = file.read_bytes()
    except OSError as fault:
        print(f"{file}: {fault.strerror}; look at the path", file=sys.stderr)
        raise typer.Exit(1) from None
    report = import_document(data, file.name)
    print(json.dumps(report.as_json(), ensure_ascii=False, indent=1) if as_json else report.as_text())
    if not report.questions:
        raise typer.Exit(1)
    if out is not None:
        try:
            out.write_text(draft_yaml(report), "utf-8")
        except OSError as fault:
            print(f"{out}: {fault.strerror}; choose another place", file=sys.stderr)
            raise typer.Exit(1) from None
        if not as_json:
            print(f"draft written to {out}; `python -m bot check {out}` checks it")


def _settings() -> Settings:
    try:
        return read_settings()
    except SettingsFault as fault:
        print("The settings cannot be used:", file=sys.stderr)
        for line in fault.faults:
            print(f"- {line}", file=sys.stderr)
        raise typer.Exit(2) from None


class _Trial:
    """The sandbox and the bot in it, each a process; their world and database are made together and go together."""

    def __init__(self, folder: Path, port: int, *, kept: bool) -> None:
        self._folder = folder
        self._port = port
        self._kept = kept
        self._stopping = asyncio.Event()
        self._processes: list[asyncio.subprocess.Process] = []

    async def run(self) -> int:
        """Run both until Ctrl-C or SIGTERM; return the exit status."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C ends the loop itself
                loop.add_signal_handler(name, self._stopping.set)
        try:
            async with asyncio.timeout(START_S):
                url = await self._start_sandbox()
            return await self._watch(url)
        except TimeoutError:
            print("The sandbox did not start.", file=sys.stderr)
            return 1
        finally:
            await self._end_all()

    async def _start_sandbox(self) -> str:
        """Start the sandbox; return the address of its page."""
        command = ["-m", "sandbox", "--port", str(self._port)]
        if self._kept:
            command += ["--keep", str(self._folder)]
        process = await self._start(command, dict(os.environ), stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        said = (await process.stdout.readline()).decode()
        if "http" not in said:
            raise TimeoutError
        return said.split()[-1]

    async def _watch(self, url: str) -> int:
        """Keep the bot running; say where to look once it is there."""
        environment = {
            **os.environ,
            "DISCORD_TOKEN": "sandbox-token",
            "DISCORD_API_BASE": f"{url}api/v10",
            "DISCORD_GATEWAY_URL": f"{url.replace('http', 'ws', 1)}gateway/",
            "DISCORD_CDN_BASE": f"{url}cdn",
            "DATABASE_URL": f"sqlite:///{self._folder / 'etut.db'}",
        }
        environment.setdefault("LOG_LEVEL", "WARNING")
        server = self._processes[0]
        for started in range(RESTARTS + 1):
            bot = await self._start(["-m", "bot", "run"], environment)
            if not started:
                _welcome(url)
            waits = [asyncio.create_task(one) for one in (self._stopping.wait(), bot.wait(), server.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
            if self._stopping.is_set():
                return 0
            if server.returncode is not None:
                print("The sandbox has ended.", file=sys.stderr)
                return 1
            if bot.returncode == 2:
                return 2  # it has said why it cannot start
            print("The bot has ended unexpectedly; it is started again.", file=sys.stderr)
        print("The bot keeps ending; see what it printed above.", file=sys.stderr)
        return 1

    async def _start(
        self, command: list[str], environment: dict[str, str], stdout: int | None = None
    ) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, env=environment, cwd=SHIPPED.parent, stdout=stdout
        )
        self._processes.append(process)
        return process

    async def _end_all(self) -> None:
        """End the bot first, then the sandbox; what does not end in seconds is killed."""
        for process in reversed(self._processes):
            if process.returncode is None:
                process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), 6)
                except TimeoutError:
                    process.kill()
                    await process.wait()


def _welcome(url: str) -> None:
    print(
        f"\nEtüt is running in its sandbox: {url}\n"
        "Open this address, type /quiz start into the message box, choose a quiz and press Enter; "
        "then press a letter, switch to another member, and press another. Ctrl-C ends it.\n"
        "To run it on Discord, get a token at https://discord.com/developers/applications "
        "(your application → Bot → Reset Token) and write DISCORD_TOKEN=… into a file named .env here.",
        flush=True,
    )


if __name__ == "__main__":
    cli(prog_name="python -m bot")
