"""`cohabit study status`: how far a study is, without a word on its outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from matchmaking.recruiting_limits import after_pause
from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.models import model_lines
from server.cli.study.opened_studies import (
    ModeOption,
    Version,
    found_run,
    other_runs,
    state_of,
)
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.visit_models import StudyPauseRow


def status(
    name: StudyName,
    version: Version = None,
    mode: ModeOption = None,
) -> None:
    """Print conditions, attrition, waits and spending of a study; nothing of its outcomes."""
    from episodes.dataset import DatasetError
    from matchmaking.assignment.ledger import LedgerError
    from server.research.studies.opening import manifest_of
    from server.research.studies.status import status_lines, status_of
    from server.store.model_readings import readings_of
    from server.store.study_pauses import pause_of
    from server.store.study_runs import key_of, unblindings_of
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()

    async def work(db: AsyncSession) -> list[str]:
        run = await found_run(db, name, version, mode)
        manifest = manifest_of(run)
        key = secret_key(settings.data_dir)
        found = await status_of(db, manifest.study, settings.data_dir, key, utc_now())
        return [
            f"{name} version {run.version} ({run.mode}), {state_of(run)}, "
            f"manifest {manifest.digest}",
            *pause_lines(await pause_of(db, name, manifest.study.mode)),
            *model_lines(await readings_of(db, key_of(run))),
            *status_lines(found, is_closed=run.closed_at is not None),
            *(
                f"outcomes were seen on {seen.at:%Y-%m-%d} by {seen.who}: {seen.reason}"
                for seen in await unblindings_of(db, run)
            ),
            *await other_runs(db, run, "status"),
        ]

    try:
        for line in in_database(settings, work):
            echo(line)
    except (LedgerError, DatasetError) as error:
        raise StopError(f"the ledger of {name} cannot be read: {error}") from error


def pause_lines(pause: StudyPauseRow | None) -> Iterator[str]:
    """Yield since when and why a study takes nobody, and how it takes people again."""
    if pause is not None:
        yield (
            f"recruiting is paused since {pause.paused_at:%Y-%m-%d %H:%M:%SZ} ({pause.cause}): "
            f"{pause.text}"
        )
        yield after_pause(pause.cause, pause.study)
