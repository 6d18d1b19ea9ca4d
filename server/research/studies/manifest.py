"""Manifest of a study: all that decides what it measures, frozen when it opens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from episodes.houses.files import tasks_file
from episodes.rules import profile_named
from matchmaking.study import Study
from server.research.studies.task_choice import tasks_of
from server.research.trials.digests import ROOT, files_digest, prompts_digest

FORMAT: Final = 1
MODEL: Final = "model:"
"""Beginning of the names of parts that are models."""
WORDS: Final[Mapping[str, str]] = {
    "study": "the study file",
    "code": "the programs",
    "evaluator": "the evaluator",
    "prompts": "the prompts of policies",
    "tasks": "the set of tasks",
    "houses": "the houses of its tasks",
}
"""Parts of a manifest, in words."""

LATER_KEYS = ("model", "sample")
"""Keys of hypotheses that older releases did not have."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Digests of a study's parts, which everything exported carries."""

    study_name: str
    version: int
    frozen_at: str
    """Time of the freeze, ISO 8601."""
    digests: Mapping[str, str]
    """Digest by part: those of `WORDS`, ``profile:NAME``, and ``model:NAME`` for each model that
    robots ask."""
    study: Study
    format: int = FORMAT

    @property
    def digest(self) -> str:
        """Digest of all parts, which stands on each export."""
        written = msgspec.json.encode(sorted(self.digests.items()))
        return hashlib.sha256(written).hexdigest()[:20]


def freeze(
    study: Study, data_dir: Path, frozen_at: str, models: Mapping[str, str] | None = None
) -> Manifest:
    """Return the manifest of a study as it is now.

    ``models`` are digests of the models that its robots ask, by their names. Raises DatasetError
    where the tasks are not there, ValueError for an unknown rule profile.
    """
    houses = list(_houses(study, data_dir))
    digests = {
        "study": study_digest(study),
        "code": _code(),
        "evaluator": _evaluator(),
        "prompts": prompts_digest(),
        "tasks": files_digest([tasks_file(data_dir, study.tasks.set)], data_dir),
        "houses": files_digest(houses, data_dir),
    }
    for cell in study.cells:
        profile = profile_named(cell.treatment.profile)
        digests[f"profile:{cell.treatment.profile}"] = profile.digest[:20]
    for name, digest in (models or {}).items():
        digests[f"{MODEL}{name}"] = digest
    return Manifest(
        study_name=study.name,
        version=study.version,
        frozen_at=frozen_at,
        digests=digests,
        study=study,
    )


def changes(frozen: Manifest, now: Manifest) -> list[str]:
    """Return in words what changed since the freeze; empty: nothing did.

    Any of it makes a new version of the study, with cells of its own. Models are not looked at:
    `model_readings.changes_since` compares what both readings know of them.
    """
    other = {
        part
        for part in frozen.digests.keys() | now.digests.keys()
        if not part.startswith(MODEL) and frozen.digests.get(part) != now.digests.get(part)
    }
    if frozen.study == now.study:
        # A later release has more keys in a study, so that its digest is another.
        other.discard("study")
    return [WORDS.get(part, part) for part in sorted(other)]


def study_digest(study: Study) -> str:
    """Return the digest of a study's value: comments and order of its file do not count."""
    value = msgspec.to_builtins(study)
    for hypothesis in (value["analysis"] or {}).get("hypotheses", ()):
        # Keys that came later leave the digest of a plan that does not use them as it was.
        for name in LATER_KEYS:
            if hypothesis[name] is None:
                del hypothesis[name]
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:20]


def _houses(study: Study, data_dir: Path) -> Iterator[Path]:
    for scene_id in sorted({task.scene_id for task in tasks_of(study, data_dir)}):
        file = data_dir / "houses" / scene_id / "scene.json"
        if file.exists():
            yield file


@cache
def _code() -> str:
    packages = (ROOT / name for name in ("episodes", "matchmaking", "server"))
    files = [file for package in packages for file in package.rglob("*.py")]
    client = ROOT / "client/src"
    if client.is_dir():
        files += [file for file in client.rglob("*") if file.suffix in (".ts", ".css", ".html")]
    return files_digest(sorted(files), ROOT)


@cache
def _evaluator() -> str:
    return files_digest(sorted((ROOT / "episodes/evaluation").rglob("*.py")), ROOT)
