"""`make dev`: a server that reloads, and a client that is rebuilt, when their sources change."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence

from toolchain import node
from toolchain.console import environment, say
from toolchain.paths import CLIENT, ROOT, tool
from toolchain.play import serve_command

WATCHED = ("server", "matchmaking", "episodes")
LOOK_S = 0.5


def develop(host: str, port: int, arguments: Sequence[str]) -> int:
    """Run the server and the client's build until Ctrl+C, or until one of them ends.

    Sessions go on over a restart: the server resumes them from their logs, and pages reconnect.
    """
    # Nobody waits for episodes to end when a file has been saved.
    settings = {"COHABIT_HOST": host, "COHABIT_PORT": str(port), "COHABIT_DRAIN_S": "0"}
    serve = " ".join(serve_command(host, arguments))
    running = [
        subprocess.Popen(node.watch_command(), cwd=CLIENT, env=environment(dict(node.QUIET))),
        subprocess.Popen(
            [tool("watchfiles"), "--filter", "python", serve, *WATCHED],
            cwd=ROOT,
            env=environment(settings),
        ),
    ]
    # Ctrl+C reaches all of them (same terminal): here it only ends the waiting.
    signal.signal(signal.SIGTERM, lambda *_: _stop(running))
    try:
        while all(process.poll() is None for process in running):
            time.sleep(LOOK_S)
    except KeyboardInterrupt:
        say("\nStopping.")
    _stop(running)
    codes = [process.wait() for process in running]
    stopped = (0, -signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)
    return next((code for code in codes if code not in stopped), 0)


def _stop(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in running:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
