"""Prompts word for word, in ``tests/data/prompts``.

After a change that is meant, write them anew with ``WRITE_GOLDEN=1`` and read the difference.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from episodes.names import Names, floor_key
from episodes.poses import IDENTITY, Box, Pose
from episodes.scene import Catalogue, Furniture, Room, Scene, Template
from episodes.seats import PAIR
from episodes.worldgraph import Known, Place, WorldGraph
from server.robots.grammar import after_thought, calls_of, vocabulary_of
from server.robots.models.call_record import prompt_text
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.shared.retrieval import Library, SolvedTrace
from server.robots.policy import Heard, PastCall, PolicyView, SeenAct
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import POLICIES, configured, make_player
from server.skills import SUCCESS
from server.skills.registry import skills_of
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.calls import as_call

FOLDER = Path(__file__).parents[3] / "data" / "prompts"
TASK = "You bring me the cup from the bedroom and put it next to the bowl; I wash it."
ANSWERS = ("Thought: I look in the bedroom.\nExplore[bedroom_1]\n", "Thought: On.\nPick[cup_0]\n")
BOTH = "Thought: Both look.\nAgent_0_Action: Explore[bedroom_1]\nAgent_1_Action: Wait[]\n"


def graph(found: bool) -> WorldGraph:
    """Return a graph of two rooms, three pieces of furniture and, once found, three things."""
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    rooms = tuple(Room(f"{name}_0", name, square, 0.0, 2.5) for name in ("kitchen", "bedroom"))
    pose = Pose((1.0, 0.0, 1.0), IDENTITY)
    box = Box((0.0, 0.0, 0.0), (0.5, 0.5, 0.5))
    templates = {
        name: Template(name, name, "furniture", box, (), faucet=faucet)
        for name, faucet in (("counter", (0.0, 1.0, 0.0)), ("table", None), ("bed", None))
    }
    furniture = (
        Furniture("counter_x", "counter", "kitchen_0", pose),
        Furniture("table_x", "table", "kitchen_0", pose),
        Furniture("bed_x", "bed", "bedroom_0", pose),
    )
    scene = Scene("golden", 0, 1, rooms, (), furniture, (), "")
    catalogue = Catalogue(templates, "0")
    names = {
        "kitchen_0": "kitchen_1", "bedroom_0": "bedroom_1",
        floor_key("kitchen_0"): "floor_kitchen_1", floor_key("bedroom_0"): "floor_bedroom_1",
        "counter_x": "counter_2", "table_x": "table_3", "bed_x": "bed_4",
        "cup_x": "cup_0", "bowl_x": "bowl_1", "lamp_x": "lamp_2",
    }  # fmt: skip
    made = WorldGraph(scene, catalogue, Names(names, names))
    made.objects = {"bowl_x": Known(Place("furniture", "table_x"), (("is_clean", True),))}
    if found:
        made.objects["cup_x"] = Known(Place("furniture", "bed_x"), (("is_clean", False),))
        made.objects["lamp_x"] = Known(Place("agent", "human_0"), (("is_powered_on", False),))
    return made


def view(seat: str, *, first: bool) -> PolicyView:
    kind = next(s.kind for s in PAIR if s.seat_id == seat)
    called = "Explore[bedroom_1]" if kind == "robot" else "Wait[]"
    return PolicyView(
        seat=seat,
        kind=kind,
        tick=1 if first else 400,
        instruction=TASK,
        graph=graph(found=not first),
        tools=skills_of(kind),
        history=() if first else (PastCall(as_call(called), SUCCESS, 4, 390),),
        partner_acts=() if first else (SeenAct(200, "human_0", as_call("PowerOn[lamp_2]")),),
        chat=() if first else (Heard(120, "human_0", 'The "small" cup, please'),),
        position=(2.0, 0.0, 2.0),
        room="kitchen_1",
    )


def asked(text: str, seat: str, answers: tuple[str, ...]) -> list[str]:
    """Return the prompts of two decisions of a policy; of one, where there is but one answer."""
    loop = asyncio.new_event_loop()
    model = PreparedAnswers(*answers)
    player: Any = make_player(text, seat, PlayerOptions(ChargedThinker(loop), model))
    try:
        for first in (True, False)[: len(answers)]:
            loop.run_until_complete(player.policy.decide(view(seat, first=first)))
    finally:
        loop.close()
    return [prompt_text(request) for request in model.requests]


def library(folder: Path) -> str:
    path = folder / "traces.json"
    text = "Thought: I know where it is.\nPick[cup_7]\nAssigned!\nResult: Successful execution!"
    Library([SolvedTrace(name="epi_1", instruction="Bring the cup.", text=text)]).write(path)
    return str(path)


PROGRAM = ('cup = Thing("cup", near="bedroom")\ncup.bring_onto(table)\n',)
GOALS = '{"goals": [{"what": "next_to", "things": ["cup"], "beside": "bowl_1"}]}'
GOLDEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "react_robot": ("react", "robot_0", ANSWERS),
    "react_human": ("react", "human_0", ANSWERS),
    "react_says": ("react:most_lines=3", "robot_0", ANSWERS),
    "react_tools": (
        "react:partnr-tools", "robot_0",
        ("Thought: What is there.\nFindObjectTool[cups]\n", "bowl_1 is in/on table_3 <Done>"),
    ),
    "react_partnr": ("react:partnr-decentralised", "robot_0", ANSWERS),
    "react_partnr_human": ("react:partnr-decentralised", "human_0", ANSWERS),
    "react_both": ("react:partnr-centralised", "robot_0", (BOTH, BOTH)),
    "react_corrected": ("react", "robot_0", ("Thought: I juggle.\nJuggle[bowl_1]\n", *ANSWERS)),
    "react_sure": ("react", "robot_0", ("Thought: It is done.\nDone[]\n", *ANSWERS)),
    "react_rag": ("react-rag:library={library}", "robot_0", ANSWERS),
    "react_rag_partnr": (
        "react-rag:partnr,retrieval=words,library={library}", "robot_0", ANSWERS,
    ),
    "finetuned": ("finetuned:partnr", "robot_0", ("Explore[bedroom_1]<end_act>", "Done[]")),
    "cohab": ("cohab", "robot_0", ("I cannot say", GOALS, GOALS)),
    "helperx_p": ("helper:helperx-p,retrieval=words", "robot_0", PROGRAM),
    "helperx_s": ("helper:helperx-s,retrieval=words", "robot_0", PROGRAM),
}  # fmt: skip


@pytest.mark.parametrize("name", GOLDEN)
def test_prompts_are_what_they_were(name: str, tmp_path: Path) -> None:
    text, seat, answers = GOLDEN[name]
    prompts = asked(text.format(library=library(tmp_path)), seat, answers)
    # A conversation contains its earlier turns; what was asked beside it is kept too.
    kept = [p for n, p in enumerate(prompts) if not any(q.startswith(p) for q in prompts[n + 1 :])]
    check(f"{name}.txt", "\n\n======\n\n".join(kept) + "\n")


ALIKE = {
    # What a seat sees is not in the view of these tests.
    "react:partnr-decentralised-full": "react:partnr-decentralised",
    "react:partnr-centralised-full": "react:partnr-centralised",
    "finetuned:default": "finetuned:partnr",
    # Their questions are in `test_helper`, which has the prompts of helper:default.
    "helper:helperx-p-questions": "helper:helperx-p",
    "helper:helperx-s-questions": "helper:helperx-s",
}
"""Configurations with the prompts of another."""


def test_every_configuration_has_its_prompts() -> None:
    """The prompts of llamar are in `test_llamar_prompts`."""
    kept = {f"{n.policy}:{n.configuration}" for n in (configured(t) for t, _, _ in GOLDEN.values())}
    asking = [p for p, spec in POLICIES.items() if spec.needs_model and "llamar" not in p]
    names = {f"{policy}:{name}" for policy in asking for name in POLICIES[policy].presets}
    assert names == kept | set(ALIKE) | {"helper:default"}
    assert set(ALIKE.values()) <= kept


def test_a_grammar_is_what_it_was() -> None:
    known = vocabulary_of(graph(found=True))
    check("grammar.ebnf", after_thought(calls_of(skills_of("human"), known), 300).ebnf)


def check(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("WRITE_GOLDEN"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
