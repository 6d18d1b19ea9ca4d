"""`make play`: start the server, wait until it answers, print the address."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from types import FrameType

from toolchain.console import StepError, environment, require, say, step
from toolchain.paths import ROOT, tool

START_TIMEOUT_S = 60.0


def build_houses() -> None:
    """Make the houses and tasks (a no-op if they are there)."""
    with step("Making the house and its tasks"):
        require(
            "houses",
            [tool("cohabit"), "houses", "build"],
            advice="the message above says why; `make doctor` checks the data directory.",
        )


def require_free(host: str, port: int) -> None:
    """Raise StepError if somebody listens on the address already."""
    if port == 0:
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StepError(
                f"cannot listen on {host}:{port}: {error.strerror}",
                f"stop what runs there, or choose another port: make play PORT={port + 1}",
            ) from error


def serve(host: str, port: int, arguments: Sequence[str]) -> int:
    """Run the server until it is stopped; returns its exit code."""
    env = environment({"COHABIT_HOST": host, "COHABIT_PORT": str(port)})
    server = subprocess.Popen([tool("cohabit"), "serve", *arguments], cwd=ROOT, env=env)

    def hand_on(number: int, frame: FrameType | None) -> None:
        server.send_signal(number)

    # Ctrl+C reaches the server too (same terminal): here it must only not end the waiting.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, hand_on)
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    if _answers(server, address):
        say(f"\nCohabit is running: {address}   (Ctrl+C stops it)\n")
    elif server.poll() is None:
        say(f"\nThe server has not answered on {address} for {START_TIMEOUT_S:.0f} s; waiting …")
    code = server.wait()
    stopped = (0, -signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)
    if code in stopped:
        return 0
    raise StepError(f"the server ended (exit {code})", "`make doctor` says what is missing.")


def _answers(server: subprocess.Popen[bytes], address: str) -> bool:
    # A proxy setting of the machine must not send this request elsewhere.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with opener.open(address, timeout=2):
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            time.sleep(0.1)
    return False


def doctor() -> int:
    """`cohabit doctor`, with its own exit code."""
    return subprocess.run(
        [tool("cohabit"), "doctor"], cwd=ROOT, env=environment(), check=False
    ).returncode
