"""Cases for the evaluator, answered for comparison with PARTNR's own answers.

    python -m episodes.evaluation.comparison_cases FILE.jsonl.gz --semantics released > ANSWERS

One JSON object per line in, one per line out. The cases test the evaluator and its layers as they
are: ``world`` cases run the online `Evaluator`, told only what differs between snapshots.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from episodes.dataset.model import Constraint, Dependency, Proposition
from episodes.evaluation import partnr_explanation
from episodes.evaluation.automatic_dependencies import attach_automatic
from episodes.evaluation.constraints import Outcomes, Temporal, Tie, build_constraint
from episodes.evaluation.dependencies import open_after
from episodes.evaluation.evaluator import Evaluator
from episodes.evaluation.facts import FactTable
from episodes.evaluation.geometry import (
    entities_around,
    entities_below,
    gap,
    is_in_region,
    is_on_floor,
    keypoints,
)
from episodes.evaluation.hitl_metrics import study_metrics
from episodes.evaluation.percent_complete import is_success, percent_complete
from episodes.evaluation.predicates import holds
from episodes.evaluation.semantics import Semantics, semantics_named
from episodes.evaluation.state_tracker import Tracker
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.unrolling import Unrolled, unroll
from episodes.poses import Box, Pose, Vec3, multiply, to_world

Case = Mapping[str, Any]
Answer = dict[str, Any]


def answer(case: Case, semantics: Semantics) -> Answer:
    """Answer one case of any kind. Raises ValueError for an unknown kind."""
    kinds: dict[str, Callable[[Case, Semantics], Answer]] = {
        "world": _world,
        "table": _table,
        "autodeps": _autodeps,
        "unit": _unit,
        "geometry": _geometry,
        "hitl": _hitl,
    }
    kind = kinds.get(case["kind"])
    if kind is None:
        raise ValueError(f"expected a kind of {', '.join(kinds)}, got {case['kind']!r}")
    return {"id": case["id"], **kind(case, semantics)}


def evaluation_task(case: Case) -> EvaluationTask:
    """Return the task of a ``world`` or ``table`` case."""
    evaluation = case["evaluation"]
    return EvaluationTask(
        msgspec.convert(evaluation["propositions"], tuple[Proposition, ...]),
        msgspec.convert(evaluation["dependencies"], tuple[Dependency, ...]),
        msgspec.convert(evaluation["constraints"], tuple[Constraint, ...]),
        case["entities"]["categories"],
    )


def snapshot_facts(step: Case, entities: Case) -> FactTable:
    """Return one snapshot of a ``world`` case as facts."""
    return FactTable(
        above=step["on"],
        within=step["in"],
        room=step["room"],
        floor=step["floor"],
        near={(a, b): distance for a, b, distance in step["near"]},
        states=step["states"],
        absent=entities.get("absent", ()),
        rooms=entities["rooms"],
    )


def differences(before: Case, after: Case) -> set[str]:
    """Return the things whose facts differ between two snapshots."""
    changed: set[str] = set()
    for relation in ("on", "in", "room"):
        old, new = before[relation], after[relation]
        changed |= {h for h in {*old, *new} if set(old.get(h, ())) != set(new.get(h, ()))}
    changed |= {*before["floor"]} ^ {*after["floor"]}
    old_near = {frozenset((a, b)): d for a, b, d in before["near"]}
    new_near = {frozenset((a, b)): d for a, b, d in after["near"]}
    for pair in {*old_near, *new_near}:
        if old_near.get(pair, math.inf) != new_near.get(pair, math.inf):
            changed |= pair
    for state in {*before["states"], *after["states"]}:
        old, new = before["states"].get(state, {}), after["states"].get(state, {})
        changed |= {h for h in {*old, *new} if old.get(h) != new.get(h)}
    return changed


def _world(case: Case, semantics: Semantics) -> Answer:
    evaluated, rows, progress = [], [], []
    try:
        evaluator = Evaluator(evaluation_task(case), semantics=semantics)
        previous: Case | None = None
        for tick, step in enumerate(case["steps"]):
            changed = () if previous is None else differences(previous, step)
            previous = step
            facts = snapshot_facts(step, case["entities"])
            evaluator.observe(tick, facts, dict.fromkeys(changed))
            evaluated.append(list(evaluator.open_now))
            rows.append([int(holds) for holds in evaluator.row])
            verdict = evaluator.verdict()
            progress.append([verdict.percent_complete, float(verdict.success or 0)])
    except Exception as error:
        # Where the reference raised is part of the case; that ours raises there, too, is compared.
        return {"error": type(error).__name__, "message": str(error)}
    return {
        "error": None,
        "evaluated": evaluated,
        "sat": rows,
        "proposition_satisfied_at": list(evaluator.satisfied_at),
        "satisfied_with": _without_clusters(evaluator.satisfied_with),
        "constraint_satisfaction": [list(c.valid) for c in verdict.constraints],
        "percent_complete": verdict.percent_complete,
        "success": float(verdict.success or 0),
        "progress": progress,
        "explanation": verdict.explanation,
        "category": verdict.explanation_structure.category,
        "explanation_struct": msgspec.to_builtins(verdict.explanation_structure),
        "unrolled": _unrolled(evaluator.unrolled),
    }


def _without_clusters(recorded: Sequence[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    return [None if item is None or "*args" in item else item for item in recorded]


def _unrolled(unrolled: Unrolled) -> Answer:
    constraints: list[Answer] = []
    for rule in unrolled.constraints:
        row: Answer = {"type": rule.type}
        match rule:
            case Temporal():
                row["edges"] = sorted(map(list, rule.edges))
                row["ancestors"] = {
                    str(i): sorted(before) for i, before in sorted(rule.prerequisites.items())
                }
            case Tie():
                row["proposition_indices"] = rule.members
                row["arg_names"] = {str(i): name for i, name in rule.names.items()}
            case _:
                row["proposition_indices"] = rule.members
        constraints.append(row)
    return {
        "propositions": [p.number for p in unrolled.propositions],
        "dependencies": [
            {"proposition_indices": d.proposition_indices, "depends_on": d.depends_on}
            for d in unrolled.dependencies
        ],
        "constraints": constraints,
    }


def _table(case: Case, semantics: Semantics) -> Answer:
    task = evaluation_task(case)
    evaluated, rows, progress = [], [], []
    try:
        unrolled = unroll(task.propositions, task.dependencies, task.constraints, semantics)
        tracker = Tracker(unrolled, semantics)
        at = tracker.progress.satisfied_at
        for tick, step in enumerate(case["steps"]):
            tracker.turn()
            for index, cell in enumerate(step):
                found = cell["info"] if cell["sat"] and tracker.is_open[index] else None
                if tracker.differs(index, found is not None):
                    tracker.record(tick, index, found, None)
            tracker.settle()
            evaluated.append([i for i, is_open in enumerate(tracker.is_open) if is_open])
            rows.append([int(value) for value in tracker.progress.last])
            percent = percent_complete(at, tracker.matrix())
            progress.append([percent, float(is_success(percent))])
        matrix = tracker.matrix()
        structured = partnr_explanation.structure(tracker.constraints, at, matrix)
        propositions = [p.proposition for p in unrolled.propositions]
        words = partnr_explanation.text(structured, propositions, _class_of(case["entities"]))
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {
        "error": None,
        "evaluated": evaluated,
        "sat": rows,
        "proposition_satisfied_at": at,
        "satisfied_with": _without_clusters(tracker.progress.satisfied_with),
        "constraint_satisfaction": matrix,
        "percent_complete": progress[-1][0],
        "success": progress[-1][1],
        "progress": progress,
        "explanation": words,
        "category": structured.category,
        "explanation_struct": msgspec.to_builtins(structured),
        "unrolled": _unrolled(unrolled),
    }


def _class_of(entities: Case) -> Callable[[str], str]:
    categories: Mapping[str, str] = entities["categories"]
    return categories.__getitem__


def _autodeps(case: Case, semantics: Semantics) -> Answer:
    evaluation = case["evaluation"]
    dependencies, constraints = attach_automatic(
        msgspec.convert(evaluation["propositions"], list[Proposition]),
        msgspec.convert(evaluation["dependencies"], list[Dependency]),
        msgspec.convert(evaluation["constraints"], list[Constraint]),
    )
    return {
        "dependencies": msgspec.to_builtins(dependencies),
        "constraints": msgspec.to_builtins(constraints),
    }


def _unit(case: Case, semantics: Semantics) -> Answer:
    functions: dict[str, Callable[[Case, Semantics], Answer]] = {
        "predicate": _unit_predicate,
        "propositions_to_evaluate": _unit_open,
        "constraint": _unit_constraint,
        "apply_constraints": _unit_constraints,
        "percent_complete": _unit_percent,
        "unroll": _unit_unroll,
        "explanation": _unit_explanation,
    }
    return {"result": functions[case["function"]](case["input"], semantics)}


def _unit_predicate(given: Case, semantics: Semantics) -> Answer:
    proposition = Proposition(given["function_name"], given["args"])
    facts = snapshot_facts(given["facts"], given["entities"])
    return {"sat": int(holds(proposition, facts, semantics) is not None)}


def _unit_open(given: Case, semantics: Semantics) -> Answer:
    dependencies = msgspec.convert(given["dependencies"], list[Dependency])
    rows = [_values(row) for row in given["history"] or ()]
    return {"evaluate": open_after(given["n_propositions"], dependencies, rows)}


def _values(row: Sequence[Any]) -> list[bool]:
    return [bool(cell["sat"] if isinstance(cell, Mapping) else cell) for cell in row]


def _outcomes(given: Case) -> Outcomes:
    at: list[int] = given["proposition_satisfied_at"]
    history = given.get("history") or []
    recorded: list[dict[str, Any] | None] = [
        history[when][index].get("info")
        if 0 <= when < len(history) and isinstance(history[when][index], Mapping)
        else None
        for index, when in enumerate(at)
    ]
    last = _values(history[-1]) if history else [when != -1 for when in at]
    return Outcomes(at, recorded, last)


def _judge(constraint: Any, given: Case, semantics: Semantics) -> list[bool]:
    outcomes = _outcomes(given)
    rule = build_constraint(msgspec.convert(constraint, Constraint), len(outcomes.satisfied_at))
    return rule.valid(outcomes, semantics)


def _unit_constraint(given: Case, semantics: Semantics) -> Answer:
    return {"valid": _judge(given["constraint"], given, semantics)}


def _unit_constraints(given: Case, semantics: Semantics) -> Answer:
    matrix = [_judge(constraint, given, semantics) for constraint in given["constraints"]]
    return {"constraint_satisfaction": matrix}


def _unit_percent(given: Case, semantics: Semantics) -> Answer:
    percent = percent_complete(given["proposition_satisfied_at"], given["constraint_satisfaction"])
    return {"percent_complete": percent, "success": float(is_success(percent))}


def _unit_unroll(given: Case, semantics: Semantics) -> Answer:
    return _unrolled(
        unroll(
            msgspec.convert(given["propositions"], list[Proposition]),
            msgspec.convert(given.get("dependencies", []), list[Dependency]),
            msgspec.convert(given.get("constraints", []), list[Constraint]),
            semantics,
        )
    )


def _unit_explanation(given: Case, semantics: Semantics) -> Answer:
    propositions = msgspec.convert(given["propositions"], list[Proposition])
    constraints = msgspec.convert(given["constraints"], list[Constraint])
    structured = partnr_explanation.structure(
        [build_constraint(constraint, len(propositions)) for constraint in constraints],
        given["proposition_satisfied_at"],
        given["constraint_satisfaction"],
    )
    words = partnr_explanation.text(structured, propositions, given["categories"].__getitem__)
    lines = words.split("\n")
    heading = lines[1] if structured.category == "constraints_broken" else lines[0]
    return {"contains": heading.rstrip(":"), "text": words}


def _geometry(case: Case, semantics: Semantics) -> Answer:
    given = case["input"]
    match case["predicate"]:
        case "next_to":
            found = gap(*_placed(given["a"]), *_placed(given["b"]))
            return {"result": found <= given["l2_threshold"]}
        case "in_room":
            region = _box(given["region_box"])

            def contains(point: Vec3) -> bool:
                return all(
                    low <= at <= high
                    for low, at, high in zip(region.low, point, region.high, strict=True)
                )

            return {"result": is_in_region(keypoints(*_placed(given["object"])), contains)}
        case "on_floor":
            box, pose = _placed(given["object"])
            mesh = given["navmesh"]
            x, _, z = to_world(pose, box.center)
            nearest = (_clamp(x, mesh["x"]), float(mesh["y"]), _clamp(z, mesh["z"]))
            return {"result": is_on_floor(box, pose, nearest, given["cell_height"])}
        case "above":
            return {"ids": sorted(entities_below(given["self_id"], given["down_hits"].values()))}
        case "within":
            hits: dict[str, dict[str, list[int]]] = {}
            for name, ids in given["hits"].items():
                keypoint, direction = name.split(" ")
                hits.setdefault(keypoint, {})[direction] = ids
            return {"ids": sorted(entities_around(given["self_id"], hits))}
        case other:
            raise ValueError(f"expected a geometric predicate, got {other!r}")


def _clamp(value: float, limits: Sequence[float]) -> float:
    return min(max(value, limits[0]), limits[1])


def _box(raw: Case) -> Box:
    return Box(tuple(raw["min"]), tuple(raw["max"]))


def _placed(raw: Case) -> tuple[Box, Pose]:
    pose = raw["pose"]
    yaw, roll = pose["yaw"] / 2, pose["roll"] / 2
    rotation = multiply(
        (0.0, math.sin(yaw), 0.0, math.cos(yaw)), (math.sin(roll), 0.0, 0.0, math.cos(roll))
    )
    return _box(raw["box"]), Pose(tuple(pose["position"]), rotation)


def _hitl(case: Case, semantics: Semantics) -> Answer:
    result: Answer = msgspec.to_builtins(study_metrics(case["frames"]))
    return result


def read_cases(path: Path) -> Iterator[Case]:
    """Read the cases of a file of JSON lines, compressed if its name ends in ``.gz``."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            if line.strip():
                yield json.loads(line)


def main(arguments: Sequence[str] | None = None) -> None:
    """Answer every case of the given files on standard output."""
    parser = argparse.ArgumentParser(prog="python -m episodes.evaluation.comparison_cases")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--semantics", choices=("documented", "released"), default="documented")
    options = parser.parse_args(arguments)
    semantics = semantics_named(options.semantics)
    for file in options.files:
        for case in read_cases(file):
            sys.stdout.write(json.dumps(answer(case, semantics)) + "\n")


if __name__ == "__main__":
    main()
