"""A benchmark of a person's routines, asked for by name with none to three changes.

    python tests/benchmarks/routines.py --url http://127.0.0.1:8100/v1 --model NAME

This is how HELPER tries it. Ten routines are taught, then each is asked for four times. A plan is
right if it has exactly the calls of the routine with the changes that were said, in whatever order;
HELPER's plans were read by a person. Prints how many of ten were right for each number of changes,
and what was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.names import Names, floor_key
from episodes.poses import IDENTITY, Box, Pose
from episodes.scene import Catalogue, Furniture, Room, Scene, Template
from episodes.worldgraph import WorldGraph
from server.robots.models import Completes
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.policies.helper.example_ranking import WordRanking
from server.robots.policies.helper.memory import Memories, memories_of, teach
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.program_parser import Program, parse, stem_of
from server.robots.policies.helper.queries import Queries
from server.robots.policies.helper.settings import HelperSettings
from server.robots.policy import PolicyView
from server.skills.registry import skills_of

FURNITURE = {
    "kitchen": ("counter", "stove", "sink"),
    "dining_room": ("table", "cabinet"),
    "living_room": ("couch", "shelves", "armchair"),
    "bedroom": ("bed", "stand", "wardrobe"),
    "hallway": ("bench",),
}


class Request(NamedTuple):
    """``without`` and ``plus`` are calls such as ``bring_onto cup table``."""

    text: str
    without: tuple[str, ...] = ()
    plus: tuple[str, ...] = ()


class Routine(NamedTuple):
    """``calls`` as of a `Request`; four requests, with none, one, two and three changes."""

    name: str
    said: str
    calls: tuple[str, ...]
    requests: tuple[Request, Request, Request, Request]


ROUTINES = (
    Routine(
        "breakfast table",
        "Robot: What can I do? Person: Put a plate, a cup and the butter dish on the dining table. "
        "Remember that as my breakfast table.",
        ("bring_onto plate table", "bring_onto cup table", "bring_onto butter_dish table"),
        (
            Request("Make my breakfast table, please."),
            Request("Set my breakfast table, without the cup.", ("bring_onto cup table",)),
            Request(
                "My breakfast table, but no butter dish, and a bowl too.",
                ("bring_onto butter_dish table",),
                ("bring_onto bowl table",),
            ),
            Request(
                "The breakfast table today: two plates instead of one, a glass in place of the "
                "cup, and a spoon as well.",
                ("bring_onto cup table",),
                ("bring_onto plate table", "bring_onto glass table", "bring_onto spoon table"),
            ),
        ),
    ),
    Routine(
        "movie night",
        "Person: Tonight the remote and the blanket go on the couch and the lamp is switched off. "
        "Robot: Shall I remember it? Person: Yes, call it movie night.",
        ("bring_onto remote couch", "bring_onto blanket couch", "switch_off lamp"),
        (
            Request("It is movie night!"),
            Request("Movie night, but leave the lamp on.", ("switch_off lamp",)),
            Request(
                "Prepare movie night. The blanket belongs on the armchair this time, and bring a "
                "bowl to the couch.",
                ("bring_onto blanket couch",),
                ("bring_onto blanket armchair", "bring_onto bowl couch"),
            ),
            Request(
                "Movie night without the remote, with two cushions on the couch, and switch off "
                "the radio too.",
                ("bring_onto remote couch",),
                ("bring_onto cushion couch", "bring_onto cushion couch", "switch_off radio"),
            ),
        ),
    ),
    Routine(
        "tea time",
        "Person: Fill the kettle, set it on the stove and turn it on. A cup goes on the table. We "
        "call that tea time.",
        ("fill kettle", "bring_onto kettle stove", "switch_on kettle", "bring_onto cup table"),
        (
            Request("Tea time, please!"),
            Request("Tea time for two cups.", (), ("bring_onto cup table",)),
            Request(
                "Tea time, but do not turn the kettle on yet, and put the saucer on the table.",
                ("switch_on kettle",),
                ("bring_onto saucer table",),
            ),
            Request(
                "Tea time with the teapot instead of the kettle, which needs no turning on; and "
                "take the cup to the bench instead of the table.",
                ("fill kettle", "bring_onto kettle stove", "switch_on kettle",
                 "bring_onto cup table"),
                ("fill teapot", "bring_onto teapot stove", "bring_onto cup bench"),
            ),
        ),
    ),
    Routine(
        "washing up",
        "Person: Wash the plate and the bowl and put both into the cabinet. That is my washing up.",
        ("wash plate", "wash bowl", "bring_into plate cabinet", "bring_into bowl cabinet"),
        (
            Request("Do the washing up."),
            Request("Do the washing up, and wash the pan as well.", (), ("wash pan",)),
            Request(
                "The washing up without the bowl, and leave the plate on the counter after.",
                ("wash bowl", "bring_into bowl cabinet", "bring_into plate cabinet"),
                ("bring_onto plate counter",),
            ),
            Request(
                "Washing up: two bowls today, wash the ladle too, and the plate goes on the table.",
                ("bring_into plate cabinet",),
                ("wash bowl", "bring_into bowl cabinet", "wash ladle", "bring_onto plate table"),
            ),
        ),
    ),
    Routine(
        "desk for work",
        "Person: Put the laptop on the table and the notebook and a pencil next to it. Keep it as "
        "my desk for work.",
        ("bring_onto laptop table", "bring_onto notebook table laptop",
         "bring_onto pencil table laptop"),
        (
            Request("I need my desk for work."),
            Request("My desk for work, without the notebook.",
                    ("bring_onto notebook table laptop",)),
            Request(
                "The desk for work, with a pen instead of the pencil, and turn on the laptop.",
                ("bring_onto pencil table laptop",),
                ("bring_onto pen table laptop", "switch_on laptop"),
            ),
            Request(
                "The desk for work, but no pencil; bring the phone next to the laptop, and switch "
                "on the lamp.",
                ("bring_onto pencil table laptop",),
                ("bring_onto phone table laptop", "switch_on lamp"),
            ),
        ),
    ),
    Routine(
        "good night",
        "Person: The book goes on the stand, the slippers go on the floor of the bedroom, and the "
        "lamp is switched off. We say good night to that.",
        ("bring_onto book stand", "bring_onto slipper floor", "switch_off lamp"),
        (
            Request("Good night!"),
            Request("Good night, but leave the book where it is.", ("bring_onto book stand",)),
            Request(
                "Good night. The book on the bed instead, and a glass on the stand.",
                ("bring_onto book stand",),
                ("bring_onto book bed", "bring_onto glass stand"),
            ),
            Request(
                "Good night: no slippers, switch the radio off too, my spectacles on the stand.",
                ("bring_onto slipper floor",),
                ("switch_off radio", "bring_onto spectacles stand"),
            ),
        ),
    ),
    Routine(
        "play corner",
        "Person: The ball, the toy truck and the stuffed toy belong on the shelves. That is the "
        "play corner.",
        ("bring_onto ball shelves", "bring_onto toy_truck shelves",
         "bring_onto stuffed_toy shelves"),
        (
            Request("Tidy the play corner."),
            Request("The play corner, please, but the ball on the floor.",
                    ("bring_onto ball shelves",), ("bring_onto ball floor",)),
            Request(
                "The play corner without the truck, and the board game goes there too.",
                ("bring_onto toy_truck shelves",),
                ("bring_onto board_game shelves",),
            ),
            Request(
                "The play corner: two balls, the stuffed toy on the bed, and the toy bee as well.",
                ("bring_onto stuffed_toy shelves",),
                ("bring_onto ball shelves", "bring_onto stuffed_toy bed",
                 "bring_onto toy_bee shelves"),
            ),
        ),
    ),
    Routine(
        "flowers",
        "Person: Fill the pitcher, pour it into the vase, then the vase goes on the table. I call "
        "that the flowers.",
        ("fill pitcher", "pour_into pitcher vase", "bring_onto vase table"),
        (
            Request("See to the flowers."),
            Request("The flowers, but the vase on the bench.",
                    ("bring_onto vase table",), ("bring_onto vase bench",)),
            Request(
                "The flowers, with the jug in place of the pitcher, and a candle on the table.",
                ("fill pitcher", "pour_into pitcher vase"),
                ("fill jug", "pour_into jug vase", "bring_onto candle table"),
            ),
            Request(
                "The flowers: wash the vase first, take it to the shelves, and put the pitcher on "
                "the counter afterwards.",
                ("bring_onto vase table",),
                ("wash vase", "bring_onto vase shelves", "bring_onto pitcher counter"),
            ),
        ),
    ),
    Routine(
        "going out",
        "Person: Bring the keychain, the wallet and the umbrella to the bench. That is for going "
        "out.",
        ("bring_onto keychain bench", "bring_onto wallet bench", "bring_onto umbrella bench"),
        (
            Request("I am going out."),
            Request("Going out, it does not rain: no umbrella.", ("bring_onto umbrella bench",)),
            Request(
                "Going out, with the hat in place of the umbrella, and the phone too.",
                ("bring_onto umbrella bench",),
                ("bring_onto hat bench", "bring_onto phone bench"),
            ),
            Request(
                "Going out: two umbrellas, no wallet, and switch off the lamp.",
                ("bring_onto wallet bench",),
                ("bring_onto umbrella bench", "switch_off lamp"),
            ),
        ),
    ),
    Routine(
        "baking day",
        "Person: The mixer, the rolling pin and the cake pan go on the counter, and the bowl is "
        "washed. Call it baking day.",
        ("bring_onto mixer counter", "bring_onto rolling_pin counter",
         "bring_onto cake_pan counter", "wash bowl"),
        (
            Request("Today is baking day."),
            Request("Baking day without the mixer.", ("bring_onto mixer counter",)),
            Request(
                "Baking day, with everything as usual but the bundt pan instead of the cake pan; "
                "bring a whisk too.",
                ("bring_onto cake_pan counter",),
                ("bring_onto bundt_pan counter", "bring_onto whisk counter"),
            ),
            Request(
                "Baking day: the rolling pin on the table, two bowls to wash, and an egg on the "
                "counter.",
                ("bring_onto rolling_pin counter",),
                ("bring_onto rolling_pin table", "wash bowl", "bring_onto egg counter"),
            ),
        ),
    ),
)  # fmt: skip


def program_for(calls: tuple[str, ...]) -> str:
    """Return a memory's program: things of one word are one, furniture is declared once."""
    declared: dict[str, str] = {}
    lines = []
    for call in calls:
        verb, thing, *others = call.split()
        for word in (thing, *others):
            declared.setdefault(word, f'{word} = Thing("{word}")')
        beside = f", beside={others[1]}" if len(others) > 1 else ""
        lines.append(f"{thing}.{verb}({others[0] if others else ''}{beside})")
    return "\n".join([*declared.values(), *lines])


