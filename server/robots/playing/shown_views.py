"""Views as a policy is shown them, and its lines as the others hear them."""

from __future__ import annotations

from episodes.bodies import SeatKind
from server.robots.playing.knowledge import Knowledge
from server.robots.playing.seat_options import SeatOptions
from server.robots.policy import PastCall, PolicyView, SayLine
from server.skills import Call, Skill, skills_of


def tools_of(kind: SeatKind, seating: SeatOptions) -> tuple[Skill, ...]:
    """Return the skills that a body can be asked for, as far as the seat lets it use them."""
    return tuple(s for s in skills_of(kind) if not seating.tools or s.name in seating.tools)


def view_of(
    knows: Knowledge,
    *,
    tools: tuple[Skill, ...],
    history: tuple[PastCall, ...],
    doing: Call | None,
    overtaken: str,
) -> PolicyView:
    """Return what a seat knows now, as a policy is shown it."""
    core, seat = knows.core, knows.seat
    position = core.world.agents[seat].position
    return PolicyView(
        seat=seat,
        kind=core.world.bodies[seat].kind,
        tick=core.tick,
        observed_tick=knows.observed_tick,
        instruction=core.task_text,
        graph=knows.graph.copy(),
        tools=tools,
        history=history,
        partner_acts=tuple(knows.acts),
        chat=tuple(knows.chat),
        position=position,
        room=core.names.graph.get(knows.graph.room_at(position), ""),
        doing=doing,
        partners=knows.partners(),
        overtaken=overtaken,
    )


def spoken(knows: Knowledge, line: SayLine) -> str:
    """Return a line as it is said: with the name of whom it is for, where there are several.

    Raises ValueError where it is for none of them: it would be said to everybody else.
    """
    partners = knows.partners()
    names = {p.seat: p.name for p in partners} if len(partners) > 1 else {}
    if names and line.to and line.to not in names:
        raise ValueError(f"no partner {line.to!r} to say it to; there are: {', '.join(names)}")
    name = names.get(line.to)
    return line.text if name is None else f"@{name} {line.text}"
