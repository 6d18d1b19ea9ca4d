"""First tasks: one function for each, written for any generated house.

They name classes, not instances: handles are picked from the scene, so that each works in every
house that has the furniture. Their texts call things what everybody reads on labels.
"""

from __future__ import annotations

from collections.abc import Sequence

from episodes.dataset.vocabulary import SAME_ARG
from episodes.names import name_things, noun_of
from episodes.tasks.draft import Draft, TaskError

EVERYWHERE = (
    "kitchen",
    "living_room",
    "dining_room",
    "bedroom",
    "bathroom",
    "office",
    "hallway",
    "laundry_room",
)

CLUTTER: list[tuple[str, str, tuple[str, ...]]] = [
    ("plant_container", "shelves", EVERYWHERE),
    ("picture_frame", "chest_of_drawers", EVERYWHERE),
    ("clock", "stand", ("bedroom", "living_room")),
    ("cushion", "couch", ("living_room",)),
    ("cushion", "bed", ("bedroom",)),
    ("towel", "sink", ("bathroom",)),
    ("towel", "stand", ("bathroom",)),
    ("sponge", "counter", ("kitchen",)),
    ("pan", "stove", ("kitchen",)),
    ("pot", "stove", ("kitchen",)),
    ("hat", "bench", EVERYWHERE),
    ("shoe", "bench", EVERYWHERE),
    ("laptop", "table", ("office",)),
    ("phone", "stand", ("bedroom", "living_room", "hallway")),
    ("candle", "table", ("dining_room", "kitchen")),
    ("bottle", "counter", ("kitchen",)),
    ("basket", "shelves", EVERYWHERE),
    ("box", "bench", EVERYWHERE),
    ("can", "counter", ("kitchen",)),
]


def books_to_the_table(d: Draft) -> tuple[str, str, str]:
    """Draft a constraint-free task: two things to one place, in any order."""
    tables = d.furniture("table", "living_room")
    if not tables:
        raise TaskError("no table in the living room")
    d.goal_furniture.update(tables)
    closed = d.places("stand", kind="within", closed=True) + d.places(
        "chest_of_drawers", kind="within"
    )
    first = d.add("book", closed, 1)
    second = d.add("book", d.places("bed", "bedroom") + d.places("shelves"), 2)
    d.goal("is_on_top", object_handles=[first, second], receptacle_handles=tables, number=2)
    room = _where(d, first)
    return (
        "constraint_free",
        "Two books",
        f"Bring both books to the living room and put them on the table there. "
        f"One of them is in {room}, in a drawer.",
    )


def _called(d: Draft, furniture: Sequence[str], room: str = "") -> str:
    """Return what furniture is called, any of which will do: ``the bench in the hallway``.

    The class of its ``room`` is said where the label does not have it.
    """
    kind = noun_of(d.class_of(furniture[0]))
    if len(furniture) == 1:
        words = f"the {name_things(d.scene, d.catalogue, (), 'people').labels[furniture[0]]}"
    else:
        words = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    there = room.replace("_", " ")
    return words if not room or there in words else f"{words} in the {there}"


def _where(d: Draft, handle: str) -> str:
    """Return the room that an object starts in, for an instruction."""
    return f"the {d.start_room(handle).replace('_', ' ')}"


def set_the_table(d: Draft) -> tuple[str, str, str]:
    """Draft a spatial task: things next to each other on the dining table."""
    room = d.first_room("table", "dining_room", "kitchen", "living_room")
    tables = d.furniture("table", room)
    d.goal_furniture.update(tables)
    cup = d.add("cup", d.places("counter", "kitchen", kind="within", closed=True))
    plate = d.add(
        "plate", d.places("counter", "kitchen", kind="on", names=("top", "top_left", "top_right"))
    )
    d.goal("is_on_top", object_handles=[plate], receptacle_handles=tables)
    d.goal("is_on_top", object_handles=[cup], receptacle_handles=tables)
    d.goal("is_next_to", entity_handles_a=[cup], entity_handles_b=[plate])
    return (
        "spatial",
        "Set the table",
        f"Set the table in the {room.replace('_', ' ')} for one: put the plate and the cup on it, "
        "next to each other. Both are in the kitchen.",
    )


def toy_before_ball(d: Draft) -> tuple[str, str, str]:
    """Draft a temporal task: one thing away first, then another."""
    room = d.first_room("chest_of_drawers", "bedroom", "living_room", "office", "laundry_room")
    chests = d.furniture("chest_of_drawers", room)
    benches = d.furniture("bench", d.first_room("bench", "hallway", *EVERYWHERE))
    bench_room = d.first_room("bench", "hallway", *EVERYWHERE)
    d.goal_furniture.update([*chests, *benches])
    hat = d.add("hat", d.places("couch") + d.places("bed"), 2)
    towel = d.add(
        "towel",
        d.places("sink", kind="within", names=("drawer_1",)) + d.places("stand", "bathroom"),
    )
    d.goal("is_inside", object_handles=[towel], receptacle_handles=chests)
    d.then()
    d.goal("is_on_top", object_handles=[hat], receptacle_handles=benches)
    return (
        "temporal",
        "Towel, then hat",
        f"First put the towel from the bathroom into the chest of drawers in the "
        f"{room.replace('_', ' ')}. Then put the hat on the bench in the "
        f"{bench_room.replace('_', ' ')}.",
    )