def home() -> PolicyView:
    """Five rooms, every kind of furniture once, nothing found yet."""
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    rooms = tuple(Room(f"{name}_0", name, square, 0.0, 2.5) for name in FURNITURE)
    pose, box = Pose((1.0, 0.0, 1.0), IDENTITY), Box((0.0, 0.0, 0.0), (0.5, 0.5, 0.5))
    pieces = [(kind, f"{room}_0") for room, kinds in FURNITURE.items() for kind in kinds]
    tap = {"sink": (0.0, 1.0, 0.0)}
    templates = {
        kind: Template(kind, kind, "furniture", box, (), faucet=tap.get(kind)) for kind, _ in pieces
    }
    furniture = tuple(Furniture(f"{kind}_x", kind, room, pose) for kind, room in pieces)
    names = {room.room_id: f"{room.class_name}_1" for room in rooms}
    names |= {floor_key(room.room_id): f"floor_{room.class_name}_1" for room in rooms}
    names |= {f.handle: f"{f.template}_{n}" for n, f in enumerate(furniture, 1)}
    scene = Scene("routines", 0, 1, rooms, (), furniture, (), "")
    graph = WorldGraph(scene, Catalogue(templates, "0"), Names(names, names))
    return PolicyView(
        seat="robot_0", kind="robot", tick=1, instruction="", graph=graph, tools=skills_of("robot"),
        history=(), partner_acts=(), chat=(), position=(2.0, 0.0, 2.0), room="kitchen_1",
    )  # fmt: skip


