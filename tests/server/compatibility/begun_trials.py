"""Trials as they were begun when the stored files were made."""

from __future__ import annotations

from collections.abc import Sequence

from tests.server.compatibility import adapter
from tests.server.compatibility.material import Place, as_json


def begin(place: Place, name: str, options: Sequence[str]) -> None:
    """Lay out a trial as it was begun when the stored files were made: it goes on by its rules.

    ``options`` are those that it was begun with.
    """
    given: dict[str, list[str]] = {}
    for option, value in zip(options[::2], options[1::2], strict=True):
        given.setdefault(option, []).append(value)
    (dataset,) = given.get("--tasks", ["first"])
    (count,) = given.get("--count", ["0"])
    tasks = [task.task_id for task in adapter.tasks_in(place.data, dataset)]
    spec = {
        "robots": given["--robot"],
        "partners": given["--partner"],
        "dataset": f"tasks/{dataset}.json.gz",
        "tasks": tasks[: int(count) or None],
        "repetitions": 1,
        "seed": int(given.get("--seed", ["0"])[0]),
        "profile": given.get("--profile", ["cohabit"])[0],
        "simulator": "household",
        "max_ticks": 20_000,
        "latency_s": 1.0,
        "end_on_success": True,
        "model": "",
    }
    (place.folder / name).mkdir()
    (place.folder / name / "trial.json").write_bytes(as_json(spec))
