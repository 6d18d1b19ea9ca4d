"""Times of operators' lists with 10,000 participants.

``python -m tests.benchmarks.operator_lists`` prints them.

The pages are asked of a whole application with a real database, without a network.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from matchmaking.study.endings import Ending
from matchmaking.tickets import State, Wish
from matchmaking.visits import Place
from server.store.identifiers import new_id
from server.store.models import ParticipantRow, TicketRow
from server.store.operator_acts import note_act
from server.store.visit_models import VisitRow
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import make_settings
from tests.server.web.participants.visitors import PAIR, short_study

PARTICIPANTS = 10_000
MOST_MS = 200.0
REPEATS = 7
PATHS = (
    "/operator",
    "/operator/studies",
    "/operator/studies/short",
    "/operator/participants",
    "/operator/participants?study=short&ending=no_partner",
    "/operator/participants?study=short&place=ended&before={oldest}",
    "/operator/participants?study=short&mode=live&ending=over_recruited&place=ended",
    "/operator/participants?visit=vis_zzzz",
    "/operator/log",
    "/operator/log?who=ann&study=short",
)


async def fill(site: RunningSite, count: int) -> list[str]:
    """Store participants of a study with their visits; return the ids of the visits."""
    now, endings, places = site.state.now(), list(Ending), [p for p in Place if p != Place.ENDED]
    visits = []
    for n in range(count):
        is_over = n % 10 > 0
        visits.append(
            {
                "visit_id": new_id("vis"),
                "participant_id": new_id("par"),
                "study": "short" if n % 3 else "other",
                "study_version": 1,
                "mode": "live",
                "recruiter": "direct",
                "language": "en",
                "place": str(Place.ENDED if is_over else places[n % len(places)]),
                "page": 1,
                "ending": str(endings[n % len(endings)]) if is_over else None,
                "n_steps": 1,
                "arrived_at": now - timedelta(minutes=count - n),
                "here_since": now,
                "ended_at": now if is_over else None,
                "occasion": "",
            }
        )
    people = [
        {"participant_id": v["participant_id"], "cookie_hash": f"{n:064x}", "created_at": now}
        for n, v in enumerate(visits)
    ]
    async with site.state.database.transaction() as db:
        await db.execute(insert(ParticipantRow), people)
        await db.execute(insert(VisitRow), visits)
        await db.execute(insert(TicketRow), [_stay(visit, now) for visit in visits])
        for n in range(count):
            note_act(db, "ann" if n % 2 else "ben", "watch", f"target{n}", now, study="short")
    return [str(visit["visit_id"]) for visit in visits]


def _stay(visit: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    return {
        "ticket_id": new_id("tic"),
        "participant_id": visit["participant_id"],
        "wish": Wish.STUDY,
        "team": visit["study"],
        "state": State.MATCHED,
        "joined_at": visit["arrived_at"],
        "left_at": now,
        "n_waiting_at_join": 0,
    }


async def times_ms(folder: Path, count: int = PARTICIPANTS) -> dict[str, float]:
    """Return the median time of each page."""
    site = RunningSite(make_settings(folder), [short_study(cells=(PAIR,))])
    async with site.running():
        ids = await fill(site, count)
        browser, found = site.browser(), {}
        for path in PATHS:
            asked = path.format(oldest=sorted(ids)[count // 2])
            taken = []
            for _ in range(REPEATS):
                begun = time.perf_counter()
                answer = await browser.get(asked)
                taken.append(1000 * (time.perf_counter() - begun))
                assert answer.status_code == 200, answer.text
            found[path] = sorted(taken)[REPEATS // 2]
        return found


def main(arguments: Sequence[str]) -> int:
    count = int(arguments[0]) if arguments else PARTICIPANTS
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(times_ms(Path(folder), count))
    for path, milliseconds in found.items():
        sys.stdout.write(f"{milliseconds:7.1f} ms  {path}\n")
    slow = [path for path, milliseconds in found.items() if milliseconds > MOST_MS]
    sys.stdout.write(f"{count} participants, most {MOST_MS:g} ms: {len(slow)} pages are slower\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
