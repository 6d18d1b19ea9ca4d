"""Exported houses measured on habitat-sim, in a process under the interpreter that has it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from episodes.scene import Scene
from server.child_processes import module_environment
from server.research.house_comparison.measures import Measures
from server.simulators.contract import SimulatorError
from server.simulators.habitat.dataset import HabitatDataset
from server.simulators.habitat.interpreter import VARIABLE, habitat_python

SHOWN_CHARS = 600
"""Characters shown of what a failed process wrote last."""


class ExportedError(Exception):
    """Exported houses cannot be measured; the text says why and what to do."""


def check_export(folder: Path, scenes: Sequence[Scene], tasks: str) -> Path:
    """Check that houses and tasks are exported as they are here; return the interpreter to use.

    Raises ExportedError.
    """
    python = habitat_python()
    if python is None:
        raise ExportedError(
            "no interpreter with habitat-sim is known, so the exported houses cannot be measured; "
            f"name one with `cohabit habitat use PYTHON` or {VARIABLE}, or leave out --habitat"
        )
    remedy = f"run: cohabit houses export --habitat {folder} --tasks {tasks}"
    exported = HabitatDataset(folder)
    for scene in scenes:
        try:
            there = exported.scene(scene.scene_id)
        except SimulatorError as error:
            raise ExportedError(str(error)) from error
        if there.digest != scene.digest:
            raise ExportedError(
                f"{folder} holds another {scene.scene_id} than the data directory; {remedy}"
            )
    file = folder / "tasks" / f"{tasks}.json.gz"
    if not file.is_file():
        raise ExportedError(f"{file} is missing; {remedy}")
    return python


def measure_exported(
    python: Path,
    folder: Path,
    tasks: str,
    scene_ids: Sequence[str],
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Measures]:
    """Measure exported houses, in the order asked for. ``tell`` hears houses done, of all.

    Raises ExportedError when the process fails or ends early.
    """
    command = [
        str(python),
        "-m",
        "server.research.house_comparison",
        str(folder.absolute()),
        tasks,
        *scene_ids,
    ]
    found: list[Measures] = []
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603  # the operator named the program
                command,
                env=module_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        except OSError as error:
            raise ExportedError(f"{python} cannot be started: {error.strerror}") from error
        with process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    found.append(msgspec.json.decode(line, type=Measures))
                    tell(len(found), len(scene_ids))
            except BaseException:
                process.kill()
                raise
        if process.returncode or len(found) < len(scene_ids):
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()[-SHOWN_CHARS:]
            at = scene_ids[min(len(found), len(scene_ids) - 1)]
            raise ExportedError(
                f"habitat-sim ended with status {process.returncode} at {at}: "
                f"{said or 'it said nothing'}"
            )
    return found
