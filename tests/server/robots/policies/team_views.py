"""Views of teams of any size, and players of policies in them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from episodes.seat_names import names_of
from episodes.teams import Team
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import Partner, PolicyView
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.spec import Ending, SessionSpec
from server.worker.unpaced_runner import run
from tests.server.robots.policies.test_golden_prompts import view
from tests.server.sessions.first_house_sessions import episode_spec, simulator, task


def view_in_team(seat: str, team: str, *, first: bool) -> PolicyView:
    """Return what a seat of a team sees in the house of the golden prompts."""
    kind = seat.partition("_")[0]
    shown = view(f"{kind}_0", first=first)
    seats = [member.seat for member in Team.parse(team).members]
    shown.graph.seats = tuple(seats)
    names = names_of(seats)
    partners = tuple(
        Partner(s.seat_id, names[s.seat_id], s.kind, (1.0, 0.0, 1.0)) for s in seats
        if s.seat_id != seat
    )  # fmt: skip
    shown.graph.agents = {s.seat_id: "kitchen_0" for s in seats}
    return replace(shown, seat=seat, partners=partners)


def core_of_team(team: Team, number: int, **options: Any) -> SessionCore:
    """Return a session of a team in one of the first tasks."""
    chosen = task(number)
    spec = SessionSpec.of("ses_1", team, 1, **({"ending": Ending(on_success=True)} | options))
    return SessionCore(spec, episode_spec(chosen), chosen, simulator())


def players_of(
    loop: asyncio.AbstractEventLoop, model: Any, team: Team, latency_s: float = 0.1
) -> list[Any]:
    """Return the players of a team's policies, which share what they share."""
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, latency_s)
    return [
        make_player(name, seat, PlayerOptions(thinker, model, company=company))
        for seat, name in team.policies.items()
    ]


def run_while_one_leaves(core: SessionCore, players: list[Any], seat: str, tick: int = 60) -> None:
    """Run an episode to its success, though a seat is left for good at a tick."""
    leaver = next(player for player in players if player.seat == seat)

    def leave(now: Any) -> None:
        if now.tick == tick:
            leaver.close()
            leaver.finished = True
            core.set_presence(seat, "gone")

    result = run(core, players, 20_000, watch=leave)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
