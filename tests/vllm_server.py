"""A real vLLM server on the CPU with a tiny model, one for all tests of a run.

It starts in the background once it is known that a test will want it. ``VLLM_TEST_URL`` names
another server to use (with the models ``tiny`` and ``calm``); ``VLLM_TEST=off`` skips these tests.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import threading
from pathlib import Path

from server.robots.serving.environment import (
    EnvironmentFailedError,
    EnvironmentUnsupportedError,
    VllmEnvironment,
    prepare,
)
from server.robots.serving.vllm_process import LaunchError, Serving, VllmProcess
from tests.live_server import free_port

MODEL, ADAPTER = "tiny", "calm"
START_S = 600.0
_MAKER = Path(__file__).with_name("tiny_model.py")


class VllmForTests:
    """`begin` early, `url` where it is needed, `end` at the end of the run.

    ``shared`` is a folder that all processes of one run have in common: they share one server,
    which stops when the last of them has ended.
    """

    def __init__(self, shared: Path) -> None:
        self.skip_reason = ""
        """Why tests cannot have it here, if that is nobody's fault."""
        self._shared = shared
        self._url = os.environ.get("VLLM_TEST_URL", "")
        self._failure = ""
        self._process: VllmProcess | None = None
        self._is_owner = False
        self._thread = threading.Thread(target=self._start, daemon=True)
        self._begun = False

    def begin(self) -> None:
        """Start it, if this process has not begun to; returns at once."""
        if os.environ.get("VLLM_TEST") == "off":
            self.skip_reason = "VLLM_TEST=off"
        elif not self._url and not self._begun:
            self._begun = True
            self._thread.start()

    def url(self) -> str:
        """Wait until the server answers, and return its address.

        Raises RuntimeError with the reason if it does not.
        """
        self.begin()
        if self._begun:
            self._thread.join()
        if self._failure:
            raise RuntimeError(self._failure)
        return self._url

    def end(self) -> None:
        if not self._begun:
            return
        self._thread.join()
        self._users.close()
        if self._is_owner:
            with (self._shared / "vllm.users").open("w") as users:
                fcntl.flock(users, fcntl.LOCK_EX)
                if self._process is not None:
                    self._process.stop()
                shutil.rmtree(self._shared, ignore_errors=True)

    def _start(self) -> None:
        self._shared.mkdir(mode=0o700, exist_ok=True)
        self._users = (self._shared / "vllm.users").open("w")
        fcntl.flock(self._users, fcntl.LOCK_SH)
        address = self._shared / "vllm.url"
        try:
            # Whoever does not get it waits here until the owner has written the address.
            with (self._shared / "vllm.starting").open("w") as starting:
                fcntl.flock(starting, fcntl.LOCK_EX)
                if not address.is_file():
                    self._is_owner = True
                    address.write_text(self._serve())
            self._url = address.read_text()
        except EnvironmentUnsupportedError as error:
            self.skip_reason = str(error)
        except (EnvironmentFailedError, LaunchError, subprocess.CalledProcessError) as error:
            self._failure = (
                f"the tests want a vLLM server and there is none: {error}\n"
                "VLLM_TEST_URL names one that runs already; VLLM_TEST=off skips these tests."
            )

    def _serve(self) -> str:
        environment = prepare("cpu", lambda text: print(f"vLLM for the tests: {text}", flush=True))
        model, adapter = _tiny_model(environment)
        serving = Serving(
            model=str(model),
            name=MODEL,
            port=free_port(),
            loras={ADAPTER: str(adapter)},
            max_model_len=32768,
            kv_cache_mb=64,
        )
        # One thread: two cores are shared with what is tested.
        one_thread = {"OMP_NUM_THREADS": "1"}
        self._process = VllmProcess(
            environment, serving, self._shared / "vllm.log", extra_variables=one_thread
        )
        self._process.start()
        self._process.wait_until_healthy(START_S, lambda _line: None)
        return serving.url


def _tiny_model(environment: VllmEnvironment) -> tuple[Path, Path]:
    """Return the folders of the model and of its adapter, which are made once."""
    digest = hashlib.sha256(_MAKER.read_bytes()).hexdigest()[:12]
    folder = environment.folder.with_name(f"tiny-{digest}")
    if not folder.is_dir():
        draft = folder.with_suffix(f".{os.getpid()}")
        command = [str(environment.python), str(_MAKER), str(draft / MODEL), str(draft / ADAPTER)]
        try:
            subprocess.run(command, check=True, capture_output=True)
            draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder / MODEL, folder / ADAPTER
