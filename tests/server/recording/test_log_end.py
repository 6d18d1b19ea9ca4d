"""The end of a log: what a policy has to say of an episode's end is in it before the end is."""

from __future__ import annotations

from typing import Any

from server.recording.log_records import End, SkillEnded, decode
from server.sessions.policy_records import SkillRecord
from tests.server.sessions.first_house_sessions import HUMAN
from tests.server.worker.live_table import Chatter, Table


class Surprised(Chatter):
    """A player with a skill of its own that ends with the episode."""

    ended = False

    def intents(self, core: Any) -> list[Any]:
        self.core = core
        return super().intents(core)

    def see(self, tick: Any) -> None:
        super().see(tick)
        self.ended = self.core.phase == "ended"

    def take_skills(self) -> list[SkillRecord]:
        if not self.ended:
            return []
        return [SkillRecord(seat=self.seat, call="Pick[cup_0]", response="x", began=1, ended=2)]


def test_a_call_that_ends_with_the_episode_is_in_its_log() -> None:
    table = Table(
        {"surprised": Surprised}, time_limit_s=5.0, reconnect_window_s=0.5,
        when_gone="policy", stand_in="surprised",
    )  # fmt: skip
    _, robot = table.start()
    table.leave(robot)
    table.run(6)
    assert table.phase == "ended"
    lines = [decode(line) for line in table.data().splitlines()]
    (end,) = (n for n, line in enumerate(lines) if isinstance(line, End))
    said = [n for n, line in enumerate(lines) if isinstance(line, SkillEnded)]
    assert said
    assert said[0] < end
    assert HUMAN not in {line.skill.seat for line in lines if isinstance(line, SkillEnded)}
