"""Answer grammars and readers agree, both ways.

That holds for the answers around a call, for LLaMAR's modules, for the short answers of helper, and
for cohab's schema.
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from server.robots.grammar import Grammar, after_thought, bare, calls_of, for_all, vocabulary_of
from server.robots.grammar.answers import agent_prefix
from server.robots.grammar.calls import DONE, Query, Vocabulary
from server.robots.grammar.programs import PROGRAM_END, places_of
from server.robots.policies.cohab.instruction_goals import (
    NEED_WHERE,
    PLACES,
    STATES,
    MeaningError,
    read,
    schema,
)
from server.robots.policies.finetuned.policy import Finetuned
from server.robots.policies.helper.answers import (
    answer_grammar,
    question_grammar,
    read_answer,
    read_places,
    read_question,
)
from server.robots.policies.helper.program_parser import Words
from server.robots.policies.helper.requests import QUESTIONS
from server.robots.policies.llamar.board import Order
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.react.policy import (
    LOOKUPS,
    PARTNER_TOOL,
    QUERY_CHARS,
    React,
)
from server.robots.policies.react.settings import ReactSettings
from server.robots.policy import Do, Finished
from server.skills.registry import Skill, skills_of
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.calls import as_call
from tests.server.robots.grammar.grammar_sentences import accepts, sentence
from tests.server.robots.policies.schema_sentences import instance
from tests.server.robots.policies.test_golden_prompts import graph, view
from tests.server.robots.policies.test_llamar_grammar import (
    OPEN,
    GrammarModules,
    SentenceModel,
    situation,
)

seeds = st.integers(0, 2**32)
free = st.text("abcXYZ019 .,:;!_'", min_size=1)
KNOWN = vocabulary_of(graph(found=True))
QUERIES = [*(Query(name, QUERY_CHARS) for name in LOOKUPS), Query(PARTNER_TOOL)]


def valid_call(tools: tuple[Skill, ...], known: Vocabulary, rng: random.Random) -> str:
    """Draw a valid call without the grammar's help."""
    skill = rng.choice(tools)
    things = {
        "object": known.objects,
        "furniture": known.furniture,
        "room": known.rooms,
        "relation": ("on", "within"),
        "target": (*known.objects, *known.furniture),
    }
    if "constraint" not in skill.arguments:
        return f"{skill.name}[{', '.join(rng.choice(things[a]) for a in skill.arguments)}]"
    first = [rng.choice(things[a]) for a in ("object", "relation", "furniture")]
    beside = rng.choice(["none, none", f"next_to, {rng.choice(things['target'])}"])
    return f"{skill.name}[{', '.join(first)}, {beside}]"


def fits(skill: Skill) -> bool:
    """Tell whether `valid_call` knows a skill: not that Pour and Fill take objects only."""
    return skill.name not in ("Pour", "Fill")


# ReAct


@given(seeds, free)
def test_any_thought_before_any_valid_call_is_an_answer(seed: int, thought: str) -> None:
    tools = skills_of("robot")
    grammar = after_thought(calls_of(tools, KNOWN), 300)
    call = valid_call(tools, KNOWN, random.Random(seed))
    assert accepts(grammar, f"Thought: {thought[:300]}\n{call}\nAssigned!")


@given(seeds)
def test_every_sentence_with_tools_is_read(seed: int) -> None:
    """The policy itself reads them: it is told of none of its answers that it is no call."""
    shown = view("robot_0", first=False)
    settings = ReactSettings(information="tools", most_lines=2, bad_answer="result", hears=False)
    grammar = after_thought(calls_of(shown.tools, KNOWN, [*QUERIES, Query("Say", 120)]), 300)
    answer = sentence(grammar, random.Random(seed))
    model = PreparedAnswers(answer.removesuffix("Assigned!"), "nothing <Done>")
    policy = React(model, settings)
    asyncio.run(policy.decide(shown))
    constraint = model.requests[0].constraint
    assert constraint is not None
    assert constraint.value == grammar.ebnf
    assert policy.take_calls()[0].parsed == answer.splitlines()[1]


