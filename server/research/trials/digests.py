"""Digests of all that decides what a trial measures: it goes on over the very same, or not at all.

Task sets, houses, prompts, programs and models are named, and a name stays when its contents
change. A table over both would mix two experiments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from episodes.dataset import read_dataset
from server.research.trials.plan import Trial, TrialError
from server.robots.registry.registry import lookup

ROOT: Final = Path(__file__).parents[3]
APART: Final = frozenset(
    {"cli", "hosting", "ipc", "lobby", "reports", "store", "web", "wire", "research"}
)
"""Folders of the server that no run of a trial uses, but for `PLAYED`."""
PLAYED: Final = ("server/research/trials/plan.py", "server/research/trials/runs.py")
"""The modules of those folders that decide what a run is."""
BESIDE: Final = frozenset(
    {".py", ".json", ".toml", ".yaml", ".yml", ".txt", ".csv", ".ini", ".cfg"}
)
"""Suffixes of files that a policy in a file may read beside itself: all count."""
POLICIES: Final = Path("server/robots/policies")
WORDS: Final[Mapping[str, str]] = {
    "data": "the set of tasks",
    "houses": "its houses",
    "prompts": "the prompts of policies",
    "policies": "policies in files, or what lies beside them",
    "files": "files that policies read",
    "code": "the programs",
    "model": "the model that is served, or its doubles",
}


def digests_of(data_dir: Path, trial: Trial, model: str = "") -> dict[str, str]:
    """Return a digest of each part that a trial rests on, by its name.

    ``model`` is what the model server says of its models. Raises DatasetError, OSError.
    """
    tasks = {task.task_id: task for task in read_dataset(data_dir / trial.dataset)}
    scenes = sorted({tasks[t].scene_id for t in trial.tasks if t in tasks})
    houses = [data_dir / "houses" / scene / "scene.json" for scene in scenes]
    houses.append(data_dir / "catalogue" / "catalogue.json")
    found = {
        "data": files_digest([data_dir / trial.dataset], data_dir),
        "houses": files_digest((f for f in houses if f.exists()), data_dir),
        "prompts": prompts_digest(),
        "code": _code(),
    }
    for part, files in (("policies", _policy_files(trial)), ("files", _files_read(trial))):
        if known := sorted(set(files)):
            found[part] = files_digest(known, ROOT / "nowhere")
    if model:
        # As it is, since tables say who answered.
        found["model"] = model
    return found


def refuse_changed(kept: Mapping[str, str], now: Mapping[str, str], folder: Path) -> None:
    """Raise TrialError where a trial would go on over other things than it began with."""
    changed = [WORDS.get(k, k) for k in kept.keys() | now.keys() if kept.get(k) != now.get(k)]
    if changed:
        raise TrialError(
            f"{folder} was begun with other contents of the same names: "
            f"{', '.join(sorted(changed))} changed since, and its table would mix both. Restore "
            "them to go on, or begin in another folder"
        )


@cache
def prompts_digest() -> str:
    """Return the digest of all words that policies tell models."""
    return files_digest(sorted(_prompts()), ROOT)


def _prompts() -> Iterator[Path]:
    return (f for f in (ROOT / POLICIES).rglob("*") if f.is_file() and _is_prompt(f))


@cache
def _code() -> str:
    return files_digest(sorted(_programs()), ROOT)


def _programs() -> Iterator[Path]:
    yield from (ROOT / name for name in PLAYED)
    for package in ("episodes", "server"):
        for file in (ROOT / package).rglob("*.py"):
            parts = file.relative_to(ROOT).parts
            if not (package == "server" and parts[1] in APART) and not _is_prompt(file):
                yield file


def _is_prompt(file: Path) -> bool:
    """Tell whether a file has words that models are told: prompts, examples, descriptions."""
    if not file.is_relative_to(ROOT / POLICIES) or file.suffix == ".pyc":
        return False
    return file.suffix != ".py" or "prompt" in file.name


def _policy_files(trial: Trial) -> Iterator[Path]:
    """Yield the policies in files, and what lies beside them: modules, tables, settings."""
    for name in _names(trial):
        path, dot, _ = name.partition(".py")
        if dot and Path(f"{path}.py").is_file():
            for file in Path(f"{path}.py").absolute().parent.iterdir():
                if file.suffix in BESIDE and file.is_file():
                    yield file


def _files_read(trial: Trial) -> Iterator[Path]:
    """Yield the files that the options of policies name: traces, memories, recordings."""
    for name in _names(trial):
        named = lookup(name)
        for path in filter(None, named.spec.files(named.setup.settings)):
            if Path(path).is_file():
                yield Path(path).absolute()


def _names(trial: Trial) -> Iterator[str]:
    for team in trial.all_teams():
        yield from filter(None, team.policies.values())


def files_digest(files: Iterable[Path], root: Path) -> str:
    """Return the digest of files by their names, below ``root`` if they are, and their contents."""
    digest = hashlib.sha256()
    for file in files:
        name = file.relative_to(root) if file.is_relative_to(root) else Path(file.name)
        content = file.read_bytes()
        digest.update(f"{name.as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:20]
