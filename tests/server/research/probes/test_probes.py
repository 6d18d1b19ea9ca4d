"""The four probes: a model that knows gets full marks.

One that errs in a known way gets exactly the figures and the error classes of that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from episodes.errors import Action
from server.cli.main import app
from server.research.probes.answers import (
    Actions,
    AnswerError,
    Fact,
    Goals,
    Subgoals,
    read,
    schema,
)
from server.research.probes.interpretation import Counts, interpret
from server.research.probes.operator_search import is_sound, planned, search
from server.research.probes.operators import OPERATORS, compare, usable_of
from server.research.probes.problem import Problem, problem_of
from server.research.probes.prompts import names_told, prompt
from server.research.probes.question_runner import Answers, Probing, ask, questions
from server.research.probes.scores import FATAL, figures
from server.research.probes.subgoal_refinement import judge
from server.research.probes.symbolic_replay import replay
from server.robots.models import UnavailableError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from tests.model_double import ModelDouble, Reply
from tests.server.research.probes.knowing_model import (
    Knows,
    actions_of,
    goals_of,
    right_answers,
    subgoals_of,
)
from tests.server.sessions.first_house_sessions import core_of, simulator, task

NUMBERS = (1, 2, 3, 4, 5, 6)
PROBING = Probing(dataset="tasks/first.json.gz", tasks=tuple(str(n) for n in NUMBERS))


@cache
def problem(number: int) -> Problem:
    return problem_of(task(number), simulator())


@cache
def plan(number: int) -> tuple[Action, ...]:
    return tuple(actions_of(core_of(task(number))).as_actions())


def problems() -> dict[str, Problem]:
    return {str(n): problem(n) for n in NUMBERS}


def knows(**options: Any) -> Knows:
    known = {
        problem(n).task.instruction: right_answers(problem(n), core_of(task(n))) for n in NUMBERS
    }
    return Knows(known, **options)


async def scores(model: Knows, folder: Path) -> dict[tuple[str, str], float]:
    answers = Answers(folder / "answers.jsonl")
    got = [a async for a in ask(model, questions(PROBING, problems()), answers)]
    return {(f.probe, f.name): f.value for f in figures(got, problems())}


async def test_a_model_that_knows_gets_full_marks(tmp_path: Path) -> None:
    found = await scores(knows(), tmp_path)
    full = [
        ("goals", "F1 all"), ("goals", "F1 states"), ("goals", "F1 relations"),
        ("subgoals", "executable"), ("subgoals", "goals reached"),
        ("actions", "executable"), ("actions", "goals reached"), ("actions", "percent complete"),
        ("actions", "state goals"), ("actions", "relation goals"),
        ("operators", "F1 all"), ("operators", "planner finds a plan"),
        ("operators", "and the plan is sound"),
    ]  # fmt: skip
    assert {key: found[key] for key in full} == dict.fromkeys(full, 1.0)
    wrong = [v for (_, name), v in found.items() if name in FATAL or "unknown" in name]
    assert len(wrong) >= 15
    assert set(wrong) == {0.0}


async def test_one_that_never_opens_cabinets_misses_steps(tmp_path: Path) -> None:
    def opens(what: str, arguments: Sequence[str]) -> bool:
        return what in ("Open", "is_open") and arguments[0].startswith("cabinet")

    def forgets(probe: str, text: str) -> str:
        said = json.loads(text)
        if probe == "actions":
            said["actions"] = [c for c in said["actions"] if not opens(c["action"], c["arguments"])]
        if probe == "subgoals":
            said["subgoals"] = [
                s for s in said["subgoals"] if not opens(s[0]["predicate"], [s[0]["thing"]])
            ]
        return json.dumps(said)

    closed = sum(any(opens(a.name, a.args) for a in plan(n)) for n in NUMBERS) / len(NUMBERS)
    assert 0 < closed < 1
    found = await scores(knows(errs=forgets), tmp_path)
    for probe in ("subgoals", "actions"):
        assert found[probe, "MISSING_STEP"] == pytest.approx(closed)
        assert found[probe, "executable"] == pytest.approx(1 - closed)
        # A plan is carried out, or has one fatal class.
        shares = [found[probe, name] for name in ("executable", *FATAL)]
        assert sum(shares) == pytest.approx(1.0)


async def test_what_cannot_be_read_misses_everything(tmp_path: Path) -> None:
    found = await scores(knows(errs=lambda _probe, text: text[:-3]), tmp_path)
    assert found["goals", "not readable"] == found["operators", "not readable"] == 1.0
    assert found["goals", "F1 all"] == found["goals", "recall all"] == 0.0
    assert found["actions", "PARSING"] == found["subgoals", "PARSING"] == 1.0
    assert found["operators", "planner finds a plan"] == 0.0


# Goals


def test_goals_are_counted_one_by_one() -> None:
    right = goals_of(problem(5)).goals
    assert interpret(problem(5), right).overall == Counts(3, 0, 0)
    vase = right[0].thing
    # One missed, one that is only so on the way, an unknown thing, an unknown predicate.
    said = (*right[1:], Fact("is_clean", vase), Fact("is_clean", "unicorn_1"), Fact("is_new", vase))
    found = interpret(problem(5), said)
    assert found.overall == Counts(2, 1, 1)
    assert (found.unknown_things, found.unknown_predicates, found.predicted) == (1, 1, 5)
    assert found.overall.f1 == pytest.approx(2 / 3)
    assert (found.states, found.relations) == (Counts(1, 1, 1), Counts(1, 0, 0))
    # Said twice is said once.
    assert interpret(problem(5), (*right, right[0])).overall == Counts(3, 0, 0)


def test_whichever_choice_is_made_is_right() -> None:
    one = problem(1)
    (proposition,) = [p for p in one.evaluation.propositions if p.function_name == "is_on_top"]
    things = [one.name_of[h] for h in proposition.args["object_handles"]]
    tables = [one.name_of[h] for h in proposition.args["receptacle_handles"]]
    for table in tables:
        assert interpret(one, [Fact("is_on_top", t, table) for t in things]).overall.f1 == 1.0
    # The same thing twice is not two things.
    said = [Fact("is_on_top", things[0], table) for table in (tables[0], tables[-1])]
    assert interpret(one, said).overall.right == 1
    pair = next(f for f in goals_of(problem(2)).goals if f.predicate == "is_next_to")
    turned = Fact("is_next_to", pair.other, pair.thing)
    assert interpret(problem(2), [turned]).relations.right == 1


# Actions


@pytest.mark.parametrize(
    ("change", "error", "at"),
    [
        (lambda p: [Action("Fly", p[0].args), *p], "HALLUCINATION", 0),
        (lambda p: [*p, Action("Pick", ("unicorn_1",))], "HALLUCINATION", -1),
        (lambda p: [*p, Action("Pick", (p[1].args[0], p[0].args[0]))], "ARG_NUMBER", -1),
        (lambda p: [Action("Pick", (p[0].args[0],)), *p], "AFFORDANCE", 0),
        (lambda p: p[1:], "MISSING_STEP", 0),
        (lambda p: [p[0], Action("Close", p[0].args), *p[1:]], "WRONG_ORDER", 2),
        (lambda p: [p[0], p[0], *p[1:]], "", None),
    ],
)
def test_each_error_has_its_class(change: Any, error: str, at: int | None) -> None:
    """Task 5 begins with a cabinet that has to be open."""
    right = list(plan(5))
    assert right[0].name == "Open"
    said = change(right)
    found = replay(problem(5), said)
    assert found.error == error
    assert found.at == (len(said) - 1 if at == -1 else at)
    assert found.executable == (not error)
    if not error:
        assert (found.success, found.additional) == (True, 1)
    elif error in ("HALLUCINATION", "ARG_NUMBER"):
        # One wrong name, and nothing is done.
        assert found.percent == 0.0


def test_what_is_executable_may_miss_the_goal() -> None:
    found = replay(problem(5), [a for a in plan(5) if a.name != "PowerOn"])
    assert (found.executable, found.success) == (True, False)
    assert found.unsatisfied == ("UNSATISFIED_STATE",)
    assert found.percent == pytest.approx(2 / 3)


# Subgoals


def test_subgoals_are_looked_at_before_anything_is_done() -> None:
    right = subgoals_of(actions_of(core_of(task(5))))
    vase = goals_of(problem(5)).goals[0].thing
    for fact, error in (
        (Fact("is_shiny", vase), "HALLUCINATION"),
        (Fact("is_on_top", vase), "ARG_NUMBER"),
        (Fact("is_filled", "unicorn_1"), "HALLUCINATION"),
    ):
        assert judge(problem(5), Subgoals((*right.subgoals, (fact,)))).error == error


def test_a_subgoal_that_holds_already_is_an_additional_step() -> None:
    right = subgoals_of(actions_of(core_of(task(5))))
    found = judge(problem(5), Subgoals((right.subgoals[0], *right.subgoals)))
    assert (found.error, found.success, found.additional) == ("", True, 1)


# Operators


def test_terms_count_in_any_order_and_each_one_missing_costs() -> None:
    from msgspec.structs import replace

    turned = [replace(o, precondition=o.precondition[::-1]) for o in OPERATORS]
    assert compare(turned).overall.f1 == 1.0
    whole = compare(OPERATORS).overall.right
    less = [replace(o, precondition=()) if o.name == "open" else o for o in OPERATORS]
    assert compare(less).overall == Counts(whole - 2, 0, 2)
    assert compare(less).by_category["affordances"].missed == 1
    odd = [*OPERATORS, replace(OPERATORS[0], name="fly")]
    assert (compare(odd).overall.f1, compare(odd).unknown) == (1.0, 1)


def test_loose_operators_plan_what_cannot_be_done() -> None:
    from msgspec.structs import replace

    loose = [
        replace(o, precondition=tuple(t for t in o.precondition if t.predicate != "open"))
        for o in OPERATORS
    ]
    task_5 = planned(problem(5))
    plan_5 = search(usable_of(loose), task_5)
    assert plan_5 is not None
    assert not is_sound(plan_5, task_5, OPERATORS)
    without = [o for o in OPERATORS if o.name != "fill"]
    assert search(without, task_5) is None
    # What a planner cannot take is left out, not guessed.
    bad = replace(OPERATORS[0], effect=(replace(OPERATORS[0].effect[0], arguments=("?other",)),))
    assert usable_of([bad]) == []


# Reading and asking


@pytest.mark.parametrize(
    "text",
    [
        '{"goals": []}',
        '```json\n{"goals": []}\n```',
        'Sure! {"goals": []} I hope that helps.',
        '<think>{"goals": 3}</think>\n{"goals": []}',
    ],
)
def test_an_answer_is_found_in_what_is_around_it(text: str) -> None:
    assert read(text, Goals) == Goals(())


@pytest.mark.parametrize(
    "text", ["", "none", '{"actions": [}', '{"actions": []}', '{"goals": []}', '{"actions": [1]}']
)
def test_what_is_no_answer_is_said(text: str) -> None:
    with pytest.raises(AnswerError, match="expected"):
        read(text, Actions)


def test_a_schema_allows_what_is_right_and_nothing_unknown() -> None:
    from jsonschema import ValidationError, validate

    names = names_told(problem(5), True)
    right = json.loads(json.dumps({"actions": [
        {"action": a.name, "arguments": list(a.args)} for a in plan(5)
    ]}))  # fmt: skip
    validate(right, schema("actions", problem(5), names))
    right["actions"][0]["arguments"] = ["unicorn_1"]
    with pytest.raises(ValidationError):
        validate(right, schema("actions", problem(5), names))


def test_the_prompt_tells_what_matters_or_the_whole_home() -> None:
    some, whole = (
        prompt("actions", problem(5), relevant_only=only)[-1].content for only in (True, False)
    )
    assert len(whole) > 2 * len(some)
    for name in names_told(problem(5), True):
        assert name in whole
    # What is meant is the question of the first probe, and given in the others.
    assert "exactly" not in prompt("goals", problem(5))[-1].content


async def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    fails = {"left": 3}

    def errs(_probe: str, text: str) -> str | UnavailableError:
        fails["left"] -= 1
        return UnavailableError("gone") if fails["left"] >= 0 else text

    model, path = knows(errs=errs), tmp_path / "answers.jsonl"
    asked = questions(PROBING, problems())
    first = [a async for a in ask(model, asked, Answers(path))]
    assert sum(bool(a.error) for a in first) == 3
    # The plug was pulled while a line was being written.
    path.write_bytes(path.read_bytes()[:-20])
    again = [a async for a in ask(model, asked, Answers(path))]
    assert len(again) == 4
    assert not any(a.error for a in again)
    assert [a async for a in ask(model, asked, Answers(path))] == []


async def test_waiting_for_a_turn_is_not_being_late(tmp_path: Path) -> None:
    """More questions than the server answers within one deadline."""
    with ModelDouble(Reply("{}", delay_s=0.6)) as double:
        async with ModelClient(ModelServer(double.url, deadline_s=4.0, concurrency=2)) as model:
            await model.models()
            answers = Answers(tmp_path / "answers.jsonl")
            asked = questions(PROBING, problems())[:16]
            got = [a async for a in ask(model, asked, answers, model.server.concurrency)]
    assert [answer.error for answer in got] == [""] * 16
    assert double.most_running == 2


def test_the_command_goes_on_and_refuses_another(houses_dir: Path, tmp_path: Path) -> None:
    said = json.dumps({"goals": []})
    with ModelDouble(lambda asked: Reply(said)) as double:

        def run(*options: str, url: str = double.url) -> Any:
            env = {"COHABIT_DATA_DIR": str(houses_dir), "COHABIT_MODEL_URL": url, "COLUMNS": "120"}
            command = ["robots", "probe", str(tmp_path / "p"), "--count", "2", *options]
            return CliRunner().invoke(app, command, env=env)

        first = run("--only", "goals")
        assert first.exit_code == 0, first.output
        assert "recall all" in first.output
        assert len(double.asked) == 2
        assert run("--only", "goals", url="").exit_code == 0
        assert len(double.asked) == 2
        lines = json.loads(run("--only", "goals", "--output", "json").stdout)
        (recall,) = (line for line in lines if line["name"] == "recall all")
        assert (recall["probe"], recall["value"], recall["tasks"]) == ("goals", 0.0, 2)
        other = run("--only", "goals", "--constrained")
        assert other.exit_code == 1
        assert "another probing" in other.output
        assert "no probe dancing" in run("--only", "dancing").output
