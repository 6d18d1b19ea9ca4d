"""Plan of a session: what a match, the settings and a task make of it."""

from __future__ import annotations

from episodes.rules import as_recorded, profile_named
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
    session_id = new_id("ses")
    return SessionSpec.of(
        session_id,
        match.team,
        seed,
        simulator=settings.simulator,
        profile=settings.rules,
        reconnect_window_s=settings.reconnect_window_s,
        when_gone=settings.when_gone,
        stand_in=settings.stand_in if settings.when_gone == "policy" else "",
        tells_doing=settings.tells_doing,
        pause_while_away=settings.pause_while_away,
        idle_s=settings.idle_s,
        away_limit_s=settings.away_limit_s,
        finish_wait_s=settings.finish_wait_s,
        ending=paper_ending(match.team)
        or Ending(on_success=settings.ends_on_success, robot_wait_s=settings.robot_wait_s),
    )


def provenance(
    server_version: str, session: SessionRow | SessionSpec, choice: Choice
) -> Provenance:
    """Return what an episode of a task is played on in a session."""
    return Provenance(
        server_version,
        choice.task.text,
        choice.task.scene_id,
        _SIMULATOR_VERSIONS.get(session.simulator),
        profile_named(as_recorded(session.profile)).digest,
        choice.task.scene_digest,
    )
