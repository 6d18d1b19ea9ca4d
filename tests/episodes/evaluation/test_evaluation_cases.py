"""The stored answers of the released evaluator, and the documented ones where they differ."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from episodes.evaluation import DOCUMENTED, RELEASED, Semantics
from episodes.evaluation.comparison_cases import answer, main, read_cases

DATA = Path(__file__).parents[2] / "data" / "partnr_cases"
FILES = ("cases", "geometry_cases", "hitl_cases")
CASES = [case for name in FILES for case in read_cases(DATA / f"{name}.jsonl.gz")]
COUNTS = {"autodeps": 10, "geometry": 37, "hitl": 19, "table": 18, "unit": 8, "world": 241}


def canonical(text: str) -> str:
    """Alternatives in alphabetical order, because the reference's order is arbitrary."""
    return re.sub(
        r'"[^"]*"(?: or "[^"]*")+', lambda m: " or ".join(sorted(m[0].split(" or "))), text
    )


def plain(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return canonical(value) if isinstance(value, str) else value


def by_content(dependencies: list[dict[str, Any]]) -> list[str]:
    return sorted(
        json.dumps({k: sorted(v) if isinstance(v, list) else v for k, v in sorted(d.items())})
        for d in dependencies
    )


def differences(case: Mapping[str, Any], wanted: Mapping[str, Any], got: dict[str, Any]) -> Any:
    if case["kind"] == "unit":
        return {} if plain(got["result"]) == plain(wanted) else {"result": got["result"]}
    if case["kind"] == "geometry":
        key = "ids" if "ids" in wanted else "result"
        return {} if got[key] == wanted[key] else {key: got[key]}
    if case["kind"] == "autodeps":
        same = by_content(got["dependencies"]) == by_content(wanted["dependencies"])
        return {
            key: got[key]
            for key, good in (
                ("dependencies", same),
                ("constraints", plain(got["constraints"]) == plain(wanted["constraints"])),
            )
            if not good
        }
    if wanted.get("error"):
        return {} if got["error"] else {"error": None}
    if got.get("error"):
        return {"error": got["error"], "message": got["message"]}
    return {
        key: (got[key], value)
        for key, value in wanted.items()
        if key != "error" and plain(got[key]) != plain(value)
    }


def test_the_files_are_whole() -> None:
    counts: dict[str, int] = {}
    for case in CASES:
        counts[case["kind"]] = counts.get(case["kind"], 0) + 1
    assert counts == COUNTS


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("semantics", [DOCUMENTED, RELEASED], ids=lambda s: s.name)
def test_every_answer_is_right(kind: str, semantics: Semantics) -> None:
    wrong = {}
    for case in CASES:
        if case["kind"] != kind:
            continue
        wanted = case["expect"]
        if semantics is DOCUMENTED:
            # How a task is unrolled differs by intent; the cases give the released form only.
            wanted = {k: v for k, v in case.get("intended", wanted).items() if k != "unrolled"}
        found = differences(case, wanted, answer(case, semantics))
        if found:
            wrong[case["id"]] = found
    assert wrong == {}


def test_hand_worked_outcomes() -> None:
    """Cases whose outcome was worked out by hand from the documents."""
    checked = 0
    for case in CASES:
        if "hand" in case:
            got = answer(case, DOCUMENTED)
            for key, value in case["hand"].items():
                if key != "reference":
                    assert plain(got[key]) == plain(value), case["id"]
                    checked += 1
    assert checked > 0


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a kind of"):
        answer({"id": "x", "kind": "nonsense"}, DOCUMENTED)


def test_the_program_answers_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(DATA / "hitl_cases.jsonl.gz"), "--semantics", "released"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == COUNTS["hitl"]
    assert all("id" in json.loads(line) for line in lines)
