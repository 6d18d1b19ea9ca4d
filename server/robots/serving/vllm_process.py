"""A vLLM server as a subprocess: its flags, waiting for it, stopping it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from server.robots.serving.environment import Device, VllmEnvironment

POLL_S = 0.5
STREAM_INTERVAL = 8
"""Tokens per event of a stream."""
LORA_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""The ranks of adapters that vLLM can be told as the highest.

Told nothing, it refuses adapters above 16.
"""
_TAIL = 25
_GUARD = Path(__file__).with_name("process_guard.py")


class LaunchError(Exception):
    """A server that did not start; the text has the end of what it printed."""


@dataclass(frozen=True, kw_only=True)
class Serving:
    """The model that is to be served, and how."""

    model: str
    """The model: a folder, or a name that vLLM can download."""
    name: str = ""
    """The name that requests call it by; empty: as ``model``."""
    host: str = "127.0.0.1"
    port: int = 8100
    api_key: str = field(default="", repr=False)
    loras: Mapping[str, str] = field(default_factory=dict)
    """Adapters: name to folder."""
    max_model_len: int | None = None
    """Tokens of prompt and answer together; None: what the model was made for."""
    kv_cache_mb: int | None = None
    """Memory for the prompts that are kept; None: vLLM's choice (on a CPU, 512)."""
    extra: tuple[str, ...] = ()
    """Flags of vLLM's besides ours, as they stand."""

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        reachable = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else host  # noqa: S104
        return f"http://{reachable}:{self.port}/v1"


def flags(serving: Serving, device: Device) -> list[str]:
    """Build vLLM's command line, without the interpreter."""
    structured = {"backend": "xgrammar", "disable_any_whitespace": True}
    words = ["--model", serving.model, "--host", serving.host, "--port", str(serving.port)]
    words += ["--served-model-name", serving.name or serving.model]
    words += ["--enable-prefix-caching", "--enable-prompt-tokens-details"]
    # An event per token costs both sides more than the tokens; the first one comes at once.
    words += ["--stream-interval", str(STREAM_INTERVAL)]
    words += ["--structured-outputs-config", json.dumps(structured, separators=(",", ":"))]
    if device == "cpu":
        # float32: bfloat16 is emulated on most CPUs. Eager: compiling takes minutes.
        words += ["--dtype", "float32", "--enforce-eager"]
    cache_mb = serving.kv_cache_mb or (512 if device == "cpu" else None)
    if cache_mb:
        words += ["--kv-cache-memory-bytes", f"{cache_mb}M"]
    if serving.max_model_len:
        words += ["--max-model-len", str(serving.max_model_len)]
    if serving.loras:
        adapters = [f"{name}={folder}" for name, folder in serving.loras.items()]
        words += ["--enable-lora", "--lora-modules", *adapters]
        # Answers of different adapters side by side; vLLM's default is one adapter at a time.
        words += ["--max-loras", str(len(adapters))]
        ranks = [rank for folder in serving.loras.values() if (rank := rank_of(Path(folder)))]
        if ranks:
            fitting = next((r for r in LORA_RANKS if r >= max(ranks)), LORA_RANKS[-1])
            words += ["--max-lora-rank", str(fitting)]
    return [*words, *serving.extra]


def rank_of(adapter: Path) -> int | None:
    """Read the highest rank of an adapter, as PEFT writes it; None: its folder does not say."""
    try:
        about = json.loads((adapter / "adapter_config.json").read_text())
        return max(int(about["r"]), *map(int, (about.get("rank_pattern") or {}).values()), 0)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def variables(serving: Serving, device: Device) -> dict[str, str]:
    """Build the environment for vLLM. The key goes here, where `ps` does not show it."""
    kept = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    kept |= {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "PYTHONUNBUFFERED": "1"}
    if Path(serving.model).is_dir():
        kept["HF_HUB_OFFLINE"] = "1"
    if serving.api_key:
        kept["VLLM_API_KEY"] = serving.api_key
    if device == "cpu":
        # Compiled pieces would be compiled at the first request, which then takes 20 s or fails.
        kept |= {"TORCH_COMPILE_DISABLE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    return kept


class VllmProcess:
    """A server, from `start` to `stop`. Its output goes to ``log``."""

    def __init__(
        self,
        environment: VllmEnvironment,
        serving: Serving,
        log: Path,
        extra_variables: Mapping[str, str] | None = None,
    ) -> None:
        self.serving = serving
        self.log = log
        self._environment = environment
        self._extra_variables = dict(extra_variables or {})
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, and return at once. Raises LaunchError if the port is taken."""
        _require_free(self.serving)
        device = self._environment.device
        # If this process dies, the guard stops vLLM.
        command = [sys.executable, str(_GUARD), str(self._environment.python)]
        command += ["-m", "vllm.entrypoints.openai.api_server", *flags(self.serving, device)]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as out:
            self._process = subprocess.Popen(  # noqa: S603 — fixed words, and the operator's own
                command,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=variables(self.serving, device) | self._extra_variables,
                start_new_session=True,
            )

    def wait_until_healthy(self, timeout_s: float, progress: Callable[[str], None]) -> None:
        """Wait until the server can answer. Raises LaunchError.

        ``progress`` is told the last line of the log, over and over.
        """
        ends = time.monotonic() + timeout_s
        while not is_healthy(self.serving.url):
            if not self.is_running:
                raise LaunchError(f"vLLM ended before it was ready:\n{self.tail()}")
            if time.monotonic() > ends:
                raise LaunchError(f"vLLM was not ready after {timeout_s:.0f} s:\n{self.tail()}")
            progress(self.last_line())
            time.sleep(POLL_S)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def wait(self) -> int:
        """Wait until the server ends of itself, and return its exit code."""
        assert self._process is not None
        return self._process.wait()

    def stop(self) -> None:
        """Stop the server and its engine, which is a process of its own. Idempotent."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        # What the server left behind, if it died without its engine.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process = None

    def tail(self) -> str:
        return "\n".join(self._lines()[-_TAIL:])

    def last_line(self) -> str:
        return next((line for line in reversed(self._lines()) if line.strip()), "")

    def _lines(self) -> list[str]:
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - 16384))
            return file.read().decode(errors="replace").splitlines()


def is_healthy(url: str) -> bool:
    """Tell whether a server says that it can answer. ``url`` ends with the version."""
    try:
        with urllib.request.urlopen(f"{root_of(url)}/health", timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def root_of(url: str) -> str:
    """Return the address without the version: where ``/health`` and ``/metrics`` are."""
    return url.rstrip("/").removesuffix("/v1")


def _require_free(serving: Serving) -> None:
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((serving.host, serving.port))
        except OSError as error:
            raise LaunchError(
                f"port {serving.port} of {serving.host} cannot be used ({error.strerror}); choose "
                "another with --port"
            ) from error
