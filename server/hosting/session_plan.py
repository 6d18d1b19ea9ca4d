"""Plan of a session: what a match, the settings and a task make of it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from episodes.rules import as_recorded, profile_named
from matchmaking.matches import Match
from matchmaking.study import Study
from matchmaking.study.conduct import Chat
from matchmaking.tutorials import is_tutorial
from server.hosting.task_series import Choice
from server.robots.registry.team_checks import paper_ending
from server.sessions.spec import ChatRules, Ending, SessionSpec
from server.settings import Settings
from server.simulators.household import HouseholdSimulator
from server.store.episodes import Provenance
from server.store.identifiers import new_id
from server.store.models import SessionRow

_SIMULATOR_VERSIONS = {HouseholdSimulator.name: HouseholdSimulator.version}


def session_spec(
    settings: Settings,
    match: Match,
    seed: int,
    study: Study | None = None,
    permits: tuple[str, ...] | None = None,
) -> SessionSpec:
    """Return what the session of a match is to be, with a new id.

    ``study`` says what becomes of people who go away; None: the settings do. ``permits`` are the
    uses of the recording that all its people have agreed to; None: they were not asked.
    """
    session_id = new_id("ses")
    treatment = match.plan.conditions[0].treatment if match.plan is not None else None
    is_told = treatment is None or treatment.disclosure == "told"
    # By its exact name: a row that names no version is of a release that had but one.
    rules = profile_named(settings.rules if treatment is None else treatment.profile).exact_name
    spec = SessionSpec.of(
        session_id,
        match.team,
        seed,
        simulator=settings.simulator if treatment is None else treatment.simulator,
        profile=rules,
        semantics="documented" if treatment is None else treatment.semantics,
        **(_set_departures(settings, match) if study is None else _declared_departures(study)),
        tells_doing=settings.tells_doing and is_told,
        finish_wait_s=settings.finish_wait_s,
        tells_aims=settings.tells_aims and is_told,
        told_programs=told_falsely(match) if treatment is not None else UNSET,
        naming="people",
        clock_wait_s=clock_wait(settings, rules),
        purpose="tutorial" if is_tutorial(match.team) else UNSET,
        ending=paper_ending(match.team)
        or Ending(on_success=settings.ends_on_success, robot_wait_s=settings.robot_wait_s),
        is_substituted=match.is_substituted or UNSET,
        permits=UNSET if permits is None else permits,
        chat=UNSET if study is None else _declared_chat(study),
    )
    return spec if is_told else _with_hidden_policies(spec)


def _with_hidden_policies(spec: SessionSpec) -> SessionSpec:
    """Return a session whose people are told of no policy: each is waited for as people are."""
    seats = tuple(
        msgspec.structs.replace(s, stands_for_person=True) if s.policy and s.occupied else s
        for s in spec.seats
    )
    return msgspec.structs.replace(spec, seats=seats)


def _declared_chat(study: Study) -> ChatRules | UnsetType:
    """Return the rules for the chat of a study; unset where it has none of its own."""
    if study.chat == Chat():
        return UNSET
    return ChatRules(study.chat.is_on, study.chat.hidden_words)


def _set_departures(settings: Settings, match: Match) -> dict[str, Any]:
    """Return what becomes of people who go away in open play.

    Where there is but one, the session pauses and waits for longer: nobody else loses by it.
    """
    is_alone = len(match.team.people) == 1 and settings.alone_window_s > 0
    wait_s = settings.alone_window_s if is_alone else 0
    return {
        "reconnect_window_s": max(settings.reconnect_window_s, wait_s),
        "when_gone": settings.when_gone,
        "stand_in": settings.stand_in if settings.when_gone == "policy" else "",
        "pause_while_away": settings.pause_while_away or is_alone,
        "idle_s": settings.idle_s,
        "away_limit_s": max(settings.away_limit_s, wait_s),
    }


def _declared_departures(study: Study) -> dict[str, Any]:
    """Return what becomes of people who go away in a study, whatever the settings say."""
    rules = study.departures
    is_replaced = rules.outcome == "robot"
    return {
        "reconnect_window_s": rules.window_s,
        "when_gone": "policy" if is_replaced else rules.outcome,
        "stand_in": study.substitute if is_replaced else "",
        "pause_while_away": rules.is_paused,
        "idle_s": rules.idle_s,
        "away_limit_s": rules.away_limit_s,
    }


def told_falsely(match: Match) -> tuple[str, ...] | UnsetType:
    """Return the seats of which people are falsely told that programs drive them, if any are.

    Those that policies drive they are told to be people's. Unset: nothing false is told.
    """
    assert match.plan is not None, "only groups of studies are told what they are told"
    if match.plan.conditions[0].treatment.disclosure != "told_falsely":
        return UNSET
    return tuple(match.team.people)


def clock_wait(settings: Settings, rules: str) -> float | UnsetType:
    """Return the seconds for which a task's clock waits for people; unset where it does not."""
    is_partnr = profile_named(rules).name.startswith("partnr")
    return UNSET if is_partnr or settings.clock_wait_s == 0 else settings.clock_wait_s


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
