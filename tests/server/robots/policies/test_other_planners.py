"""A model for both seats, the finetuned planner, and retrieval."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models import GarbageError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker, ConcurrentThinker
from server.robots.policies.finetuned.policy import previous
from server.robots.policies.finetuned.prompts import Line
from server.robots.policies.react.centralised import CentralPlanner
from server.robots.policies.shared.retrieval import (
    EmbeddingSimilarity,
    Library,
    NoLibraryError,
    SolvedTrace,
    WordSimilarity,
)
from server.robots.policy import PastCall, SeenAct
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import configured, make_player
from server.skills import SUCCESS
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.calls import as_call
from tests.server.robots.passive_person import passive_person
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

# One model for both seats


def both(
    loop: asyncio.AbstractEventLoop, model: Any, text: str = "react:partnr-centralised"
) -> list[Any]:
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, 0.1)
    return [
        make_player(text, seat, PlayerOptions(thinker, model, company=company))
        for seat in (ROBOT, HUMAN)
    ]


@pytest.mark.parametrize("number", [1, 2])
def test_one_model_solves_a_task_with_both_bodies(loop: Any, number: int) -> None:
    core = core_of(task(number))
    model = PartnrDouble.for_tasks([core])
    result = run(core, both(loop, model), 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    assert {p.by_seat for p in result.verdict.propositions} <= {ROBOT, HUMAN}


def for_all(robot: str, human: str) -> str:
    return f"Thought: Both work.\nAgent_0_Action: {robot}\nAgent_1_Action: {human}\n"


def test_one_answer_sets_both_to_work(loop: Any) -> None:
    core = core_of(task(2))
    rooms = [core.names.graph[r.room_id] for r in core.simulator.scene.rooms]
    near, far = f"Navigate[{rooms[0]}]", f"Explore[{rooms[3]}]"
    model = PreparedAnswers(
        for_all("Wait[]", near), for_all("Wait[]", far), "Thought: so.\nDone[]\n"
    )
    robot, human = both(loop, model)
    run(core, [robot, human], 3000)
    # The second call was the human's alone, and left the robot at what it was doing.
    calls = robot.take_calls() + human.take_calls()
    assert [c.purpose for c in calls] == ["act"] * 3
    assert calls[0].parsed == f"0: Wait[], 1: {near}"
    assert [s.call for s in robot.take_skills()] == ["Wait[]"]
    assert [s.call for s in human.take_skills()] == [near, far]
    told = model.messages(1)[-1].content.splitlines()
    assert told[0] == "Agent_0_Observation: Action Wait[] is still in progress."
    assert told[1] == f"Agent_1_Observation: {SUCCESS}"
    assert robot.finished
    assert human.finished


def test_it_stops_at_its_cap(loop: Any) -> None:
    model = PreparedAnswers(*[for_all("Wait[]", "Wait[]")] * 9)
    core = core_of(task(2))
    players = both(loop, model, "react:partnr-centralised,most_calls=3")
    run(core, players, 20_000)
    assert len(model.requests) == 3
    assert all(player.finished for player in players)


def test_a_line_that_is_missing_is_a_failed_action(loop: Any) -> None:
    model = PreparedAnswers(
        "Thought: only one.\nAgent_0_Action: Wait[]\n", "Thought: so.\nDone[]\n"
    )
    core = core_of(task(2))
    _, human = both(loop, model)
    run(core, [_, human], 3000)
    assert "SyntaxError in Action directive" in human.take_skills()[0].response


def test_two_seats_that_are_free_at_once_ask_once() -> None:
    """The seats decide beside a running loop, both at the same time."""

    async def session() -> int:
        model = PreparedAnswers(*[for_all("Wait[]", "Wait[]")] * 5)
        setup = configured("react:partnr-centralised").setup
        centre = CentralPlanner(model, setup.settings)
        core = core_of(task(2))
        players = [PolicyPlayer(s, centre.seat(s), ConcurrentThinker()) for s in (ROBOT, HUMAN)]
        for _ in range(20):
            run(core, players, 1)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [player.status for player in players] == ["waiting", "waiting"]
        for player in players:
            player.close()
        return len(model.requests)

    assert asyncio.run(session()) == 1


# Finetuned


def test_the_finetuned_planner_is_asked_with_a_bare_prompt(loop: Any) -> None:
    core = core_of(task(2))
    room = core.names.graph[core.simulator.scene.rooms[0].room_id]
    model = PreparedAnswers(f"Explore[{room}]<end_act>", "Done[]")
    player = make_player("finetuned:partnr", ROBOT, PlayerOptions(ChargedThinker(loop, 0.1), model))
    run(core, [player, ScriptedPlayer(HUMAN, [Done()])], 9000)
    first, second = (request.prompt for request in model.requests)
    assert isinstance(first, str)
    assert isinstance(second, str)
    assert first.endswith("Next Agent_Action:<|reserved_special_token_0|>")
    assert "No actions yet" in first
    assert f"Agent_Action: Explore[{room}]\nAction Result: {SUCCESS}" in second
    constraint = model.requests[0].constraint
    assert constraint is not None
    assert str(constraint.value).startswith('root ::= call "<end_act>"\n')
    assert model.requests[0].stop == ("<end_act>",)


def test_it_solves_a_task(loop: Any) -> None:
    core = core_of(task(1))
    model = PartnrDouble.for_tasks([core])
    player = make_player("finetuned", ROBOT, PlayerOptions(ChargedThinker(loop, 0.1), model))
    person = passive_person()
    result = run(core, [player, person], 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation


def test_both_pasts_are_told_in_order_without_the_partners_walks() -> None:
    own = [
        PastCall(as_call("Pick[cup_0]"), "no", 1, 30),
        PastCall(as_call("Wait[]"), SUCCESS, 31, 90),
    ]
    partner = [
        SeenAct(10, HUMAN, as_call("Navigate[table_1]")),
        SeenAct(50, HUMAN, as_call("Pick[cup_0]")),
        SeenAct(60, HUMAN, as_call("Place[cup_0, on, table_1, none, none]")),
    ]
    assert previous(own, partner) == [
        Line("Pick[cup_0]", "no"),
        Line("Pick[cup_0]", own=False),
        Line("Place[cup_0, on, table_1, none, none]", own=False),
        Line("Wait[]", SUCCESS),
    ]


# Retrieval


def library(*instructions: str) -> Library:
    return Library(
        [
            SolvedTrace(name=f"epi_{n}", instruction=text, text=f"Wait[]\nAssigned!\nResult: {n}")
            for n, text in enumerate(instructions)
        ]
    )


TASKS = (
    "Bring the books to the living room and put them on the table.",
    "Wash the cups in the kitchen and put them away.",
    "Turn on the lamp in the bedroom, then fill the vase with water.",
)


@pytest.mark.parametrize(
    ("instruction", "number"),
    [
        ("There is a dirty cup in the office. Wash it.", 1),
        ("Put a book on the shelf in the living room.", 0),
        ("Fill the kettle and turn on the stove.", 2),
        ("Qwerty", 0),
    ],
)
async def test_the_most_similar_task_is_found_by_its_words(instruction: str, number: int) -> None:
    known = library(*TASKS)
    example = await WordSimilarity(known).most_similar(instruction)
    assert example.name == f"epi_{number}"
    assert example.library == known.digest
    assert example.text.startswith(f"Task: {TASKS[number]}\n")


async def test_words_that_few_tasks_have_count_for_more() -> None:
    known = library("Put the cup on the table.", "Put the lamp on the table.", "Put the cup away.")
    found = WordSimilarity(known)
    rare, common = "lamp", "table"
    assert found.score(rare, 1) > found.score(common, 1) > 0.0
    assert found.score(rare, 0) == 0.0


async def test_or_by_the_server_that_embeds() -> None:
    asked: list[Sequence[str]] = []

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        asked.append(texts)
        return [[float("wash" in t.lower()), float("book" in t.lower()), 0.1] for t in texts]

    found = EmbeddingSimilarity(library(*TASKS), embed)
    assert (await found.most_similar("Wash everything")).name == "epi_1"
    assert (await found.most_similar("A book, please")).name == "epi_0"
    # The library is embedded once.
    assert [len(texts) for texts in asked] == [3, 1, 1]


async def test_a_server_embeds_over_http() -> None:
    async def embeddings(request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["model"] == "mpnet"
        data = [
            {"index": n, "embedding": [float("wash" in text.lower()), 0.5]}
            for n, text in enumerate(asked["input"])
        ]
        # The order of an answer is not promised.
        return web.json_response({"data": data[::-1][: len(data) - ("lost" in asked["input"])]})

    app = web.Application()
    app.router.add_post("/v1/embeddings", embeddings)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        async with ModelClient(ModelServer(f"http://127.0.0.1:{port}/v1", model="mpnet")) as client:
            found = EmbeddingSimilarity(library(*TASKS), client.embed)
            assert (await found.most_similar("Wash up")).name == "epi_1"
            with pytest.raises(GarbageError, match="expected 2 vectors"):
                await client.embed(["found", "lost"])
    finally:
        await runner.cleanup()


def test_the_example_and_its_library_are_in_prompt_and_log(loop: Any, tmp_path: Path) -> None:
    path = tmp_path / "traces.json"
    known = library(*TASKS)
    known.write(path)
    model = PreparedAnswers()
    player: Any = make_player(
        f"react-rag:library={path}", ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), model)
    )
    core = core_of(task(1))
    run(core, [player, ScriptedPlayer(HUMAN, [Done()])], 600)
    assert TASKS[0] in model.messages(0)[0].content
    call = player.take_calls()[0]
    assert call.parameters["example"] == "epi_0"
    assert call.parameters["library"] == known.digest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not a library of traces"),
        ('{"version": 9, "traces": []}', "has version 9, this reads 1"),
        ('{"version": 1, "traces": []}', "has no traces"),
    ],
)
def test_a_library_that_cannot_be_read_is_said(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "traces.json"
    path.write_text(text)
    with pytest.raises(NoLibraryError, match=told):
        Library.read(path)
    with pytest.raises(NoLibraryError, match="No such file"):
        Library.read(tmp_path / "nothing.json")