@given(st.sampled_from(LOOKUPS), free)
def test_every_question_to_a_tool_is_in_the_grammar(tool: str, asked: str) -> None:
    grammar = after_thought(calls_of(skills_of("robot"), KNOWN, QUERIES), 300)
    assert accepts(grammar, f"Thought: So.\n{tool}[{asked[:QUERY_CHARS]}]\nAssigned!")
    assert not accepts(grammar, f"Thought: So.\n{tool}[]\nAssigned!")
    assert accepts(grammar, f"Thought: So.\n{PARTNER_TOOL}[]\nAssigned!")


@given(seeds, free)
def test_any_two_valid_calls_are_an_answer_for_all(seed: int, thought: str) -> None:
    rng = random.Random(seed)
    kinds = [skills_of("robot"), tuple(filter(fits, skills_of("human")))]
    grammar = for_all(
        {
            n: calls_of(tools, KNOWN, prefix=agent_prefix(n), done=False)
            for n, tools in enumerate(kinds)
        },
        120,
    )
    lines = [f"Agent_{n}_Action: {valid_call(tools, KNOWN, rng)}" for n, tools in enumerate(kinds)]
    told = f"Thought: {thought[:120]}\n"
    assert accepts(grammar, told + "\n".join(lines) + "\nAssigned!")
    assert accepts(grammar, f"{told}{DONE}\nAssigned!")
    # The second's calls are not for the first: the robot washes nothing.
    washes = f"Agent_0_Action: Clean[{KNOWN.objects[0]}]\n{lines[1]}\nAssigned!"
    assert not accepts(grammar, told + washes)


# The compact format


@given(seeds)
def test_every_sentence_of_the_compact_format_is_obeyed(seed: int) -> None:
    shown = view("human_0", first=False)
    grammar = bare(calls_of(shown.tools, KNOWN))
    call = sentence(grammar, random.Random(seed)).removesuffix("<end_act>")
    model = PreparedAnswers(call)
    decision = asyncio.run(Finetuned(model).decide(shown))
    assert decision == (Finished() if call == DONE else Do(as_call(call)))
    constraint = model.requests[0].constraint
    assert constraint is not None
    assert constraint.value == grammar.ebnf


# HELPER-X, besides its programs (`test_program_parser`)

WORDS = Words(("kitchen_1", "table_3", "cup_0"), ("cup", "table", "kitchen"))


@given(st.lists(st.sampled_from(["kitchen_1", "table_3"]), min_size=3, max_size=3))
def test_any_places_are_an_answer_of_the_locator(places: list[str]) -> None:
    text = ", ".join(places)
    assert accepts(places_of(("kitchen_1", "table_3"), 3), f"{text}\n{PROGRAM_END}")
    assert set(read_places(text, WORDS, 3)) == set(places)


@pytest.mark.parametrize("verb", QUESTIONS)
def test_any_question_can_be_chosen(verb: str) -> None:
    text = f'{verb}("cup")'
    assert accepts(question_grammar(QUESTIONS, "cup"), f"{text}\n{PROGRAM_END}")
    assert read_question(text, QUESTIONS) == verb


@pytest.mark.parametrize(
    "call", ['look_at("kitchen_1")', 'take("cup_0")', "leave_it()", "no_idea()"]
)
def test_anything_can_follow_from_an_answer(call: str) -> None:
    grammar = answer_grammar(("kitchen_1", "table_3"), ("cup_0",))
    assert accepts(grammar, f"{call}\n{PROGRAM_END}")
    assert [a.verb for a in read_answer(call, WORDS)] == [call.partition("(")[0]]


# Cohab


