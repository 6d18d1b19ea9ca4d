"""Files of PARTNR's data sets: gzip JSON, or plain JSON by the file's content."""

from __future__ import annotations

import gzip
import math
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from episodes.bounded_files import LARGEST, UnreadableError, read_json
from episodes.dataset.errors import DatasetError
from episodes.dataset.model import TASK_FIELDS, Task
from episodes.dataset.validation import validate_evaluation

_AT_PATH = re.compile(r"^(?P<reason>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)


def read_dataset(path: str | os.PathLike[str]) -> list[Task]:
    """Read every task of a data set file, in file order, validated.

    Raises DatasetError for a file that cannot be read or is not a data set, and for the first
    task that is not well formed (the error's ``task`` is the task id, or ``#<position>``).
    """
    file = os.fspath(path)
    document = _document(file)
    if not isinstance(document, dict) or not isinstance(document.get("episodes"), list):
        raise DatasetError(
            'expected {"config": ..., "episodes": [...]}, got '
            + (f"keys {sorted(document)}" if isinstance(document, dict) else "something else"),
            file=file,
        )
    tasks: list[Task] = []
    seen: set[str] = set()
    for position, raw in enumerate(document["episodes"]):
        label = f"#{position}"
        if isinstance(raw, dict) and isinstance(raw.get("episode_id"), str):
            label = raw["episode_id"] or label
        try:
            task = task_from_json(raw)
        except DatasetError as error:
            raise error.located(file=file, task=label) from None
        if task.task_id in seen:
            raise DatasetError(
                "expected an id that no other task has, got it again",
                file=file,
                task=label,
                path="episode_id",
            )
        seen.add(task.task_id)
        tasks.append(task)
    return tasks


def _document(file: str) -> Any:
    try:
        return read_json(file, object, LARGEST)
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=file) from error
    except UnreadableError as error:
        raise DatasetError(error.reason, file=file) from error


def task_from_json(raw: object) -> Task:
    """Return the task of a decoded JSON object. Raises DatasetError without a file or a task."""
    if not isinstance(raw, dict):
        raise DatasetError(f"expected an object, got {type(raw).__name__}")
    known = {name: raw[name] for name in TASK_FIELDS if name in raw}
    known["extra"] = {name: value for name, value in raw.items() if name not in TASK_FIELDS}
    try:
        task = msgspec.convert(known, Task)
    except msgspec.ValidationError as error:
        found = _AT_PATH.match(str(error))
        assert found is not None
        reason = found["reason"].replace("`", "")
        path = (found["path"] or "").lstrip(".")
        raise DatasetError(reason[:1].lower() + reason[1:], path=path) from None
    validate_evaluation(
        task.evaluation_propositions,
        task.evaluation_proposition_dependencies,
        task.evaluation_constraints,
    )
    _check_matrices(task)
    _check_start_poses(task)
    return task


def _check_matrices(task: Task) -> None:
    for index, (_, matrix) in enumerate(task.rigid_objs):
        if [len(row) for row in matrix] != [4, 4, 4, 4]:
            raise DatasetError(
                f"expected a 4 x 4 matrix, got rows of {[len(row) for row in matrix]}",
                path=f"rigid_objs[{index}][1]",
                index=index,
            )


def _check_start_poses(task: Task) -> None:
    """Check that ``info.start_poses``, if it is there, has a pose for each seat."""
    poses = task.info.get("start_poses", {})
    if not isinstance(poses, dict):
        raise DatasetError(
            f"expected an object of seats, got {type(poses).__name__}", path="info.start_poses"
        )
    for seat, pose in poses.items():
        if (
            not isinstance(pose, list)
            or len(pose) != 4
            or not all(isinstance(v, int | float) and math.isfinite(v) for v in pose)
        ):
            raise DatasetError(
                f"expected [x, y, z, yaw], got {pose!r:.80}", path=f"info.start_poses.{seat}"
            )


def write_dataset(path: str | os.PathLike[str], tasks: Iterable[Task]) -> None:
    """Write a data set that PARTNR and ``read_dataset`` read; names with ``.gz`` are compressed.

    Floats have five decimals, as in the released files. The same tasks give the same bytes, and
    the file appears whole or not at all. Raises DatasetError for a number that JSON cannot
    hold, OSError where the file cannot be written.
    """
    file = Path(path)
    rows: list[dict[str, Any]] = []
    for task in tasks:
        try:
            rows.append(task_to_json(task))
        except DatasetError as error:
            raise error.located(file=str(file), task=task.task_id) from None
    data = msgspec.json.encode({"config": None, "episodes": rows})
    if file.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    _replace(file, data)


def _replace(file: Path, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes the file private; a data set is as readable as any new file.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def task_to_json(task: Task) -> dict[str, Any]:
    """Return the JSON object of a task, with floats as literals of five decimals."""
    row: dict[str, Any] = {}
    for field in msgspec.structs.fields(Task):
        if field.name != "extra":
            value = msgspec.to_builtins(getattr(task, field.name))
            row[field.encode_name] = _literal(value, field.encode_name)
    for name, value in task.extra.items():
        if name not in TASK_FIELDS:
            row[name] = _literal(value, name)
    return row


def _literal(value: Any, path: str) -> Any:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DatasetError(f"expected a finite number, got {value}", path=path)
        return msgspec.Raw(b"%.5f" % value)
    if isinstance(value, dict):
        return {key: _literal(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_literal(item, f"{path}[{index}]") for index, item in enumerate(value)]
    return value
