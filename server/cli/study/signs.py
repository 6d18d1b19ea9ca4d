"""`cohabit study signs`: signs of scripts, shared accounts and inattention of a study's visits."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.study.opened_studies import found_study
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.visit_models import SignRow


def signs(name: StudyName) -> None:
    """List the signs that visits of a study gave; whom to leave out is for you to decide."""
    from server.store.visit_records import signs_of_study

    async def work(db: AsyncSession) -> list[SignRow]:
        await found_study(db, name)
        return await signs_of_study(db, name)

    found = in_database(read_settings(), work)
    for sign in found:
        detail = f" {json.dumps(sign.detail)}" if sign.detail else ""
        echo(
            f"{sign.seen_at:%Y-%m-%d %H:%M:%SZ} {sign.visit_id} {sign.kind} at {sign.page}{detail}"
        )
    counts = Counter(sign.kind for sign in found)
    visits = len({sign.visit_id for sign in found})
    by_kind = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    echo(f"{len(found)} signs of {visits} visits" + (f": {by_kind}" if by_kind else ""))
