"""The memory of ``helper``: what is recalled for which input, how it grows, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from server.robots.policies.helper.example_ranking import (
    EmbeddingRanking,
    PositionRanking,
    WordRanking,
    nearest,
    nearest_domain,
)
from server.robots.policies.helper.memory import (
    DOMAINS,
    Memories,
    MemoryFileError,
    grow,
    memories_of,
    seeds,
)
from server.robots.policies.helper.prompts import TEMPLATES
from server.robots.policies.helper.requests import CLOSING
from server.robots.policy import Finished, PolicyView, SayLine
from server.robots.policy_spec import RobotError
from tests.server.robots.policies.prepared_helper import all_seen, cast, helper, later
from tests.server.robots.policies.test_golden_prompts import TASK


@pytest.fixture
def seen() -> PolicyView:
    return all_seen()


async def test_what_is_most_like_it_is_recalled() -> None:
    plans = memories_of().plans()
    found = await nearest(WordRanking(), "Tidy up: the pan and the book are out of place", plans, 3)
    assert found.examples[0].domain == "tidy"
    assert list(found.distances) == sorted(found.distances)
    found = await nearest(PositionRanking(), "anything", plans, 2)
    assert found.examples == tuple(plans[:2])
    assert (await nearest(WordRanking(), "anything", plans, 0)).examples == ()


async def test_embeddings_are_compared_by_distance_and_asked_for_once() -> None:
    asked: list[Sequence[str]] = []

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        asked.append(texts)
        return [[float("wash" in t.lower()), float(len(t) % 7) / 100] for t in texts]

    ranks = EmbeddingRanking(embed)
    plans = memories_of().plans("task")
    found = await nearest(ranks, "wash it", plans, 1)
    distances = await ranks.distances("wash it", [r.key for r in plans])
    assert found.distances[0] == min(distances)
    await nearest(ranks, "wash it", plans, 1)
    assert [len(texts) for texts in asked] == [len(plans) + 1]


INPUTS = {
    "dialogue": (
        "Robot: Hi, what can I do for you? Person: Place both clocks on the shelves. Robot: On my "
        "way.",
        "Robot: What is there to do? Person: Help me with the garage. Robot: All right, else?",
        "Person: The candle has to be washed. Robot: Where is it? Person: In the office.",
        "Robot: Hello. Person: Fill the kettle please. Robot: Anything else? Person: No.",
        "Person: Two forks on the table. Robot: Which table? Person: The one in the kitchen.",
        "Robot: I am ready. Person: Bring me the remote. Robot: Where is it? Person: No idea.",
        "Person: Would you take the hat to the hallway? Robot: Sure. Person: That is all.",
        "Robot: Good morning. Person: First the plates, then the cups. Robot: All right.",
        "Person: Switch on the lamp. Robot: I cannot. Person: I do it, then bring the book.",
        "Robot: What shall I do? Person: Put the ball away. Robot: Where? Person: In the garage.",
    ),
    "task": (
        "Put both of the pencils on a different chest of drawers each.",
        "Wash both of the plates and put the clock on the bench in the entryway.",
        "The toy lamp needs to be switched on.",
        "Bring the canister and the cups to a table in the kitchen.",
        "First place the ladle in the cabinet. Afterwards take the two phone stands to a stand.",
        "Fill the vase with water and place it next to the candle.",
        "Place the rolling pin and the charger next to each other on the table.",
        "Move all the toys to the couch in the living room.",
        "Store the clean glass in the cabinet and turn on the kettle.",
        "Carry the laptop to the office, then put the phone beside it.",
    ),
    "steps": (
        "Goal: a clean cup in the cabinet. Steps: 1. Find the cup. 2. Rinse it. 3. Put it away.",
        "Goal: two books on the couch. Steps: 1. Go to the shelves. 2. Take a book. 3. Carry it.",
        "Goal: the lamp lit. Steps: 1. Turn around. 2. Walk to the lamp. 3. Switch it on.",
        "Goal: fork beside plate. Steps: 1. Pick up the fork. 2. Put it next to the plate.",
        "Goal: put the towel in the cabinet. Steps: 1. Open it. 2. Put the towel inside.",
        "Goal: water in the kettle. Steps: 1. Take the kettle. 2. Fill it at the sink.",
        "Goal: the ball on the bench. Steps: 1. Look around. 2. Take the ball. 3. Drop it there.",
        "Goal: the hat on the bed. Steps: 1. Find the hat. 2. Go to the bedroom. 3. Put it down.",
        "Goal: move a pencil. Steps: 1. Find a pencil in the office. 2. Carry it to the table.",
        "Goal: soap at the sink. Steps: 1. Go to the bathroom. 2. Take the soap. 3. Put it there.",
    ),
    "tidy": (
        "Tidy up. Out of place are the jewelry box, the phone stand and the toy truck.",
        "Tidy up. Out of place are the radio, the helmet and the keychain.",
        "The house is a mess. Bring the gravy boat and the helmet to where they belong.",
        "Please tidy up the house: the cup and the drill are out of place.",
        "Bring the things that are out of place in the kitchen to where they belong.",
        "Help me tidy: the shirt and the pan are not where they usually are.",
        "Tidy the bedroom. Everything out of place should go back where it belongs.",
        "The office is a mess: the towel and the apple are out of place.",
        "Please tidy the living room, the book and the brush belong elsewhere.",
        "Out of place are the toothbrush and the ladle. Put each of them where it belongs.",
    ),
}


@pytest.mark.parametrize("domain", DOMAINS)
async def test_prompt_retrieval_takes_the_template_of_the_kind_of_input(domain: str) -> None:
    roles = {d: TEMPLATES[d].role for d in DOMAINS}
    ranks, memories = WordRanking(), memories_of()
    chosen = [await nearest_domain(ranks, text, memories, roles) for text in INPUTS[domain]]
    assert sum(c == domain for c in chosen) >= 9, chosen


async def test_its_examples_are_of_that_kind_alone(seen: PolicyView) -> None:
    policy, model = helper("do_nothing()\n", variant="prompts")
    await policy.decide(replace(seen, instruction=INPUTS["tidy"][0]))
    call = policy.take_calls()[0]
    assert call.parameters["domain"] == "tidy"
    assert all(name.startswith("tidy") for name in str(call.parameters["examples"]).split())
    assert "Out of place: " in model.messages()[-1].content


async def test_there_is_room_for_the_rules_before_examples(seen: PolicyView) -> None:
    policy, model = helper("do_nothing()\n", context_chars=7000)
    await policy.decide(seen)
    shown = str(policy.take_calls()[0].parameters["examples"]).split()
    assert len(shown) < 3
    told = model.messages()[-1].content
    assert told.count("\nExample ") == len(shown)
    assert "6. Each thing has a name of its own" in told


async def test_memory_grows_only_where_it_may(seen: PolicyView, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    program = 'bowl = Thing("bowl_1")\ntable = Thing("table_3")\nbowl.bring_onto(table)\n'
    for grows in (False, True):
        policy, _ = helper(program, memory=str(path), grows=grows)
        before = memories_of(str(path)).digest
        assert await policy.decide(seen) == SayLine(CLOSING)
        assert await policy.decide(later(seen, 200)) == Finished()
        # The memory is frozen in play; what was learned is there for the next episode.
        assert policy.take_calls()[0].parameters["memory"] == before
        assert path.exists() == grows
    grown = memories_of(str(path))
    record = grown.records[-1]
    assert (record.source, record.key) == ("play", TASK)
    # The program is kept without the names of this home.
    assert record.program.splitlines()[:2] == [
        'bowl = Thing("bowl")',
        'table = Thing("table", near="kitchen")',
    ]
    assert grown.digest != memories_of().digest
    found = await nearest(WordRanking(), TASK, grown.plans(), 1)
    assert found.examples == (record,)
    # The same is not learned twice.
    assert grow(str(path), record.key, record.program, record.domain) == record
    assert memories_of(str(path)).digest == grown.digest


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "line 1: no memory:"),
        (b'{"name": "x", "key": "y"}', "missing required field `program`"),
        (b'{"name": "task_one", "key": "y", "program": "z"}', "task_one is there twice"),
        (b'{"name": "x", "key": "y", "program": "z", "kind": "poem"}', "Invalid enum value"),
    ],
)
def test_a_memory_that_cannot_be_read_is_said(tmp_path: Path, line: bytes, told: str) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(MemoryFileError, match=told):
        memories_of(str(path))
    with pytest.raises(RobotError, match="memory"):
        cast(f"helper:memory={path}")


def test_a_memory_is_what_it_is_by_its_hash() -> None:
    assert Memories(seeds()).digest == memories_of("").digest
    assert Memories(seeds()[1:]).digest != memories_of().digest
