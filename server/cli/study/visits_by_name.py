"""Visits of a study, named as payments and exports name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from matchmaking.study_key import Mode
from server.cli.stop import StopError
from server.cli.study.opened_studies import found_run

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.visit_models import VisitRow


async def found_visit(db: AsyncSession, name: str, person: str, key: str) -> tuple[VisitRow, str]:
    """Return a visit and the participant's pseudonym, of any version or mode of a study.

    ``person`` is the visit as payments print it, or a pseudonym as exports have it; ``key`` is
    the server's. Raises StopError: there is none.
    """
    from server.research.exports.pseudonyms import Pseudonyms
    from server.store.visits import study_key_of, visits_in_mode

    await found_run(db, name)
    modes: tuple[Mode, ...] = get_args(Mode)
    for visit in [visit for mode in modes for visit in await visits_in_mode(db, name, mode)]:
        pseudonym = Pseudonyms(key, study_key_of(visit))
        names = (visit.visit_id, pseudonym(visit.visit_id), pseudonym(visit.participant_id))
        if person in names:
            return visit, pseudonym(visit.participant_id)
    raise StopError(
        f"no version of {name} has a visit or participant {person!r}: expected one as "
        "`cohabit study payments` or `cohabit study export` write it"
    )