def calls_of(program: Program) -> Counter[str]:
    """Return what a program does, in kinds of things."""
    word = {d.name: d.word for d in program.declared}

    def kind(name: str) -> str:
        own = stem_of(word[name])
        return "floor" if own.startswith("floor") else own

    return Counter(
        " ".join([line.verb, *(kind(n) for n in (line.thing, line.other, line.beside) if n)])
        for line in program.lines
        if line.thing
    )


def wanted(routine: Routine, request: Request) -> Counter[str]:
    calls = Counter(routine.calls)
    calls.subtract(request.without)
    calls.update(request.plus)
    return +calls


def taught(folder: Path) -> Memories:
    """All routines, as they are after ten episodes in which they were taught."""
    path = str(folder / "routines.jsonl")
    words = words_of(home().graph, names=False)
    for routine in ROUTINES:
        program = parse(program_for(routine.calls), words)
        assert not program.refused, program.refused
        teach(path, routine.name, routine.said, str(program), "dialogue")
    return memories_of(path)


async def try_all(model: Completes) -> list[tuple[int, Request, Counter[str], Counter[str]]]:
    """Try all requests.

    Returns for each the number of changes, what was asked for, what the plan does, and what it was
    to do.
    """
    tried = []
    with tempfile.TemporaryDirectory() as folder:
        memories = taught(Path(folder))
    for routine in ROUTINES:
        for changes, request in enumerate(routine.requests):
            queries = Queries(model, HelperSettings(), memories, WordRanking())
            program = await queries.plan(replace(home(), instruction=request.text))
            tried.append((changes, request, calls_of(program), wanted(routine, request)))
    return tried


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="an OpenAI-compatible server")
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    async with ModelClient(ModelServer(options.url, model=options.model)) as model:
        tried = await try_all(model)
    for number in range(4):
        mine = [done == want for changes, _, done, want in tried if changes == number]
        print(f"{number} changes: {sum(mine)} of {len(mine)}")
    for _, request, done, want in tried:
        if done != want:
            print(
                f"{request.text}\n  missing: {dict(want - done)}\n  too much: {dict(done - want)}"
            )


if __name__ == "__main__":
    asyncio.run(main())
