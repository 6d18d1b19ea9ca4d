"""`make play`: houses and the server."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Sequence
from ipaddress import ip_address
from types import FrameType

from toolchain.console import StepError, environment, require, step
from toolchain.paths import ROOT, tool


def build_houses(everything: bool = False) -> None:
    """Make the house that is played in and its tasks, or all houses (what is there is kept)."""
    with step("Making the houses" if everything else "Making the house and its tasks"):
        require(
            "houses",
            [tool("cohabit"), "houses", "build", *([] if everything else ["--first"])],
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


def is_loopback(host: str) -> bool:
    """Tell whether nobody but this machine can reach what listens on ``host``."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def serve_command(host: str, arguments: Sequence[str]) -> list[str]:
    """Return the command that serves on ``host``.

    Where others can reach it, no address is proof of an operator: a link that is printed is.
    """
    link = "--operator-link"
    given = [] if is_loopback(host) or link in arguments else [link]
    return ["cohabit", "serve", *given, *arguments]


def serve(host: str, port: int, arguments: Sequence[str]) -> int:
    """Run the server until it is stopped; it prints its address when it can be opened."""
    env = environment({"COHABIT_HOST": host, "COHABIT_PORT": str(port)})
    program, *rest = serve_command(host, arguments)
    server = subprocess.Popen([tool(program), *rest], cwd=ROOT, env=env)

    def hand_on(number: int, frame: FrameType | None) -> None:
        server.send_signal(number)

    # Ctrl+C reaches the server too (same terminal): here it must only not end the waiting.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, hand_on)
    code = server.wait()
    stopped = (0, -signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)
    if code in stopped:
        return 0
    raise StepError(f"the server ended (exit {code})", "`make doctor` says what is missing.")


def doctor() -> int:
    """Run `cohabit doctor`, and return its exit code."""
    return subprocess.run(
        [tool("cohabit"), "doctor"], cwd=ROOT, env=environment(), check=False
    ).returncode