def wash_and_put_away(d: Draft) -> tuple[str, str, str]:
    """Draft a heterogeneous task: a state first, then a closed place."""
    cabinets = d.furniture("cabinet", "kitchen") or d.furniture("counter", "kitchen")
    if not cabinets:
        raise TaskError("no cabinet in the kitchen")
    name = d.class_of(cabinets[0])
    d.goal_furniture.update(cabinets)
    places = d.places("table", "living_room", "dining_room", "office", kind="on")
    places += d.places("stand", kind="on")
    cup = d.add("cup", places, is_clean=False)
    d.goal("is_clean", object_handles=[cup])
    d.then()
    d.goal("is_inside", object_handles=[cup], receptacle_handles=cabinets)
    return (
        "heterogeneous",
        "Wash the cup",
        f"There is a dirty cup in {_where(d, cup)}. Wash it, and then put it away inside the "
        f"{name} in the kitchen.",
    )


def flowers_and_light(d: Draft) -> tuple[str, str, str]:
    """Draft a heterogeneous task: fill, place and switch on, in any order."""
    room = d.first_room("table", "dining_room", "kitchen", "living_room")
    tables = d.furniture("table", room)
    d.goal_furniture.update(tables)
    vase = d.add("vase", d.places("cabinet", kind="within", closed=True), is_filled=False)
    lamp = d.add(
        "lamp",
        d.places("stand", "bedroom", kind="on", names=("top",))
        + d.places("chest_of_drawers", kind="on"),
    )
    d.goal("is_filled", object_handles=[vase])
    d.goal("is_on_top", object_handles=[vase], receptacle_handles=tables)
    d.goal("is_powered_on", object_handles=[lamp])
    return (
        "heterogeneous",
        "Flowers and light",
        f"Fill the vase with water and put it on the table in the {room.replace('_', ' ')}. "
        f"Also turn on the lamp in {_where(d, lamp)}. The vase is in a cabinet in "
        f"{_where(d, vase)}.",
    )


def tidy_toys(d: Draft) -> tuple[str, str, str]:
    """Draft a mixed task: two of three into one place, then a tie between two placements."""
    shelves = d.furniture("shelves")
    stores = d.furniture("wardrobe")
    if not stores or not shelves:
        raise TaskError("no wardrobe or no shelves")
    tables = d.furniture("table")
    d.goal_furniture.update([*stores, *shelves, *tables])
    truck = d.add("toy_truck", d.places("couch", "living_room") + d.places("stand", kind="on"))
    bear = d.add("stuffed_toy", d.places("bed", "bedroom"))
    ball = d.add("ball", d.places("bench") + d.places("chair"), 1)
    apple = d.add(
        "apple", d.places("fridge", kind="within", names=("shelf_1", "shelf_2", "shelf_3"))
    )
    can = d.add(
        "can", d.places("counter", "kitchen", kind="on", names=("top", "top_left", "top_right"))
    )
    d.goal(
        "is_inside",
        object_handles=[truck, bear, ball],
        receptacle_handles=stores,
        number=2,
        is_same_receptacle=True,
    )
    d.then()
    first = d.goal("is_on_top", object_handles=[apple], receptacle_handles=tables)
    second = d.goal("is_on_top", object_handles=[can], receptacle_handles=tables)
    d.tie(SAME_ARG, "receptacle_handles", first, second)
    return (
        "temporal",
        "Toys, then a snack",
        "First put two of the three toys (truck, stuffed toy, ball) into the same wardrobe. Then "
        "bring the apple from the fridge and the can from the kitchen to a table: both to the same "
        "one, whichever you like.",
    )


def one_fetch(d: Draft) -> tuple[str, str, str]:
    """Draft the first task of all: one thing that lies in the open, to one place."""
    room = d.first_room("table", "dining_room", "kitchen", "living_room")
    tables = d.furniture("table", room)
    d.goal_furniture.update(tables)
    apple = d.add(
        "apple", d.places("counter", "kitchen", kind="on", names=("top", "top_left", "top_right"))
    )
    d.goal("is_on_top", object_handles=[apple], receptacle_handles=tables)
    return (
        "constraint_free",
        "One apple",
        f"Bring the apple from the kitchen to {_called(d, tables, room)}.",
    )


def both_have_a_part(d: Draft) -> tuple[str, str, str]:
    """Draft a task with a part for each body: what is washed takes a human, the rest either."""
    room = d.first_room("table", "dining_room", "kitchen", "living_room")
    tables = d.furniture("table", room)
    d.goal_furniture.update(tables)
    plate = d.add("plate", d.places("chest_of_drawers", kind="on") + d.places("bench"), 1)
    cup = d.add("cup", d.places("stand", kind="on"), is_clean=False)
    d.goal("is_on_top", object_handles=[plate], receptacle_handles=tables)
    d.goal("is_clean", object_handles=[cup])
    d.then()
    d.goal("is_on_top", object_handles=[cup], receptacle_handles=tables)
    return (
        "heterogeneous",
        "A part for each",
        f"Share the work. One of you brings the plate from {_where(d, plate)} to "
        f"{_called(d, tables, room)}, the other washes the dirty cup from {_where(d, cup)}: only "
        "a person can wash. Put the cup on that table, too, after both are done.",
    )


KINDS = (
    books_to_the_table,
    set_the_table,
    toy_before_ball,
    wash_and_put_away,
    flowers_and_light,
    tidy_toys,
    one_fetch,
    both_have_a_part,
)
