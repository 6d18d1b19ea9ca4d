"""Runs of studies: versions that were opened, with their manifests, and who saw outcomes early."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study_key import StudyKey
from server.store.operator_acts import COMMAND_LINE, note_act
from server.store.study_models import StudyRunRow, UnblindingRow


class Unblinding(NamedTuple):
    """A look at outcomes by condition before a study was closed."""

    who: str
    reason: str
    at: datetime


async def run_of(db: AsyncSession, key: StudyKey) -> StudyRunRow | None:
    """Return the run of a version of a study in one mode; None: it was never opened."""
    return await db.get(StudyRunRow, (key.name, key.version, key.mode))


async def all_runs(db: AsyncSession) -> list[StudyRunRow]:
    """Return all runs, the latest first."""
    rows = await db.scalars(select(StudyRunRow).order_by(StudyRunRow.opened_at.desc()))
    return list(rows)


async def runs_of(db: AsyncSession, name: str) -> list[StudyRunRow]:
    """Return the runs of a study, the one that was opened last first."""
    rows = await db.scalars(
        select(StudyRunRow)
        .where(StudyRunRow.study == name)
        .order_by(StudyRunRow.opened_at.desc(), StudyRunRow.version.desc())
    )
    return list(rows)


def add_run(
    db: AsyncSession, key: StudyKey, manifest: Mapping[str, Any], now: datetime
) -> StudyRunRow:
    """Store that a version of a study is opened."""
    row = StudyRunRow(
        study=key.name,
        version=key.version,
        mode=key.mode,
        manifest=dict(manifest),
        opened_at=now,
    )
    db.add(row)
    return row


def key_of(run: StudyRunRow) -> StudyKey:
    """Return the key of a run."""
    return StudyKey(run.study, run.version, run.mode)  # type: ignore[arg-type]


def note_unblinding(
    db: AsyncSession, run: StudyRunRow, who: str, reason: str, now: datetime
) -> None:
    """Store that somebody looks at outcomes by condition before the end, and log it."""
    run_named = f"version {run.version} ({run.mode})"
    note_act(
        db,
        COMMAND_LINE,
        "unblind",
        run.study,
        now,
        study=run.study,
        detail=f"{run_named}, {who}: {reason}",
    )
    db.add(
        UnblindingRow(
            study=run.study,
            version=run.version,
            mode=run.mode,
            who=who,
            reason=reason,
            at=now,
        )
    )


async def unblindings_of(db: AsyncSession, run: StudyRunRow) -> list[Unblinding]:
    """Return who looked at outcomes of a run before it was closed, in the order of time."""
    rows = await db.scalars(
        select(UnblindingRow)
        .where(
            UnblindingRow.study == run.study,
            UnblindingRow.version == run.version,
            UnblindingRow.mode == run.mode,
        )
        .order_by(UnblindingRow.unblinding_id)
    )
    return [Unblinding(row.who, row.reason, row.at) for row in rows]
