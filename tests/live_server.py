"""A real `cohabit serve` in a process of its own, for tests, benchmarks and pictures."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil

from episodes.dataset import read_dataset, write_dataset
from tests.patience import PATIENCE_S

STOP_TIMEOUT_S = 30.0


class LiveServer:
    """A server whose ``options`` are settings without their prefix: ``LiveServer(folder, port=1)``.

    Four options are no settings: ``arguments``, a list of what follows the command's name,
    ``descriptors``: the server may open no more files than that, ``log``, its output's file, and
    ``studies``: the function, as ``module:name``, that makes those it runs.
    """

    def __init__(self, data_dir: Path, **options: object) -> None:
        descriptors = options.pop("descriptors", None)
        assert descriptors is None or isinstance(descriptors, int)
        self._descriptors = descriptors
        self.data_dir = data_dir
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(str(options.pop("log", data_dir / "server.log")))
        arguments = options.pop("arguments", [])
        assert isinstance(arguments, list)
        studies = options.pop("studies", None)
        self._program = (
            ["server.cli", "serve"] if studies is None else ["tests.study_server", str(studies)]
        )
        self._arguments, self._options = arguments, options
        self._process: subprocess.Popen[bytes] | None = None
        self.start_s = 0.0
        """Seconds from the last start until the server answered."""

    @property
    def pid(self) -> int:
        assert self._process is not None, "start it first"
        return self._process.pid

    def start(self) -> None:
        """Start, and return when it answers. Raises RuntimeError with its output otherwise."""
        settings = {
            "data_dir": self.data_dir,
            "port": self.port,
            "host": "127.0.0.1",
            # Tests play many visitors from one machine; those of the limits themselves say false.
            "exempt_loopback": True,
            "page_automation": True,
            # Scripted people take their time to begin; the tests of the clock say otherwise.
            "clock_wait_s": 0,
            **self._options,
        }
        env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
        env |= {f"COHABIT_{name.upper()}": str(value) for name, value in settings.items()}
        begun = time.monotonic()
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._program, *self._arguments],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                preexec_fn=None if self._descriptors is None else self._limit_descriptors,
                # A group of its own: whatever it leaves behind can be stopped with it.
                start_new_session=True,
            )
        self._wait_until_it_answers()
        self.start_s = time.monotonic() - begun

    def _limit_descriptors(self) -> None:
        assert self._descriptors is not None
        resource.setrlimit(resource.RLIMIT_NOFILE, (self._descriptors, self._descriptors))

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        # A proxy setting of the machine must not send this request elsewhere.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                opener.open(self.url, timeout=PATIENCE_S).close()
                return
            except urllib.error.HTTPError as error:
                raise RuntimeError(f"{self.url} answers {error.code}:\n{self.output()}") from error
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"the server does not answer:\n{self.output()}")

    def stop(self) -> None:
        """Stop it as an operator does; whatever is still there afterwards is killed."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_TIMEOUT_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(5)

    def kill(self) -> None:
        """Kill the web process alone, like a power failure (its workers find out themselves)."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(5)
        self._process = None

    def workers(self) -> list[int]:
        """Process ids of the session workers, oldest first."""
        found = []
        for process in psutil.Process(self.pid).children():
            # One that has just died has neither words nor a time.
            with contextlib.suppress(psutil.NoSuchProcess):
                if "worker" in " ".join(process.cmdline()):
                    found.append((process.create_time(), process.pid))
        return [pid for _, pid in sorted(found)]

    def output(self) -> str:
        return self.log.read_text(errors="replace")[-6000:] if self.log.is_file() else ""


def choose_tasks(data_dir: Path, *task_ids: str) -> None:
    """Leave only these tasks in the first data set, so that a test knows what it plays."""
    file = data_dir / "tasks" / "first.json.gz"
    episodes = {episode.task_id: episode for episode in read_dataset(file)}
    write_dataset(file, [episodes[task_id] for task_id in task_ids])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
