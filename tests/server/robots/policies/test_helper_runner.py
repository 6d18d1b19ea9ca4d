"""Runner of programs: binding, checks, searching, repairs, waiting for the partner."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.names import Names
from episodes.worldgraph import Known, Place
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.program_parser import parse
from server.robots.policies.helper.settings import RunSettings
from server.robots.policies.helper.subgoals import Ask, Locate, Repair
from server.robots.policy import LET_GO, Do
from tests.server.robots.calls import as_call
from tests.server.robots.policies.helper_home import PLAIN, Home, on

CUP_TO_TABLE = 'cup = Thing("cup")\ntable = Thing("table")\ncup.bring_onto(table)'


def test_a_line_becomes_calls() -> None:
    home = Home(CUP_TO_TABLE)
    assert home.calls() == [
        "Navigate[cup_0]",
        "Pick[cup_0]",
        "Navigate[table_3]",
        "Place[cup_0, on, table_3, none, none]",
    ]
    assert home.runner.progress.is_flawless()
    assert home.runner.progress.report().endswith("cup.bring_onto(table)  # done")


def test_or_one_call_where_the_body_has_it() -> None:
    home = Home(CUP_TO_TABLE, tools=(*PLAIN, "Rearrange"))
    assert home.calls() == ["Rearrange[cup_0, on, table_3, none, none]"]


def test_beside_and_next_to() -> None:
    lines = "cup.bring_onto(table, beside=bowl_1)"
    assert Home(lines).calls()[-1] == "Place[cup_0, on, table_3, next_to, bowl_1]"
    # It stands on the table; where that is, is known only when the line is run.
    assert Home("cup.bring_next_to(bowl)").calls()[-1] == (
        "Place[cup_0, on, table_3, next_to, bowl_1]"
    )
    home = Home("cup.bring_next_to(counter)", tools=(*PLAIN, "Rearrange"))
    assert home.calls() == ["Rearrange[cup_0, on, floor_kitchen_1, next_to, counter_2]"]


def test_the_human_body_washes_at_the_tap_itself() -> None:
    home = Home("cup.wash()\nlamp.switch_on()", kind="human")
    home.add("lamp_2", on("table_x"), (("is_powered_on", False),))
    assert home.calls()[:6] == [
        "Navigate[cup_0]",
        "Pick[cup_0]",
        "Navigate[counter_2]",
        "Clean[cup_0]",
        # What is held is in the way of nothing here; it is put down at the end.
        "Navigate[lamp_2]",
        "PowerOn[lamp_2]",
    ]


# Checks


def test_a_full_hand_is_emptied_first() -> None:
    home = Home("bowl.pick_up()\ncup.pick_up()\ncup.put_down()")
    calls = home.calls()
    at = calls.index("Pick[cup_0]")
    assert calls[at - 3 : at] == [
        "Navigate[counter_2]",
        "Place[bowl_1, on, counter_2, none, none]",
        "Navigate[cup_0]",
    ] or calls[at - 3 : at - 1] == ["Navigate[table_3]", "Place[bowl_1, on, table_3, none, none]"]


def test_what_is_closed_is_opened_before_something_is_put_in() -> None:
    calls = Home("cup.bring_into(counter)").calls()
    assert calls[-3:] == [
        "Navigate[counter_2]",
        "Open[counter_2]",
        "Place[cup_0, within, counter_2, none, none]",
    ]
    # It is not opened again right after it was opened.
    calls = Home("cup.pick_up()\ncounter.open()\ncup.put_in(counter)").calls()
    assert calls.count("Open[counter_2]") == 1


def test_what_cannot_be_is_left_out() -> None:
    home = Home("table.open()\nkitchen.pick_up()\ncup.wash()\ncup.bring_onto(bed)")
    home.graph.objects["cup_x"] = Known(on("bed_x"), (("is_clean", True),))
    assert home.calls() == ["Navigate[table_3]", "Navigate[kitchen_1]"]


def test_without_checks_everything_is_tried() -> None:
    home = Home("bowl.pick_up()\ncup.pick_up()", settings=RunSettings(checks=False))
    assert home.calls() == [
        "Navigate[bowl_1]",
        "Pick[bowl_1]",
        "Navigate[cup_0]",
        "Pick[cup_0]",
    ]


# Which thing


def test_each_name_is_a_thing_of_its_own() -> None:
    home = Home("cup.bring_onto(table)\ncup_2.bring_onto(table)", tools=(*PLAIN, "Rearrange"))
    home.add("cup_7", on("counter_x"))
    assert sorted(home.calls()) == [
        "Rearrange[cup_0, on, table_3, none, none]",
        "Rearrange[cup_7, on, table_3, none, none]",
    ]


def test_the_only_furniture_of_its_kind_may_have_two_names() -> None:
    home = Home("cup.bring_onto(table)\nbowl.bring_onto(bed)\ncup.bring_onto(bed_2)",
                tools=(*PLAIN, "Rearrange"))  # fmt: skip
    assert home.calls()[-1] == "Rearrange[cup_0, on, bed_4, none, none]"


def test_the_landmark_says_which() -> None:
    home = Home('cup = Thing("cup", near="bedroom")\ncup.pick_up()')
    home.add("cup_7", on("counter_x"))
    assert "Pick[cup_0]" in home.calls()


def test_all_are_all_that_are_there_and_come_to_light() -> None:
    home = Home(
        'cups = All("cup", near="kitchen")\nbed = Thing("bed")\ncups.bring_onto(bed)',
        tools=(*PLAIN, "Rearrange"),
    )
    home.add("cup_7", on("counter_x"))
    home.add("cup_8", on("table_x"))
    home.hidden["Explore[kitchen_1]"] = {"cup_9": Known(on("table_x"))}
    # The one that is in the bedroom already is not meant.
    assert home.calls() == [
        "Rearrange[cup_7, on, bed_4, none, none]",
        "Rearrange[cup_8, on, bed_4, none, none]",
        "Explore[kitchen_1]",
        "Rearrange[cup_9, on, bed_4, none, none]",
    ]
    assert home.runner.progress.is_flawless()


# Searching


def test_a_thing_is_looked_for_in_order() -> None:
    home = Home('cup = Thing("cup", near="kitchen")\ncup.pick_up()', found=False)
    calls, asked = home.until(Ask)
    assert calls == ["Explore[kitchen_1]"]
    assert (asked.about, asked.declared.word) == ("where", "cup")
    assert isinstance(home.next(), Locate)
    runner = home.runner
    runner.searches.suggest(home.view(), runner.searches.of(asked.declared), ["bed_x"])
    home.fails["Open[bed_4]"] = home.fails["Close[bed_4]"] = "as it is already"
    calls = home.calls()
    assert calls[:3] == ["Navigate[bed_4]", "Open[bed_4]", "Close[bed_4]"]
    # What was named is looked at from three sides, what is left of the home once, no room twice.
    assert calls.count("Open[bed_4]") == 3
    assert calls.count("Open[counter_2]") == 8
    assert calls.count("Explore[bedroom_1]") == 1
    assert "Explore[kitchen_1]" not in calls
    assert runner.progress.report().endswith("given up: its whereabouts are not known")


def test_it_is_taken_as_soon_as_it_is_seen() -> None:
    home = Home("cup.pick_up()", found=False)
    home.until(Ask)
    home.next()
    home.hidden["Explore[bedroom_1]"] = {"cup_3": Known(on("bed_x"))}
    # The hand is empty again at the end.
    assert home.calls()[-5:-2] == ["Explore[bedroom_1]", "Navigate[cup_3]", "Pick[cup_3]"]


def stopped(home: Home, call: str) -> Any:
    """Make a call, and tell whether it is let go."""
    home.fails[call] = LET_GO
    assert home.next() == Do(as_call(call))
    return home.runner.lets_go(home.view(), is_answered=False)


def test_a_search_stops_once_the_thing_is_seen() -> None:
    home = Home('cup = Thing("cup", near="kitchen")\ncup.pick_up()', found=False)
    assert not stopped(home, "Explore[kitchen_1]")
    # Something else is not what is looked for, nor is a cup that is elsewhere than was said.
    home.add("plate_5", on("table_x"))
    home.add("cup_6", on("bed_x"))
    assert not home.runner.lets_go(home.view(), is_answered=False)
    home.add("cup_3", on("counter_x"))
    assert home.runner.lets_go(home.view(), is_answered=False)
    assert home.calls()[:2] == ["Navigate[cup_3]", "Pick[cup_3]"]
    # The room has not been looked through, and nothing has failed.
    assert home.runner.searches.explored == set()
    assert home.runner.line_repair.failures == 0


def test_what_the_partner_takes_is_not_fetched_any_more() -> None:
    home = Home("cup.bring_onto(table)\nbowl.bring_onto(bed)", tools=(*PLAIN, "Rearrange"))
    assert not stopped(home, "Rearrange[cup_0, on, table_3, none, none]")
    home.graph.objects["cup_x"] = Known(Place("agent", "human_0"))
    assert home.runner.lets_go(home.view(), is_answered=False)
    assert home.next() == Do(as_call("Rearrange[bowl_1, on, bed_4, none, none]"))


@pytest.mark.parametrize(
    ("settings", "program"),
    [(RunSettings(lets_go=False), "cup.pick_up()"), (RunSettings(), 'c = All("cup")\nc.pick_up()')],
)
def test_otherwise_a_search_goes_to_its_end(settings: RunSettings, program: str) -> None:
    home = Home(program, found=False, settings=settings)
    home.until(Locate)
    assert isinstance(home.next(), Do)
    home.add("cup_3", on("counter_x"))
    assert not home.runner.lets_go(home.view(), is_answered=False)


def test_what_is_not_found_is_not_looked_for_twice_without_news() -> None:
    home = Home("cup.pick_up()\ncup.bring_onto(table)", found=False)
    home.until(Ask)
    home.until(Locate)
    assert home.calls().count("Explore[bedroom_1]") == 1
    assert [s.status for s in home.runner.progress.subgoals] == ["left", "left"]


def test_which_of_several_is_asked_where_that_is_wanted() -> None:
    home = Home("cup.pick_up()", asks_which=True)
    home.add("cup_7", on("counter_x"))
    asked = home.next()
    assert isinstance(asked, Ask)
    assert (asked.about, set(asked.among)) == ("which", {"cup_7_x", "cup_x"})
    home.runner.binder.bound["cup"] = "cup_x"
    assert "Pick[cup_0]" in home.calls()


# Failure


def failing(**settings: Any) -> Home:
    home = Home(
        'cup = Thing("cup")\ncup.bring_onto(table)\nbowl.bring_onto(bed)',
        tools=(*PLAIN, "Rearrange"),
        settings=RunSettings(**settings),
    )
    for cup in (0, 7):
        home.fails[f"Rearrange[cup_{cup}, on, table_3, none, none]"] = "There is no room."
    return home


def test_a_failure_is_repaired_once_then_tried_otherwise_then_left() -> None:
    home = failing()
    calls, repair = home.until(Repair)
    assert calls == ["Rearrange[cup_0, on, table_3, none, none]"]
    assert repair.error == "There is no room."
    assert repair.code == ('cup = Thing("cup")\ntable = Thing("table")\ncup.bring_onto(table)')
    patch = parse(repair.code, words_of(home.graph, names=True), corrects=True)
    home.runner.progress.patch(repair.subgoal, patch)
    # The patch fails too, which is not repaired; once more, then the next line.
    assert home.calls() == [
        "Rearrange[cup_0, on, table_3, none, none]",
        "Rearrange[cup_0, on, table_3, none, none]",
        "Rearrange[bowl_1, on, bed_4, none, none]",
    ]
    assert [s.status for s in home.runner.progress.subgoals] == ["left", "done"]
    assert home.runner.line_repair.failures == 3
    assert "given up: There is no room." in home.runner.progress.report()


def test_a_repair_that_works_is_the_end_of_it() -> None:
    home = failing()
    _, repair = home.until(Repair)
    patch = parse("cup.other_viewpoint()\ncup.bring_onto(bed)", words_of(home.graph, names=True),
                  corrects=True)  # fmt: skip
    home.runner.progress.patch(repair.subgoal, patch)
    # It was on the bed already, so there is nothing to do but to look.
    assert home.calls() == [
        "Navigate[bed_4]",
        "Navigate[cup_0]",
        "Rearrange[bowl_1, on, bed_4, none, none]",
    ]
    assert home.runner.progress.is_flawless()


def test_another_instance_is_tried() -> None:
    home = Home("cup.bring_onto(table)", tools=(*PLAIN, "Rearrange"),
                settings=RunSettings(repairs=False))  # fmt: skip
    home.fails["Rearrange[cup_0, on, table_3, none, none]"] = "There is no room."
    names = {**home.graph.names.graph, "floor|table": "table_9"}
    home.graph.names = Names(names, names)
    home.graph.rooms = {**home.graph.rooms, "floor|table": "bedroom_0"}
    assert home.calls() == [
        "Rearrange[cup_0, on, table_3, none, none]",
        "Rearrange[cup_0, on, table_9, none, none]",
    ]


def test_nothing_to_repair_goes_on_with_the_next_line() -> None:
    home = failing()
    _, repair = home.until(Repair)
    home.runner.progress.patch(
        repair.subgoal, parse("do_nothing()", words_of(home.graph, names=True))
    )
    assert home.calls() == ["Rearrange[bowl_1, on, bed_4, none, none]"]
    assert "given up: no repair was needed" in home.runner.progress.report()


@pytest.mark.parametrize(
    ("settings", "failures"),
    [
        ({"repairs": False}, 2),
        ({"repairs": False, "tries_again": False}, 1),
        ({"repairs_until": 1}, 2),
    ],
)
def test_repairs_can_be_switched_off(settings: dict[str, Any], failures: int) -> None:
    home = failing(**settings)
    assert home.calls()[-1] == "Rearrange[bowl_1, on, bed_4, none, none]"
    assert home.runner.line_repair.failures == failures


@pytest.mark.parametrize("budget", [{"most_failures": 1}, {"most_left": 1}])
def test_a_budget_ends_it(budget: dict[str, int]) -> None:
    home = failing(repairs=False, tries_again=False, **budget)
    assert home.calls() == ["Rearrange[cup_0, on, table_3, none, none]"]


def test_a_repair_waits_for_nobody() -> None:
    home = failing(tries_again=False)
    home.graph.objects["cup_x"] = Known(on("counter_x"), (("is_clean", False),))
    home.add("lamp_2", Place("agent", "human_0"))
    _, repair = home.until(Repair)
    lines = "lamp.pick_up()\ncup.wash()\ncup.bring_onto(bed)"
    home.runner.progress.patch(repair.subgoal, parse(lines, words_of(home.graph, names=True)))
    assert home.calls() == [
        "Rearrange[cup_0, on, bed_4, none, none]",
        "Rearrange[bowl_1, on, bed_4, none, none]",
    ]
    assert home.runner.progress.is_flawless()
