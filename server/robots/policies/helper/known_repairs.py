"""Repairs that a memory starts with: what failed, the error, why, and what to do.

One for each of HELPER-X's eleven kinds of failure that our skills have too, and for those of theirs
that it does not have.
"""

from __future__ import annotations

REPAIRS: dict[str, tuple[str, str, str]] = {
    "repair_shut_in": (
        'cup = Thing("cup")\ncup.pick_up()\n'
        "Failed to pick! Object is in a closed furniture, you need to open the furniture first.",
        "The cup is shut in. What it lies in has to be opened before it is taken.",
        """\
cabinet = Thing("cabinet")
cup = Thing("cup")
cabinet.open()
cup.pick_up()""",
    ),
    "repair_too_far": (
        'book = Thing("book")\nbook.pick_up()\nFailed to pick! Not close enough to the object.',
        "The hand does not reach the book. One step closer helps.",
        """\
book = Thing("book")
book.come_closer()
book.pick_up()""",
    ),
    "repair_hidden": (
        'drawer = Thing("chest_of_drawers")\ndrawer.open()\n'
        "Failed to open! chest_of_drawers_12 is occluded or too far from agent to open.",
        "Something is in between. From another side it can be seen.",
        """\
drawer = Thing("chest_of_drawers")
drawer.other_viewpoint()
drawer.open()""",
    ),
    "repair_hand_full": (
        'plate = Thing("plate")\nplate.pick_up()\n'
        "Failed to pick plate_4! The arm is currently grasping bowl_2.",
        "A hand holds one thing. The bowl has to be put down first.",
        """\
bowl = Thing("bowl")
plate = Thing("plate")
bowl.put_down()
plate.pick_up()""",
    ),
    "repair_nothing_held": (
        'lamp = Thing("lamp")\ntable = Thing("table")\nlamp.put_on(table)\n'
        "Failed to place! The agent is not holding any object.",
        "A step is missing: the lamp was never taken.",
        """\
lamp = Thing("lamp")
table = Thing("table")
lamp.bring_onto(table)""",
    ),
    "repair_no_room": (
        'ball = Thing("ball")\nstand = Thing("stand")\nball.put_on(stand)\n'
        "No valid placements found for entity stand_30.",
        "The stand is full or too small. Another one of the kind may have room.",
        """\
ball = Thing("ball")
stand = Thing("stand")
ball.bring_onto(stand)""",
    ),
    "repair_no_room_beside": (
        'fork = Thing("fork")\ntable = Thing("table")\nplate = Thing("plate")\n'
        "fork.put_on(table, beside=plate)\nNo valid placements found for entity table_7. There may "
        "be no free place next to plate_1, or it is not on table_7.",
        "The plate is not on that table. It has to be brought there first.",
        """\
fork = Thing("fork")
table = Thing("table")
plate = Thing("plate")
plate.bring_onto(table)
fork.bring_onto(table, beside=plate)""",
    ),
    "repair_no_doors": (
        'shelves = Thing("shelves")\nshelves.open()\n'
        "shelves_20 is not articulated - and cannot be Opened",
        "Shelves have no doors, so there is nothing to open and nothing to repair.",
        "do_nothing()",
    ),
    "repair_place_too_far": (
        'vase = Thing("vase")\nshelves = Thing("shelves")\nvase.put_on(shelves)\n'
        "Failed to place! Not close enough to shelves_20 or occluded.",
        "The free place cannot be reached from here.",
        """\
vase = Thing("vase")
shelves = Thing("shelves")
shelves.other_viewpoint()
vase.put_on(shelves)""",
    ),
    "repair_no_water": (
        'kettle = Thing("kettle")\nkettle.fill()\nThe object is not close enough to a water source',
        "Filling needs a tap within reach, so the kettle goes to the sink first.",
        """\
kettle = Thing("kettle")
sink = Thing("sink")
kettle.pick_up()
sink.come_closer()
kettle.fill()""",
    ),
    "repair_no_way": (
        'room = Thing("bedroom")\nroom.go_to()\n'
        "Could not find a suitable nav target for bedroom_1. Possibly inaccessible.",
        "The way is blocked. After a step back there may be another one.",
        """\
room = Thing("bedroom")
room.step_back()
room.go_to()""",
    ),
    "repair_partner_has_it": (
        'hat = Thing("hat")\nhat.pick_up()\nFailed! This object is held by another agent.',
        "The partner carries the hat and takes care of it.",
        "do_nothing()",
    ),
    "repair_took_too_long": (
        'clock = Thing("clock")\nclock.go_to()\nSkill took too long to finish.',
        "The way was longer than the time. Starting again from here finishes it.",
        """\
clock = Thing("clock")
clock.go_to()""",
    ),
}
