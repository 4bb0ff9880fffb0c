"""`python -m sandbox`: serve a sandbox until it is interrupted."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from sandbox.keeping import UnreadableWorld
from sandbox.server import Sandbox

DEFAULT_PORT = 8790


def main() -> int:
    """Read the command line and serve; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A loopback Discord on 127.0.0.1.")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="a taken port becomes a free one (%(default)s)"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the world in this folder, and take it up again"
    )
    arguments = parser.parse_args()
    try:
        sandbox = Sandbox(keep=arguments.keep)
    except UnreadableWorld as error:
        print(error, file=sys.stderr)
        return 1
    asyncio.run(_serve(sandbox, arguments.port))
    return 0


async def _serve(sandbox: Sandbox, port: int) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:
            # Windows has no handlers in the loop; Ctrl+C then ends the process by itself.
            continue
    await sandbox.start(port)
    try:
        print(f"The sandbox is at {sandbox.url}", flush=True)
        print(f"  REST     {sandbox.api_base}", flush=True)
        print(f"  gateway  {sandbox.gateway_url}", flush=True)
        print(f"  files    {sandbox.cdn_base}", flush=True)
        print(f"  token    {sandbox.hub.settings.token}", flush=True)
        await stopped.wait()
    finally:
        await sandbox.stop()


if __name__ == "__main__":
    sys.exit(main())
