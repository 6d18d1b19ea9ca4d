"""Every sentence of a grammar is a call on known names, and every such call is in the grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.bodies import SeatKind
from episodes.houses import first_house
from episodes.names import name_things
from episodes.tasks import first_tasks
from episodes.worldgraph import UNKNOWN, Known, WorldGraph
from server.robots.grammar import after_thought, bare, calls_of, for_all, vocabulary_of
from server.robots.grammar.answers import agent_prefix
from server.robots.grammar.calls import DONE, FREE_TEXT, Query, Vocabulary, names_for
from server.robots.grammar.validity import problem_with
from server.skills.call import CallError, parse, read
from server.skills.registry import PLACING, Skill, skills_of
from tests.server.robots.grammar.grammar_sentences import accepts, sentence

KINDS: tuple[SeatKind, ...] = ("robot", "human")


@cache
def handles() -> tuple[str, ...]:
    return tuple(first_tasks()[1].name_to_receptacle)


def graph_with(objects: Sequence[str]) -> WorldGraph:
    scene, catalogue = first_house()
    graph = WorldGraph(scene, catalogue, name_things(scene, catalogue, handles()))
    graph.objects = {h: Known(UNKNOWN) for h in objects}
    return graph


seats = st.sampled_from(KINDS)
some_objects = st.lists(st.sampled_from(handles()), unique=True, max_size=6)
seeds = st.integers(0, 2**32)


def call_in(answer: str) -> str:
    lines = answer.splitlines()
    assert lines[0].startswith("Thought: ")
    assert lines[2] == "Assigned!"
    return lines[1]


@given(seats, some_objects, seeds)
def test_every_sentence_is_a_call_on_known_names(
    kind: SeatKind, objects: list[str], seed: int
) -> None:
    known = vocabulary_of(graph_with(objects))
    tools = skills_of(kind)
    answer = sentence(after_thought(calls_of(tools, known), 300), random.Random(seed))
    text = call_in(answer)
    if text != DONE:
        call = parse(text, kind)
        assert str(call) == text
        assert problem_with(read(text, kind), tools, known) == ""


def candidates(skill: Skill, known: Vocabulary, rng: random.Random) -> str:
    """Draw a call with any names in any places, some of them unknown."""
    everything = [*names_for("target", known), "cup_999", "none", "on", "within", ""]
    relation = ["on", "within", "within", "on", rng.choice(everything)]
    constraint = ["next_to", "none", rng.choice(everything)]
    among = [
        relation if a == "relation" else constraint if a == "constraint" else everything
        for a in skill.arguments
    ]
    return f"{skill.name}[{', '.join(rng.choice(names) for names in among)}]"


@given(seats, some_objects, seeds)
def test_a_call_is_valid_just_when_the_grammar_has_it(
    kind: SeatKind, objects: list[str], seed: int
) -> None:
    rng = random.Random(seed)
    known = vocabulary_of(graph_with(objects))
    tools = skills_of(kind)
    grammar = bare(calls_of(tools, known))
    for skill in (*tools, *skills_of("human")):
        text = candidates(skill, known, rng)
        try:
            written = str(parse(text, kind))
        except CallError:
            written = text
        is_valid = problem_with(read(text, kind), tools, known) == ""
        assert accepts(grammar, f"{written}<end_act>") == is_valid, text


def test_all_valid_calls_of_a_small_home_are_in_the_grammar() -> None:
    """All of them are checked, not a random choice."""
    known = Vocabulary(("cup_0", "book_1"), ("floor_hall_1", "table_3"), ("hall_1",))
    grammar = bare(calls_of(skills_of("human"), known))
    things, furniture = known.objects, known.furniture
    near = ["none, none", *(f"next_to, {n}" for n in (*things, *furniture))]
    expected = {"Wait[]", DONE, "Explore[hall_1]", "Navigate[hall_1]"}
    expected |= {f"Navigate[{n}]" for n in (*things, *furniture)}
    expected |= {f"{t}[{n}]" for t in ("Pick", "Fill", "Pour") for n in things}
    expected |= {f"{t}[{n}]" for t in ("Open", "Close") for n in furniture}
    expected |= {
        f"{t}[{n}]" for t in ("Clean", "PowerOn", "PowerOff") for n in (*things, *furniture)
    }
    expected |= {
        f"{t}[{o}, {r}, {f}, {c}]"
        for t, o, r, f, c in product(
            ("Place", "Rearrange"), things, ("on", "within"), furniture, near
        )
    }
    assert all(accepts(grammar, f"{call}<end_act>") for call in expected)
    rng = random.Random(4)
    drawn = {sentence(grammar, rng).removesuffix("<end_act>") for _ in range(4000)}
    assert drawn <= expected
    assert len(drawn) > len(expected) / 2


@pytest.mark.parametrize("kind", KINDS)
def test_tools_without_a_valid_argument_are_left_out(kind: SeatKind) -> None:
    empty = vocabulary_of(graph_with([]))
    ebnf = bare(calls_of(skills_of(kind), empty)).ebnf
    for tool in ("Pick", "Place", "Rearrange", "Fill", "Pour"):
        assert f'"{tool}[' not in ebnf
    assert not re.search(r"^object ::=", ebnf, re.MULTILINE)
    assert '"Done[]"' in ebnf
    assert ('"Clean["' in ebnf) == (kind == "human")


@given(some_objects, seeds)
def test_an_answer_for_all_has_a_line_for_each(objects: list[str], seed: int) -> None:
    known = vocabulary_of(graph_with(objects))
    grammar = for_all(
        {
            n: calls_of(skills_of(kind), known, prefix=agent_prefix(n), done=False)
            for n, kind in enumerate(KINDS)
        },
        120,
    )
    thought, *lines, last = sentence(grammar, random.Random(seed)).splitlines()
    assert re.fullmatch(f"Thought: [{FREE_TEXT}]{{1,120}}", thought)
    assert last == "Assigned!"
    if lines == [DONE]:
        return
    for number, (kind, line) in enumerate(zip(KINDS, lines, strict=True)):
        text = line.removeprefix(f"Agent_{number}_Action: ")
        assert problem_with(read(text, kind), skills_of(kind), known) == ""


@given(some_objects)
def test_every_rule_is_defined_once_and_used(objects: list[str]) -> None:
    known = vocabulary_of(graph_with(objects))
    ebnf = after_thought(
        calls_of(skills_of("human"), known, [Query("FindObjectTool", 60), Query("Say", 120)]), 300
    ).ebnf
    rules = dict(line.split(" ::= ", 1) for line in ebnf.splitlines())
    assert len(rules) == ebnf.count(" ::= ")
    without_texts = re.sub(r'"[^"]*"|\[[^\]]*\]\{[^}]*\}', " ", " ".join(rules.values()))
    assert set(re.findall(r"[a-z_]\w*", without_texts)) == set(rules) - {"root"}


def test_the_text_of_a_grammar() -> None:
    known = Vocabulary(("cup_0",), ("table_3",), ("hall_1",))
    robot = [s for s in skills_of("robot") if s.name in ("Navigate", "Pick", "Place", "Wait")]
    assert next(s for s in robot if s.name == "Place").arguments == PLACING
    assert after_thought(calls_of(robot, known), 300).ebnf == (
        'root ::= thought "\\n" call "\\nAssigned!"\n'
        'thought ::= "Thought: " [A-Za-z0-9 .,:;!_\']{1,300}\n'
        'call ::= "Navigate[" target "]" | "Pick[" object "]" | "Place[" object ", " '
        '("on" | "within") ", " furniture ", " ("none, none" | "next_to, " thing) "]" | '
        '"Wait[]" | "Done[]"\n'
        "target ::= object | furniture | room\n"
        "thing ::= object | furniture\n"
        'object ::= "cup_0"\n'
        'furniture ::= "table_3"\n'
        'room ::= "hall_1"\n'
    )
