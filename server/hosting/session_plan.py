"""Plan of a session: what a match, the settings and a task make of it."""

from __future__ import annotations

from episodes.rules import profile_named
from episodes.seats import HUMAN, ROBOT
from episodes.teams import NOBODY, PERSON, Occupant, Team
from matchmaking.matchmakers import Match
from server.hosting.task_series import Choice
from server.robots.registry.team_checks import paper_ending
from server.sessions.spec import Ending, SessionSpec
from server.settings import Settings
from server.simulators.household import HouseholdSimulator
from server.store.episodes import Provenance
from server.store.identifiers import new_id
from server.store.models import SessionRow

_SIMULATOR_VERSIONS = {HouseholdSimulator.name: HouseholdSimulator.version}


def session_spec(settings: Settings, match: Match, seed: int) -> SessionSpec:
    """Return what the session of a match is to be, with a new id."""
    session_id, team = new_id("ses"), _team(match)
    return SessionSpec.of(
        session_id,
        team,
        seed,
        simulator=settings.simulator,
        reconnect_window_s=settings.reconnect_window_s,
        when_gone=settings.when_gone,
        stand_in=settings.stand_in if settings.when_gone == "policy" else "",
        tells_doing=settings.tells_doing,
        pause_while_away=settings.pause_while_away,
        idle_s=settings.idle_s,
        away_limit_s=settings.away_limit_s,
        finish_wait_s=settings.finish_wait_s,
        ending=paper_ending(team)
        or Ending(on_success=settings.ends_on_success, robot_wait_s=settings.robot_wait_s),
    )


def _team(match: Match) -> Team:
    """Return the pair of a match; nobody has the seat that is left."""
    occupants = {seat_id: Occupant("policy", name) for seat_id, name in match.robots}
    occupants |= {a.seat_id: PERSON for a in match.assignments}
    return Team.of((seat.kind, occupants.get(seat.seat_id, NOBODY)) for seat in (ROBOT, HUMAN))


def provenance(
    server_version: str, session: SessionRow | SessionSpec, choice: Choice
) -> Provenance:
    """Return what an episode of a task is played on in a session."""
    return Provenance(
        server_version,
        choice.task.text,
        choice.task.scene_id,
        _SIMULATOR_VERSIONS.get(session.simulator),
        profile_named(session.profile).digest,
        choice.task.scene_digest,
    )
