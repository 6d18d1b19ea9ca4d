"""`cohabit` whose sessions have more bodies than its matches: ``python -m tests.e2e.team_server serve``.

``TEAM_SEATS`` says which seats there are, robots first, and which policy drives each that nobody
was matched to: ``robot_0=expert robot_1=expert human_0=``.
"""

from __future__ import annotations

import os

import msgspec

from episodes.seats import Seat
from matchmaking.matchmakers import Match
from server.cli.main import main
from server.hosting import session_manager
from server.hosting.session_plan import session_spec
from server.sessions.spec import SeatSpec, SessionSpec
from server.settings import Settings


def _team_spec(settings: Settings, match: Match, seed: int) -> SessionSpec:
    people = {assigned.seat_id for assigned in match.assignments}
    seats = []
    for text in os.environ["TEAM_SEATS"].split():
        seat_id, _, policy = text.partition("=")
        kind = "robot" if seat_id.startswith("robot") else "human"
        seats.append(
            SeatSpec(Seat(seat_id, kind), True, "" if seat_id in people else policy)  # type: ignore[arg-type]
        )
    return msgspec.structs.replace(session_spec(settings, match, seed), seats=tuple(seats))


if __name__ == "__main__":
    session_manager.session_spec = _team_spec
    main()
