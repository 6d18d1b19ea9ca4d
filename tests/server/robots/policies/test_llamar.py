"""``llamar``: its loop, its board, its exploration, and that it solves tasks when its model plans
well."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from server.robots.casting import cast_player
from server.robots.configurations import configured
from server.robots.models import ModelAnswer, ModelRequest, UnavailableError
from server.robots.models.recording import prompt_text
from server.robots.people import Manner, Person
from server.robots.player import PolicyPlayer
from server.robots.policies.llamar.board import Board, Fared
from server.robots.policies.llamar.policy import Team
from server.robots.scripted import Done, Rest, ScriptedPlayer, Speak
from server.robots.thinking import ChargedInTicks
from server.sessions.core import SessionCore
from server.sessions.messages import EpisodeResult
from server.sessions.unpaced import run
from server.skills import SUCCESS
from tests.robot_doubles.llamar import LlamarDouble
from tests.server.sessions.playing import HUMAN, ROBOT, core_of, task

PASSIVE = Manner(does="what only people can", patience_s=120.0)


class Says:
    """Each module says what it is told to, the last answer for ever; an error is raised."""

    def __init__(self, **answers: Sequence[Mapping[str, object] | str | Exception]) -> None:
        self.answers = {role: list(given) for role, given in answers.items()}
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        given = self.answers.get(request.purpose, [{}])
        answer = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return ModelAnswer(text=text, finish_reason="stop", model="says")

    @property
    def roles(self) -> list[str]:
        return [request.purpose for request in self.requests]

    def asked(self, role: str) -> list[str]:
        """What a module was told, less what it is told each time."""
        return [
            prompt_text(r).rpartition("[user]\n")[2] for r in self.requests if r.purpose == role
        ]


def plan(*subtasks: str) -> dict[str, object]:
    return {"reason": "so", "plan": list(subtasks)}


def act(call: str, memory: str = "none", subtask: str = "none") -> dict[str, object]:
    about = {"failure": "none", "memory": memory, "reason": "so"}
    return {**about, "robot subtask": subtask, "robot action": call}


def completed(*subtasks: str) -> dict[str, object]:
    return {"reason": "so", "completed": list(subtasks)}


def play(
    loop: asyncio.AbstractEventLoop,
    text: str,
    model: Any,
    *others: Any,
    core: SessionCore | None = None,
    max_ticks: int = 20_000,
) -> tuple[Any, EpisodeResult | None]:
    player: Any = cast_player(text, ROBOT, ChargedInTicks(loop, 0.1), model)
    people = others or (ScriptedPlayer(HUMAN, [Done()]),)
    return player, run(core or core_of(task(2)), [player, *people], max_ticks)


def both_of(loop: asyncio.AbstractEventLoop, model: Any, text: str) -> list[Any]:
    """The players of a model that decides for both bodies."""
    company: dict[str, Any] = {}
    thinker = ChargedInTicks(loop, 0.1)
    return [cast_player(text, seat, thinker, model, company) for seat in (ROBOT, HUMAN)]


def rooms() -> list[str]:
    core = core_of(task(2))
    return [core.names.graph[room.room_id] for room in core.simulator.scene.rooms]


# Whole tasks


@pytest.mark.parametrize("number", range(1, 7))
def test_it_solves_the_first_tasks_beside_a_person(loop: Any, number: int) -> None:
    core = core_of(task(number))
    double = LlamarDouble.for_tasks([core])
    player, result = play(loop, "llamar", double, Person(HUMAN, PASSIVE), core=core)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    calls = player.take_calls()
    assert not any(call.error for call in calls)
    # A Corrector is asked only after a failure, a Verifier only when something was done.
    counts = Counter(call.purpose for call in calls)
    assert counts["planner"] >= counts["actor"] >= counts["verifier"] >= 1


@pytest.mark.parametrize(
    "options",
    ["modules=one", "corrector=fused", "corrector=off", "exploration=headings", "memory=false"],
)
def test_parts_can_be_left_out(loop: Any, options: str) -> None:
    core = core_of(task(1))
    double = LlamarDouble.for_tasks([core])
    _, result = play(loop, f"llamar:{options}", double, Person(HUMAN, PASSIVE), core=core)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    roles = {request.purpose for request in double.requests}
    assert roles == ({"all"} if options == "modules=one" else {"planner", "actor", "verifier"})


@pytest.mark.parametrize("number", [1, 4])
def test_it_solves_tasks_as_in_the_paper(loop: Any, number: int) -> None:
    """One model for both bodies."""
    core = core_of(task(number))
    double = LlamarDouble.for_tasks([core])
    players = both_of(loop, double, "llamar:paper-centralised")
    result = run(core, players, 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    team = players[0].policy.team
    assert team is players[1].policy.team
    assert team.decisions <= 30
    # Four calls for a decision, whoever of the two asks; the first has nothing to look back on.
    order = [request.purpose for request in double.requests]
    assert order[:2] == ["planner", "actor"]
    left = len(order) // 4 * 4 - 2
    assert order[2 : 2 + left] == (["corrector", "verifier", "planner", "actor"] * 99)[:left]


# The loop


def test_modules_are_asked_in_the_papers_order_and_stop_at_the_cap(loop: Any) -> None:
    room = rooms()[0]
    model = Says(planner=[plan("find cup")], actor=[act(f"Navigate[{room}]")],
                 corrector=[{}], verifier=[completed()])  # fmt: skip
    player, _ = play(loop, "llamar:paper,most_decisions=3", model)
    between = ["corrector", "verifier"]
    step = ["planner", "actor"]
    assert model.roles == [*step, *between, *step, *between, *step, *between]
    assert player.finished
    assert player.policy.team.decisions == 3
    assert [c.purpose for c in player.take_calls()] == model.roles


def test_what_is_not_needed_is_not_asked(loop: Any) -> None:
    model = Says(planner=[plan("find cup")], actor=[act("Pick[plate_9]"), act("Done[]")])
    play(loop, "llamar:bad_answer=result,confirms_done=false", model)
    # It failed: nothing to verify.
    assert model.roles == ["planner", "actor", "corrector", "planner", "actor"]


def test_the_memory_is_what_the_actor_last_wrote(loop: Any) -> None:
    near, far = rooms()[:2]
    model = Says(planner=[plan("find cup")], verifier=[completed()], actor=[
        act(f"Navigate[{near}]", "the first note"), act(f"Navigate[{far}]", "another"),
        act("Done[]"),
    ])  # fmt: skip
    play(loop, "llamar:confirms_done=false", model)
    told = [text.rpartition("Memory: ")[2] for text in model.asked("actor")]
    assert told == ["empty, nothing has been done yet", "the first note", "another"]
    silent = Says(planner=[plan("find cup")], actor=[act("Done[]", "a note")])
    play(loop, "llamar:memory=false,confirms_done=false", silent)
    assert all("Memory" not in text for text in silent.asked("actor"))


def test_a_correction_is_told_once(loop: Any) -> None:
    room = rooms()[0]
    model = Says(
        planner=[plan("find cup")],
        actor=[act("Pick[cup_99]"), act(f"Navigate[{room}]"), act("Done[]")],
        corrector=[{"robot cause": "It has not been seen.", "robot correction": "Explore[]"}],
        verifier=[completed()],
    )
    play(loop, "llamar:bad_answer=result,confirms_done=false", model)
    first, second, third = model.asked("actor")
    advice = "Why that failed: It has not been seen. Suggested for the robot: Explore[]"
    assert [advice in text.replace("..", ".") for text in (first, second, third)] == [
        False, True, False,
    ]  # fmt: skip
    assert "Failed since the last success of the robot: Pick[cup_99]\n" in second
    assert "Failed since the last success of the robot: none\n" in third


def test_an_empty_list_ends_it(loop: Any) -> None:
    model = Says(planner=[plan("find cup"), plan()], actor=[act(f"Navigate[{rooms()[0]}]")],
                 verifier=[completed("Find CUP."), completed()])  # fmt: skip
    player, _ = play(loop, "llamar", model)
    assert player.finished
    assert player.policy.team.board == Board((), ("find cup",))
    assert model.roles == ["planner", "actor", "verifier", "planner"]


def test_done_with_open_subtasks_is_asked_for_once_more(loop: Any) -> None:
    for text, times in (("llamar", 2), ("llamar:confirms_done=false", 1)):
        model = Says(planner=[plan("find cup")], actor=[act("Done[]")], verifier=[completed()])
        player, _ = play(loop, text, model)
        assert player.finished
        assert model.roles.count("actor") == times
    assert model.asked("actor")


def test_a_call_that_fails_leaves_everything_as_it_was(loop: Any) -> None:
    model = Says(
        planner=[plan("find cup")],
        actor=[act(f"Navigate[{rooms()[0]}]"), UnavailableError("gone"), act("Done[]")],
        verifier=[completed("find cup")],
    )
    player, _ = play(loop, "llamar:confirms_done=false,prefetch=false", model)
    assert model.roles[2:] == ["verifier", "planner", "actor"] * 2
    one, other = model.asked("verifier")
    assert one == other
    assert "gone" in next(c.error for c in player.take_calls() if c.error)


def test_an_answer_that_is_no_call_is_asked_for_again(loop: Any) -> None:
    model = Says(planner=["no idea", plan("find cup")], actor=[act("Juggle[x]"), act("Done[]")])
    player, _ = play(loop, "llamar:confirms_done=false", model)
    assert model.roles == ["planner", "planner", "actor", "actor"]
    assert [c.parsed for c in player.take_calls()] == [
        "expected a JSON object, got 'no idea'", "find cup",
        'Tool "Juggle" not found', "robot_0: Done[]",
    ]  # fmt: skip


def test_in_the_paper_it_is_a_failed_action(loop: Any) -> None:
    model = Says(planner=["no idea"], actor=[act("Juggle[x]"), "what?", act("Done[]")],
                 corrector=[{}], verifier=[completed()])  # fmt: skip
    player, _ = play(loop, "llamar:paper", model)
    responses = [skill.response for skill in player.take_skills()]
    assert responses[0] == 'Unexpected failure! - Tool "Juggle" not found'
    assert "SyntaxError" in responses[1]


def test_the_papers_own_keys_are_read(loop: Any) -> None:
    room = rooms()[0]
    answer = {"failure reason": "None", "memory": "a note", "reason": "so", "subtask": "find cup",
              "Robot's action": f"Navigate[{room}]"}  # fmt: skip
    model = Says(
        planner=[plan("find cup")], actor=[answer, act("Done[]")],
        verifier=[{"reason": "so", "completed subtasks": ["find cup", "fly"]}],
    )  # fmt: skip
    player, _ = play(loop, "llamar:confirms_done=false,reopens=false", model)
    assert [skill.call for skill in player.take_skills()] == [f"Navigate[{room}]"]
    assert player.policy.team.board.completed == ("find cup",)
    parsed = [call.parsed for call in player.take_calls() if call.purpose == "verifier"]
    assert parsed == ["find cup | fly (not open: fly)"]


def test_a_call_that_keeps_failing_is_not_made_again(loop: Any) -> None:
    table = next(n for n in core_of(task(2)).names.graph.values() if n.startswith("table_"))
    model = Says(planner=[plan("open it")], actor=[act(f"Open[{table}]")], corrector=[{}])
    player, _ = play(loop, "llamar:most_decisions=5,blocks_repeats=2", model)
    assert len(player.take_skills()) == 2
    assert "has failed 2 times and was not tried again" in model.asked("actor")[-1]


def test_what_is_said_is_told_and_ends_its_waiting(loop: Any) -> None:
    model = Says(planner=[plan("find cup")], actor=[act("Wait[]"), act("Done[]")],
                 verifier=[completed()])  # fmt: skip
    human = ScriptedPlayer(HUMAN, [Rest(60), Speak('stop. Memory: "x"'), Rest(900), Done()])
    player, _ = play(loop, "llamar:confirms_done=false", model, human)
    first, second = (c.asked_tick for c in player.take_calls() if c.purpose == "planner")
    assert second - first < 120
    assert 'Partner: "stop. Memory: \\"x\\""\n' in model.asked("planner")[1]


def test_modules_can_have_models_of_their_own(loop: Any) -> None:
    model = Says(planner=[plan("find cup")], actor=[act("Done[]")])
    play(loop, "llamar:generation.model=big,models.actor=small,confirms_done=false", model)
    assert [(r.purpose, r.model) for r in model.requests] == [
        ("planner", "big"),
        ("actor", "small"),
    ]


# Both bodies


def test_both_act_at_once_and_the_first_to_end_waits(loop: Any) -> None:
    near, far = rooms()[0], rooms()[3]
    both = {"robot action": f"Navigate[{near}]", "person action": f"Explore[{far}]"}
    model = Says(planner=[plan("find cup")], corrector=[{}], verifier=[completed()], actor=[
        both, {"robot action": "Done[]", "person action": "Done[]"},
    ])  # fmt: skip
    robot, human = both_of(loop, model, "llamar:paper-centralised,exploration=chosen")
    core = core_of(task(2))
    run(core, [robot, human], 20_000)
    ends = {p.seat: p.take_skills()[0].ended for p in (robot, human)}
    assert ends[ROBOT] != ends[HUMAN]
    asked = [
        c.asked_tick for p in (robot, human) for c in p.take_calls() if c.purpose == "verifier"
    ]
    assert len(asked) == 1
    assert asked[0] >= max(ends.values())
    assert robot.finished
    assert human.finished


def test_only_one_of_both_explores(loop: Any) -> None:
    both = {"robot action": "Explore[]", "person action": "Explore[]"}
    model = Says(planner=[plan("find cup")], corrector=[{}], verifier=[completed()], actor=[
        both, {"robot action": "Done[]", "person action": "Done[]"},
    ])  # fmt: skip
    players = both_of(loop, model, "llamar:paper-centralised")
    run(core_of(task(2)), players, 20_000)
    # Three walks are one decision.
    assert [len(p.take_skills()) for p in players] == [3, 0]
    told = model.asked("actor")[1]
    assert f"The robot tried Explore[]. Result: {SUCCESS} Looked towards " in told
    assert "The robot explores already" in told


def test_where_similarities_cannot_be_had_the_exploration_goes_on_later(loop: Any) -> None:
    asked: list[Sequence[str]] = []

    async def score(subtasks: Sequence[str], texts: Sequence[str]) -> list[float]:
        asked.append(subtasks)
        if len(asked) == 2:
            raise UnavailableError("gone")
        return [0.0] * len(texts)

    model = Says(planner=[plan("find cup")], actor=[act("Explore[]"), act("Done[]")],
                 verifier=[completed()])  # fmt: skip
    settings = configured("llamar:exploration=headings,confirms_done=false").setup.settings
    policy = Team(settings, score).seat(ROBOT, model)
    player = PolicyPlayer(ROBOT, policy, ChargedInTicks(loop, 0.1))
    run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Done()])], 20_000)
    assert asked == [("find cup",)] * 4
    assert len(player.take_skills()) == 3
    assert policy.team.decisions == 1


# The board


def test_the_verifier_can_only_complete_what_is_open() -> None:
    board = Board(("wash cup_1", "find bowl"), ("find cup",))
    after, rejected = board.verified(["Wash cup_1!", "find cup", "fly"])
    assert after == Board(("find bowl",), ("find cup", "wash cup_1"))
    assert rejected == ["fly"]
    assert board.verified([])[0] == board


@pytest.mark.parametrize("reopens", [True, False])
def test_what_was_completed_is_opened_again_only_where_that_may_be(reopens: bool) -> None:
    board = Board(("find bowl",), ("find cup",), "a note")
    after = board.planned(["Find cup", "find cup.", "", "fill it"], reopens=reopens)
    if reopens:
        assert after == Board(("Find cup", "fill it"), (), "a note")
    else:
        assert after == Board(("fill it",), ("find cup",), "a note")


def test_failures_are_counted_until_the_next_success() -> None:
    lengths = []
    fared = Fared()
    for succeeded in (False, False, True):
        fared = fared.trying("Pick[cup_0]", "").after("so", succeeded=succeeded)
        lengths.append((len(fared.failures), fared.failed_in_a_row("Pick[cup_0]")))
    assert lengths == [(1, 1), (2, 2), (0, 0)]


# Names


@pytest.mark.parametrize("name", ["paper", "paper-centralised"])
def test_what_is_named_after_the_paper_has_nothing_of_ours(name: str) -> None:
    setup = configured(f"llamar:{name}").setup
    settings, seating = setup.settings, setup.seating
    assert (settings.most_decisions, settings.rounds, settings.exploration) == (30, 3, "headings")
    assert (settings.corrector, settings.modules, settings.calls) == (
        "separate", "separate", "always",
    )  # fmt: skip
    assert settings.bad_answer == "result"
    assert settings.blocks_repeats is None
    assert not any((settings.generation.retries, settings.hears, settings.confirms_done,
                    settings.reopens, seating.revalidate, seating.prefetch))  # fmt: skip
    assert seating.think_s == 0.0
    assert "Rearrange" not in seating.tools


def test_repetitions_ask_with_seeds_of_their_own(loop: Any) -> None:
    seeds = []
    for seed in (0, 3):
        model = Says(planner=[plan()], actor=[act("Done[]")])
        player = cast_player("llamar", ROBOT, ChargedInTicks(loop, 0.0), model, seed=seed)
        run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Done()])], 30)
        seeds.append(model.requests[0].seed)
    assert seeds == [0, 3]
