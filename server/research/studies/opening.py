"""Opening of studies: a manifest is frozen, and holds for as long as people are invited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from episodes.dataset import DatasetError
from matchmaking.study import Study
from server.research.studies.manifest import Manifest, changes, freeze
from server.research.studies.model_readings import changes_since, digests_of, frozen_models, keep
from server.research.studies.model_users import untold_operator
from server.robots.serving.served_model import ServedModel
from server.settings import Settings
from server.store.studies import note_opened
from server.store.study_models import StudyRunRow
from server.store.study_runs import add_run, all_runs, run_of, runs_of


class CannotOpenError(Exception):
    """Error for a study that cannot be opened or go on; the text says what to do."""


class Running(NamedTuple):
    """Studies that a server runs."""

    studies: Sequence[Study]
    closed: frozenset[str]
    """Names of those that invite nobody any more, and whose people may still come back."""
    refused: Sequence[str]
    """Sentences on studies that were opened and cannot go on."""


async def open_study(
    db: AsyncSession,
    study: Study,
    data_dir: Path,
    now: datetime,
    models: Sequence[ServedModel] | None = (),
) -> tuple[Manifest, bool]:
    """Open a study; return its manifest, and whether it was opened by this.

    ``models`` are those that its robots ask, as they are now; None for a study that is open already
    while they cannot be read, which its daily readings tell of. Raises CannotOpenError for one that
    was opened before and has changed, or was closed.
    """
    try:
        at = now.isoformat(timespec="seconds")
        manifest = freeze(study, data_dir, at, digests_of(models or ()))
    except (DatasetError, ValueError) as error:
        raise CannotOpenError(str(error)) from error
    run = await run_of(db, study.key)
    if run is None:
        if models is None:
            raise CannotOpenError(f"{study.name} is not open, and its models were not read")
        await _refuse_another(db, study)
        await _refuse_other_money(db, study)
        add_run(db, study.key, msgspec.to_builtins(manifest), now)
        keep(db, study.key, "open", models, {}, now)
        await note_opened(db, [study], now)
        return manifest, True
    _refuse_closed(run)
    _refuse_changed(run, manifest)
    if models is not None:
        _refuse_other_models(run, await frozen_models(db, study.key), models)
    return manifest_of(run), False


async def is_open(db: AsyncSession, study: Study) -> bool:
    """Tell whether people are invited to this version and mode of a study."""
    run = await run_of(db, study.key)
    return run is not None and run.closed_at is None


async def running(db: AsyncSession, settings: Settings) -> Running:
    """Return the studies that a server invites to, the latest version of each."""
    studies: dict[str, Study] = {}
    closed, refused = set(), []
    for run in await all_runs(db):
        if run.study in studies:
            continue
        frozen = manifest_of(run)
        if run.closed_at is not None:
            closed.add(run.study)
        else:
            try:
                check_may_go_on(run, settings)
            except CannotOpenError as error:
                refused.append(str(error))
                # Its people come back to their pages; nobody new is invited.
                closed.add(run.study)
        studies[run.study] = frozen.study
    return Running(list(studies.values()), frozenset(closed), refused)


def check_may_go_on(run: StudyRunRow, settings: Settings) -> Study:
    """Return the study of a run, if people may be invited to it by a server of these settings.

    All that its manifest freezes is as it was, and its people are told whose models they meet.
    Raises CannotOpenError.
    """
    frozen = manifest_of(run)
    if (untold := untold_operator(frozen.study, settings.model_url)) is not None:
        raise CannotOpenError(f"{run.study} invites nobody: {untold.text}")
    try:
        _refuse_changed(run, freeze(frozen.study, settings.data_dir, frozen.frozen_at))
    except (DatasetError, ValueError) as error:
        raise CannotOpenError(str(error)) from error
    return frozen.study


def manifest_of(run: StudyRunRow) -> Manifest:
    """Return the manifest that was frozen when a study was opened."""
    return msgspec.convert(run.manifest, Manifest)


async def _refuse_another(db: AsyncSession, study: Study) -> None:
    """Check that no other version or mode of a study is open. Raises CannotOpenError."""
    for run in await all_runs(db):
        if run.study == study.name and run.closed_at is None:
            raise CannotOpenError(
                f"version {run.version} of {study.name} ({run.mode}) is open: close it first, "
                f"with `cohabit study close {study.name}`"
            )


async def _refuse_other_money(db: AsyncSession, study: Study) -> None:
    """Check that versions of a study pay in one currency: its cap and payments are sums of all.

    Raises CannotOpenError.
    """
    for run in await runs_of(db, study.name):
        paid = manifest_of(run).study.pay
        is_other = paid.is_paid and study.pay.is_paid and paid.currency != study.pay.currency
        if run.mode == study.mode and is_other:
            raise CannotOpenError(
                f"version {run.version} of {study.name} pays in {paid.currency}, and the cap and "
                f"the payments count all versions together: pay in {paid.currency}, or give the "
                f"study that pays in {study.pay.currency} a name of its own"
            )


def _refuse_closed(run: StudyRunRow) -> None:
    if run.closed_at is not None:
        raise CannotOpenError(
            f"version {run.version} of {run.study} was closed on {run.closed_at:%Y-%m-%d}: write "
            f"`version: {run.version + 1}` to begin another, with conditions of its own"
        )


def _refuse_other_models(
    run: StudyRunRow, frozen: Sequence[ServedModel], now: Sequence[ServedModel]
) -> None:
    # A study of an earlier release of ours was opened without a look at its models.
    changed = changes_since(frozen, now) if frozen else {}
    if texts := [change.text for change in changed.values() if change.is_another]:
        raise CannotOpenError(
            f"robots of {run.study} ask another model than when version {run.version} was opened: "
            f"{'; '.join(texts)}. Bring back what it was, or close it and open it with "
            f"`version: {run.version + 1}`, whose conditions are counted anew"
        )


def _refuse_changed(run: StudyRunRow, now: Manifest) -> None:
    if changed := changes(manifest_of(run), now):
        raise CannotOpenError(
            f"{run.study} has changed since version {run.version} was opened: "
            f"{', '.join(changed)}. Bring back what it was, or close it and open it with "
            f"`version: {run.version + 1}`, whose conditions are counted anew"
        )
