"""Partners of a candidate: one who does nothing, and one who takes what the task is about."""

from __future__ import annotations

from server.robots.baselines.scripted_player import BodyPlayer, Take, begin, do
from server.sessions.core import SessionCore
from server.sessions.intents import Intent, Ready
from server.sessions.player import Player
from server.sessions.spec import TICK_RATE
from server.skills.body import Body, Script, SkillError
from server.skills.errands import put_anywhere

KEEPS_TICKS = 10 * TICK_RATE
"""The ticks for which a `Taker` keeps what it has taken."""
ROUNDS = 3


class Bystander(Player):
    """A partner who stands there and never says that it is done."""

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def intents(self, core: SessionCore) -> list[Intent]:
        is_asked = core.phase == "gathering" and core.seats[self.seat].presence != "ready"
        return [Ready()] if is_asked else []


class Taker(BodyPlayer):
    """A partner who takes the task's things, one after another, and puts each somewhere else."""

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        for _ in range(ROUNDS):
            for thing in _things_of_the_task(body.core):
                try:
                    yield from do(body, Take(thing))
                    for _ in range(KEEPS_TICKS):
                        yield []
                    yield from put_anywhere(body)
                except SkillError:
                    # The other one has it, or there is no room: the next thing then.
                    yield []
        while True:
            yield []


def _things_of_the_task(core: SessionCore) -> list[str]:
    named = [
        handle
        for wanted in core.task.evaluation_propositions
        for key in ("object_handles", "entity_handles_a")
        for handle in wanted.args.get(key, ())
        if handle in core.world.objects
    ]
    return list(dict.fromkeys(named)) or list(core.world.objects)[:2]
