"""Finished codings of a codebook, as commands read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.codebook.books import in_codings
from server.cli.stop import StopError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.coding.codebook import Codebook
    from server.coding.notes import Coding

OfStudy = Annotated[
    str, typer.Option("--study", help="Name of a study: only codings of its live episodes.")
]


def finished_with(name: str, study: str) -> tuple[Codebook, list[Coding]]:
    """Return a codebook and what was finished with it. Raises StopError where there is none."""
    from server.store.coding_models import CodingRow
    from server.store.codings import codebook_of, finished_codings
    from server.store.models import MatchRow

    async def work(db: AsyncSession) -> tuple[Codebook, list[Coding]]:
        only = [CodingRow.codebook == name]
        if study:
            only += [MatchRow.study == study, MatchRow.study_mode == "live"]
        return await codebook_of(db, name), await finished_codings(db, *only)

    book, found = in_codings(work)
    if not found:
        of_study = f" of the study {study}" if study else ""
        raise StopError(
            f"no coder has finished an episode{of_study} with {name}: in a replay, *This episode "
            "is finished* says so"
        )
    return book, found
