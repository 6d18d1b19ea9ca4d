"""`make lock`: compile the lock files from pyproject.toml and requirements/*.in.

They hold versions and hashes only: no index, no host, no path of the machine that made them. One
universal resolution serves Python 3.11 and newer on Linux and macOS; those of vLLM are for Linux on
x86-64 with Python 3.11.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import venv
from pathlib import Path

from toolchain.console import StepError, say, step
from toolchain.paths import REQUIREMENTS, ROOT

UNIVERSAL = ["--universal", "--python-version=3.11"]
VLLM = ["--python-platform=x86_64-manylinux_2_28", "--python-version=3.11"]
LOCKS = {
    "app": [
        *UNIVERSAL,
        "pyproject.toml",
        "requirements/build.in",
        "--extra=postgres",
        "--extra=oidc",
    ],
    # The same versions as app, and more.
    "dev": [
        *UNIVERSAL,
        "pyproject.toml",
        "requirements/build.in",
        "--extra=postgres",
        "--extra=oidc",
        "--extra=env",
        "--extra=dev",
        "--constraint=requirements/app.txt",
    ],
    "node": [*UNIVERSAL, "requirements/node.in"],
    "audit": [*UNIVERSAL, "requirements/audit.in"],
    "vllm-server": [*VLLM, "requirements/vllm-server.in"],
    "vllm-server-cpu": [
        *VLLM,
        "requirements/vllm-server-cpu.in",
        "--override=requirements/vllm-server-cpu.override",
    ],
}
OPTIONS = [
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-header",
    "--no-config",
    "--quiet",
]


def lock() -> None:
    """Compile all lock files, keeping pinned versions that still fit (as `uv pip compile` does)."""
    # An index or wheel folder of this machine must decide neither versions nor hashes.
    env = {k: v for k, v in os.environ.items() if not _names_an_index(k)}
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv") or _install_uv(Path(folder))
        for name, sources in LOCKS.items():
            target = f"requirements/{name}.txt"
            with step(f"Compiling {target}"):
                done = subprocess.run(
                    [uv, "pip", "compile", *OPTIONS, *sources, *_cpu_torch(name), "-o", target],
                    cwd=ROOT,
                    env=env,
                    check=False,
                )
            if done.returncode != 0:
                raise StepError(
                    f"no versions satisfy {target}",
                    f"uv names the conflict above; see pyproject.toml and {REQUIREMENTS.name}/*.in",
                )
    say("Commit requirements/*.txt.")


def _cpu_torch(name: str) -> list[str]:
    """Return where torch for CPUs is found, which the package index does not have.

    That is this machine's folder of wheels, or PyTorch's own index. vLLM decides its version either
    way.
    """
    if name != "vllm-server-cpu":
        return []
    folder = os.environ.get("PIP_FIND_LINKS")
    return [f"--find-links={folder}"] if folder else ["--torch-backend=cpu"]


def _names_an_index(variable: str) -> bool:
    return variable.startswith(("UV_", "PIP_")) and variable.endswith(
        ("INDEX_URL", "INDEX", "FIND_LINKS", "CONFIG_FILE")
    )


def _install_uv(folder: Path) -> str:
    with step("Installing uv (for this run only)"):
        venv.create(folder / "uv", with_pip=True)
        subprocess.run([folder / "uv/bin/python", "-m", "pip", "install", "-q", "uv"], check=True)
    return str(folder / "uv/bin/uv")
