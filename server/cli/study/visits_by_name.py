"""Visits of a study, named as payments and exports name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.stop import StopError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.study_models import StudyRunRow
    from server.store.visit_models import VisitRow


async def found_visit(
    db: AsyncSession, run: StudyRunRow, person: str, key: str
) -> tuple[VisitRow, str]:
    """Return a visit and the participant's pseudonym. Raises StopError: there is none.

    ``person`` is the visit as payments print it, or a pseudonym as exports have it; ``key`` is
    the server's.
    """
    from server.research.exports.pseudonyms import Pseudonyms
    from server.store.study_runs import key_of
    from server.store.visits import visits_in_mode

    pseudonym = Pseudonyms(key, key_of(run))
    for visit in await visits_in_mode(db, run.study, run.mode):
        names = (visit.visit_id, pseudonym(visit.visit_id), pseudonym(visit.participant_id))
        if visit.study_version == run.version and person in names:
            return visit, pseudonym(visit.participant_id)
    raise StopError(
        f"version {run.version} of {run.study} ({run.mode}) has no visit or participant "
        f"{person!r}: expected one as `cohabit study payments` or `cohabit study export` write it"
    )