@given(seeds)
def test_every_instance_of_the_schema_is_a_meaning(seed: int) -> None:
    """Readers refuse what a schema cannot rule out: what leads nowhere or in a circle."""
    found = instance(schema(graph(found=True)), random.Random(seed))
    problem = problem_in(found)
    if problem:
        assert "other goals by their position" in problem or "in a circle" in problem
        for goal in found["goals"]:
            for links in ("after", "same_as", "apart_from"):
                goal.pop(links, None)
    meaning = read(json.dumps(found))
    assert len(meaning.goals) == len(found["goals"])
    assert all(goal.where for goal in meaning.goals if goal.what in NEED_WHERE)


@given(seeds)
def test_every_meaning_of_known_names_is_in_the_schema(seed: int) -> None:
    rng = random.Random(seed)
    places = (*KNOWN.furniture, *KNOWN.rooms)
    goals: list[dict[str, Any]] = []
    for number in range(rng.randint(1, 5)):
        goal: dict[str, Any] = {
            "what": rng.choice([*PLACES, "next_to", *STATES]),
            "things": rng.sample([*KNOWN.objects, "spray_bottle"], 2),
        }
        if rng.random() < 0.7:
            goal["where"] = rng.sample(places, 2)
        if rng.random() < 0.7:
            goal["beside"] = rng.choice(KNOWN.objects)
        if number and rng.random() < 0.5:
            goal["after"] = [rng.randrange(number)]
        if rng.random() < 0.3:
            goal |= {"number": 2, "one_place": True, "found_in": [rng.choice(places)]}
        goals.append(goal)
    # What is refused for what it lacks is not in the schema, and the other way round.
    problem = problem_in({"goals": goals})
    assert not problem or "needs" in problem
    assert valid({"goals": goals}) == (problem == "")
    assert not valid({"goals": [{**goals[0], "where": ["table_99"]}]})


def problem_in(found: Any) -> str:
    """Return why an answer is no meaning; empty: it is one."""
    try:
        read(json.dumps(found))
    except MeaningError as error:
        return str(error)
    return ""


def valid(found: Any) -> bool:
    validator = Draft202012Validator(schema(graph(found=True)))
    return bool(validator.is_valid(found))


# LLaMAR; its sentences are in `test_llamar_grammar`


@given(seeds, st.booleans())
def test_any_answer_of_a_module_is_in_its_grammar(seed: int, both: bool) -> None:
    """PreparedAnswers are drawn key by key from what may be said, without the grammar's help."""
    rng = random.Random(seed)
    now = situation(*(("robot_0", "human_0") if both else ("robot_0",)))
    words = "It is so, I think; 'cup_0' lies there."[: rng.randint(1, 38)]
    own_words = ("reason", "review", "failure", "memory", "robot cause", "person cause")
    values: dict[str, Any] = dict.fromkeys(own_words, words)
    values |= {
        "plan": [words] * rng.randint(0, 20),
        "completed": rng.sample(OPEN, rng.randint(0, 2)),
    }
    for label, kind in (("robot", "robot"), ("person", "human")):
        tools = tuple(s for s in skills_of(kind) if fits(s) and s.name != "Explore")  # type: ignore[arg-type]
        call = rng.choice([valid_call(tools, KNOWN, rng), str(Order.EXPLORE)])
        values[f"{label} correction"] = rng.choice([call, "none"])
        values[f"{label} action"] = rng.choice([call, DONE])
        values[f"{label} subtask"] = rng.choice([*OPEN, "none"])
    grammars: dict[str, Grammar] = {}
    modules = GrammarModules(SentenceModel(rng, grammars), LlamarSettings())
    modules.grammars = grammars
    for module in (modules.plan, modules.act, modules.correct, modules.verify):
        asyncio.run(module(now))
    asyncio.run(modules.all_at_once(now))
    assert set(grammars) == {"planner", "actor", "corrector", "verifier", "all"}
    for grammar in grammars.values():
        keys = json.loads(sentence(grammar, rng))
        assert accepts(grammar, json.dumps({key: values[key] for key in keys}))
        assert not accepts(grammar, json.dumps(dict.fromkeys(keys, "?")))
