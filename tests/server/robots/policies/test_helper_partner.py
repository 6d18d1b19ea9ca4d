"""Runner of programs beside a partner: what it has, does, is asked for, takes and undoes."""

from __future__ import annotations

import pytest

from episodes.worldgraph import Known, Place
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.program_parser import parse
from server.robots.policies.helper.settings import RunSettings
from server.robots.policy import Decision, Do, Pause, SayLine, SeenAct
from tests.server.robots.calls import as_call
from tests.server.robots.policies.helper_home import PLAIN, Home, on

CUP_TO_TABLE = 'cup = Thing("cup")\ntable = Thing("table")\ncup.bring_onto(table)'


def test_what_the_body_cannot_do_is_asked_for() -> None:
    home = Home("cup.wash()\ncup.bring_onto(table)\nbowl.bring_onto(bed)")
    asked = home.next()
    assert asked == SayLine("Could you wash the cup_0, please? It is in the bedroom_1.")
    calls, _ = home.until(Pause)
    # Meanwhile what needs no clean cup is done; nothing is ever called that the body has not.
    assert calls[-1] == "Place[bowl_1, on, bed_4, none, none]"
    assert not any("cup" in call for call in calls)
    home.graph.objects["cup_x"] = Known(on("bed_x"), (("is_clean", True),))
    assert home.calls()[-1] == "Place[cup_0, on, table_3, none, none]"
    assert home.runner.progress.is_flawless()


def test_who_does_not_do_it_is_not_waited_for_for_ever() -> None:
    home = Home("cup.wash()\ncup.bring_onto(table)", settings=RunSettings(partner_wait_s=3.0))
    assert isinstance(home.next(), SayLine)
    assert all(isinstance(home.next(), Pause) for _ in range(3))
    assert home.tick == 90
    assert home.calls()[-1] == "Place[cup_0, on, table_3, none, none]"
    assert "given up: the partner took too long" in home.runner.progress.report()


def test_requests_have_a_budget() -> None:
    home = Home("cup.wash()\nbowl.fill()", settings=RunSettings(requests=1, partner_wait_s=1.0))
    assert isinstance(home.next(), SayLine)
    assert not any(isinstance(home.next(), SayLine) for _ in range(5))


def test_what_the_partner_did_is_not_done_again() -> None:
    home = Home(CUP_TO_TABLE)
    home.graph.objects["cup_x"] = Known(on("table_x"))
    assert home.calls() == []
    assert home.runner.progress.is_flawless()


def test_what_the_partner_put_there_is_what_is_meant() -> None:
    home = Home("cup.bring_onto(table)\ncup_2.bring_onto(table)", tools=(*PLAIN, "Rearrange"))
    home.add("cup_7", on("table_x"))
    home.acts.append(SeenAct(1, "human_0", as_call("Place[cup_7, on, table_3, none, none]")))
    assert home.calls() == ["Rearrange[cup_0, on, table_3, none, none]"]


def test_what_the_partner_carries_is_waited_for_and_other_lines_go_on() -> None:
    home = Home("cup.bring_onto(table)\nbowl.bring_onto(bed)", tools=(*PLAIN, "Rearrange"))
    home.graph.objects["cup_x"] = Known(Place("agent", "human_0"))
    outcomes = [home.next() for _ in range(4)]
    done = [outcome.text for outcome in outcomes if not isinstance(outcome, Pause)]
    assert done == ["Rearrange[bowl_1, on, bed_4, none, none]"]
    home.graph.objects["cup_x"] = Known(on("table_x"))
    assert home.calls() == []
    assert home.runner.progress.is_flawless()


def test_what_has_to_wait_waits() -> None:
    home = Home("cup.wash()\nwait_until_done()\nbowl.bring_onto(bed)")
    assert isinstance(home.next(), SayLine)
    assert all(isinstance(home.next(), Pause) for _ in range(3))
    home.graph.objects["cup_x"] = Known(on("bed_x"), (("is_clean", True),))
    assert home.calls()[-1] == "Place[bowl_1, on, bed_4, none, none]"


@pytest.mark.parametrize(("rechecks", "again"), [(1, True), (0, False)])
def test_what_was_undone_is_done_again(rechecks: int, again: bool) -> None:
    home = Home(CUP_TO_TABLE + "\nbowl.bring_onto(bed)", tools=(*PLAIN, "Rearrange"),
                settings=RunSettings(rechecks=rechecks))  # fmt: skip
    first: Decision = home.next()
    assert first == Do(as_call("Rearrange[cup_0, on, table_3, none, none]"))
    home.next()
    home.graph.objects["cup_x"] = Known(on("counter_x"))
    assert home.calls() == (["Rearrange[cup_0, on, table_3, none, none]"] if again else [])


def test_what_something_is_put_beside_is_brought_back_first() -> None:
    home = Home(
        "cup.bring_onto(counter)\nbowl.bring_onto(counter, beside=cup)", tools=(*PLAIN, "Rearrange")
    )
    brought = "Rearrange[cup_0, on, counter_2, none, none]"
    assert home.next() == Do(as_call(brought))
    home.graph.objects["cup_x"] = Known(on("bed_x"))
    assert home.calls() == [brought, "Rearrange[bowl_1, on, counter_2, next_to, cup_0]"]
    # A runner without rechecks leaves it so.
    home = Home(
        "cup.bring_onto(counter)\nbowl.bring_onto(counter, beside=cup)",
        tools=(*PLAIN, "Rearrange"), settings=RunSettings(rechecks=0),
    )  # fmt: skip
    home.next()
    home.graph.objects["cup_x"] = Known(on("bed_x"))
    assert home.calls() == ["Rearrange[bowl_1, on, counter_2, next_to, cup_0]"]


def test_a_new_program_does_not_take_what_the_old_one_brought() -> None:
    home = Home(CUP_TO_TABLE, tools=(*PLAIN, "Rearrange"))
    home.add("cup_7", on("bed_x"))
    home.calls()
    brought = "cup_0" if home.graph.objects["cup_x"].place == on("table_x") else "cup_7"
    home.runner.start(parse("cup.bring_onto(counter)", words_of(home.graph, names=True)))
    (call,) = home.calls()
    assert brought not in call
