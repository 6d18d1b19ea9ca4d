"""Flags, weights and hardware of a model server that runs on this machine."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

_SERVER = "vllm.entrypoints.openai.api_server"
_TOLD = frozenset(
    f"--{name}"
    for name in (
        "chat-template",
        "cpu-offload-gb",
        "dtype",
        "enable-lora",
        "enable-prefix-caching",
        "enforce-eager",
        "generation-config",
        "gpu-memory-utilization",
        "kv-cache-dtype",
        "kv-cache-memory-bytes",
        "lora-modules",
        "max-lora-rank",
        "max-loras",
        "max-model-len",
        "max-num-batched-tokens",
        "max-num-seqs",
        "model",
        "override-generation-config",
        "pipeline-parallel-size",
        "quantization",
        "revision",
        "rope-scaling",
        "seed",
        "served-model-name",
        "stream-interval",
        "structured-outputs-config",
        "tensor-parallel-size",
        "tokenizer",
        "tokenizer-revision",
    )
)
"""Flags that decide what a server answers and how fast. No other one is told: keys and tokens are
flags, too."""
_PART_BYTES = 1 << 20
_SMI_S = 10.0


def flags_of(port: int, processes: Path = Path("/proc")) -> str | None:
    """Return the flags of `_TOLD` of the vLLM that was started here for a port.

    Empty: none of them. None: none was started as `cohabit robots serve` does it, or this system
    does not tell.
    """
    for file in processes.glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = file.read_bytes().decode(errors="replace").rstrip("\0").split("\0")
            if _SERVER in words and _value(words, "--port") == str(port):
                return " ".join(_told(words[words.index(_SERVER) + 1 :]))
    return None


def hardware(cpu_file: Path = Path("/proc/cpuinfo")) -> str | None:
    """Return the graphics processors of this machine, or else its processor.

    None: this system does not tell.
    """
    if (smi := shutil.which("nvidia-smi")) is not None:
        command = [smi, "--query-gpu=name", "--format=csv,noheader"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            told = subprocess.run(  # noqa: S603 — fixed words
                command, capture_output=True, text=True, timeout=_SMI_S, check=True
            )
            if lines := [line.strip() for line in told.stdout.splitlines() if line.strip()]:
                return "; ".join(lines)
    with contextlib.suppress(OSError):
        for line in cpu_file.read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return None


def weights_digest(folder: Path) -> str | None:
    """Return the digest of a model's folder by its files' names and contents.

    None: it is no folder of this machine, or cannot be read. Reads all of it.
    """
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    try:
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            name = file.relative_to(folder).as_posix()
            digest.update(f"{name} {file.stat().st_size}\n".encode())
            with file.open("rb") as content:
                while part := content.read(_PART_BYTES):
                    digest.update(part)
    except OSError:
        return None
    return digest.hexdigest()[:20]


def _told(words: Sequence[str]) -> Iterator[str]:
    """Yield the flags that are told, with all values up to the next flag."""
    is_told = False
    for word in words:
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            # vLLM takes `--max_model_len`, too.
            flag = flag.replace("_", "-")
            is_told = flag in _TOLD
            word = f"{flag}{equals}{value}"
        if is_told:
            yield word


def _value(words: Sequence[str], flag: str) -> str | None:
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name == flag:
            return value if equals else after
    return None
