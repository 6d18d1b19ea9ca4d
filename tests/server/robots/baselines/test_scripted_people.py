"""Stand-ins for people: alone, slow, erring, passive, contrary."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from server.robots.baselines.expert import Expert
from server.robots.baselines.expert.agenda import TRIES, Agenda
from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.baselines.settings import PersonManner
from server.robots.registry.registry import configured
from server.sessions.core import Tick
from server.sessions.events import Did
from server.sessions.player import Player
from server.sessions.results import EpisodeResult
from server.skills.body import SkillError
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


class Played(NamedTuple):
    result: EpisodeResult
    did: list[Did]

    def puts(self, seat: str) -> list[str]:
        return [d.target for d in self.did if d.seat == seat and d.verb == "place"]


@cache
def played(number: int, manner: PersonManner, partner: str = "expert") -> Played:
    """Play with an expert as partner, with one who leaves at once, or alone."""
    core = core_of(task(number), solo=partner == "nobody")
    others: dict[str, list[Player]] = {
        "expert": [Expert(ROBOT)],
        "leaves": [ScriptedPlayer(ROBOT, [Done()])],
        "nobody": [],
    }
    did: list[Did] = []

    def watch(tick: Tick) -> None:
        did.extend(e for e in tick.events if isinstance(e, Did))

    result = run(core, [ScriptedPerson(HUMAN, manner), *others[partner]], 30_000, watch=watch)
    assert result is not None
    return Played(result, did)


def manner(name: str) -> PersonManner:
    settings = configured(f"scripted:{name}").setup.settings
    assert isinstance(settings, PersonManner)
    return settings


def test_alone_a_person_solves_it() -> None:
    assert played(2, PersonManner(), "nobody").result.verdict.success


def test_a_slow_one_takes_longer() -> None:
    quick, slow = played(2, PersonManner(), "nobody"), played(2, manner("slow"), "nobody")
    assert slow.result.verdict.success
    assert slow.result.ticks > quick.result.ticks + 400


def test_what_the_partner_has_done_during_a_rest_is_left_alone() -> None:
    resting = played(2, PersonManner(pause_s=60.0))
    assert resting.result.verdict.success
    assert resting.puts(ROBOT)
    assert [d for d in resting.did if d.seat == HUMAN] == []


def test_what_the_partner_has_done_on_the_way_is_left_alone() -> None:
    """A person who goes for a thing turns back when somebody else has put it where it belongs."""
    for number in (1, 3, 6):
        together = played(number, PersonManner())
        assert together.result.verdict.success
        assert together.puts(ROBOT)
        assert not set(together.puts(HUMAN)) & set(together.puts(ROBOT))


def test_an_erring_one_puts_things_in_a_wrong_place_first_and_then_right() -> None:
    plain = played(2, PersonManner(), "nobody")
    erring = played(2, PersonManner(errs=1.0, notices_s=2.0), "nobody")
    assert erring.result.verdict.success
    for thing in set(plain.puts(HUMAN)):
        assert erring.puts(HUMAN).count(thing) > plain.puts(HUMAN).count(thing)


def test_a_passive_one_does_only_what_a_robot_cannot() -> None:
    """A passive person washes, and carries nothing where nothing is to be washed."""
    left = played(2, PersonManner(does="what only people can"), "leaves")
    assert not left.result.verdict.success
    assert left.did == []
    washed = played(4, PersonManner(does="what only people can"), "leaves")
    assert washed.result.verdict.success
    assert "clean" in {d.verb for d in washed.did}


def test_a_contrary_one_takes_away_what_the_partner_has_put_down() -> None:
    contrary = played(2, PersonManner(does="what only people can", undoes=1, patience_s=60.0))
    theirs, mine = contrary.puts(ROBOT), contrary.puts(HUMAN)
    assert len(mine) == 1
    assert mine[0] in theirs


def test_it_waits_for_its_partner_as_long_as_its_patience_lasts() -> None:
    patient = PersonManner(does="what only people can", patience_s=300.0)
    with_partner = played(2, patient)
    assert with_partner.result.verdict.success
    assert set(with_partner.puts(ROBOT)) == set(played(2, PersonManner(), "nobody").puts(HUMAN))
    hasty = played(2, PersonManner(does="what only people can", patience_s=0.0))
    assert hasty.result.ticks <= with_partner.result.ticks


def test_what_was_tried_in_vain_does_not_break_the_tasks_order() -> None:
    """The towel comes before the hat: where it cannot be had, the hat stays where it is."""
    core = core_of(task(3), solo=True)
    agenda = Agenda([HUMAN])
    agenda.prepare(core)
    assert agenda.goals is not None
    _, second = agenda.goals
    assert second.after == {0}
    for _ in range(TRIES):
        agenda.missed(HUMAN, 0, SkillError("it is not there"))
    assert agenda.next(core, HUMAN) is None
    assert agenda.ahead(core, HUMAN) is None
    assert agenda.is_over(core)
    assert len(agenda.failures) == 1


def test_what_has_no_order_is_done_though_something_else_was_tried_in_vain() -> None:
    core = core_of(task(1), solo=True)
    agenda = Agenda([HUMAN])
    agenda.prepare(core)
    for _ in range(TRIES):
        agenda.missed(HUMAN, 0, SkillError("it is not there"))
    assert agenda.next(core, HUMAN) == 1


def test_the_same_seed_does_the_same() -> None:
    once = played(2, PersonManner(errs=0.5, seed=3), "nobody")
    played.cache_clear()
    again = played(2, PersonManner(errs=0.5, seed=3), "nobody")
    assert again.did == once.did
