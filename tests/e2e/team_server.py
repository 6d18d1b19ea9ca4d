"""`cohabit` with more bodies than people were matched: ``python -m tests.e2e.team_server serve``.

``TEAM_OF_SESSIONS`` is the team of every session, written out with its policies; people who were
matched sit down in its places of persons.
"""

from __future__ import annotations

import os

import msgspec

from episodes.teams import Team
from matchmaking.matchmakers import Match
from server.cli.main import main
from server.hosting import session_manager
from server.hosting.session_plan import session_spec
from server.sessions.spec import SessionSpec
from server.settings import Settings

VARIABLE = "TEAM_OF_SESSIONS"


def _team_spec(settings: Settings, match: Match, seed: int) -> SessionSpec:
    planned = session_spec(settings, match, seed)
    team = SessionSpec.of(planned.session_id, Team.parse(os.environ[VARIABLE]), seed)
    return msgspec.structs.replace(planned, seats=team.seats)


if __name__ == "__main__":
    vars(session_manager)["session_spec"] = _team_spec
    main()
