"""Prompts of LLaMAR's modules word for word, as in `test_golden_prompts`."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from server.robots.models.call_record import prompt_text
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import POLICIES, configured, make_player
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.policies.test_golden_prompts import asked, check, view

PLAN = json.dumps({"reason": "It is to be found.", "plan": ["find cup_0"]})
THEN = json.dumps({"reason": "It is to be moved.", "plan": ["put cup_0 next to bowl_1"]})
ACT = json.dumps(
    {
        "failure": "none",
        "memory": "bowl_1 lies on table_3.",
        "reason": "The bedroom first.",
        "robot subtask": "find cup_0",
        "robot action": "Pick[bowl_1]",
    }
)
VERIFY = json.dumps({"reason": "It has been seen.", "completed": ["find cup_0"]})
CORRECT = json.dumps({"robot cause": "none", "robot correction": "none"})
BOTH = json.dumps({"robot action": "Wait[]", "person action": "Wait[]"})
ALL = json.dumps({"review": "ok", "completed": [], **json.loads(PLAN), **json.loads(ACT)})

GOLDEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "llamar_robot": ("llamar", (PLAN, ACT, VERIFY, THEN, ACT)),
    "llamar_paper": ("llamar:paper", (PLAN, ACT, CORRECT, VERIFY, THEN, ACT)),
    "llamar_one": ("llamar:modules=one", (ALL, ALL)),
    "llamar_actor": ("llamar:planner=false,memory=false,corrector=off", (ACT, ACT)),
    "llamar_suggests": ("llamar:suggests", (PLAN, ACT, VERIFY, THEN, ACT)),
    "llamar_paper_actor": ("llamar:paper-actor", (ACT, ACT)),
    "llamar_corrected": ("llamar", ("I cannot say", PLAN, ACT, VERIFY, THEN, ACT)),
}  # fmt: skip


ALIKE = {
    # Both bodies in one: `llamar_both`, and the Actor's part of it.
    "llamar:paper-centralised",
    "llamar:paper-actor-centralised",
    # An oracle is asked in the Verifier's place; the other modules are told the same.
    *(f"llamar-oracle:{name}" for name in ("default", "paper", "paper-centralised")),
}


def test_every_configuration_has_its_prompts() -> None:
    kept = {configured(text) for text, _ in GOLDEN.values()}
    names = {f"{p}:{n}" for p in ("llamar", "llamar-oracle") for n in POLICIES[p].presets}
    assert names == {f"{n.policy}:{n.configuration}" for n in kept} | ALIKE


@pytest.mark.parametrize("name", GOLDEN)
def test_prompts_are_what_they_were(name: str) -> None:
    text, answers = GOLDEN[name]
    prompts = asked(text, "robot_0", answers)
    assert len(prompts) == len(answers)
    check(f"{name}.txt", "\n\n======\n\n".join(prompts) + "\n")


def test_prompts_for_both_are_what_they_were() -> None:
    loop = asyncio.new_event_loop()
    model = PreparedAnswers(PLAN, BOTH, VERIFY, THEN, BOTH)
    company: dict[str, Any] = {}
    robot, human = (
        make_player(
            "llamar:paper-centralised,calls=when needed",
            s,
            PlayerOptions(ChargedThinker(loop), model, company=company),
        )
        for s in ("robot_0", "human_0")
    )
    try:
        for first in (True, False):
            for player in (robot, human):
                shown = view(player.seat, first=first)
                loop.run_until_complete(player.policy.decide(shown))  # type: ignore[attr-defined]
            loop.run_until_complete(robot.policy.decide(view("robot_0", first=first)))  # type: ignore[attr-defined]
    finally:
        loop.close()
    prompts = [prompt_text(request) for request in model.requests]
    check("llamar_both.txt", "\n\n======\n\n".join(prompts) + "\n")


def test_what_people_say_is_quoted_and_repeated_with_every_call() -> None:
    prompts = asked("llamar", "robot_0", (PLAN, ACT, VERIFY, THEN, ACT))
    later = prompts[2:]
    assert all('\nPartner: "The \\"small\\" cup, please"' in prompt for prompt in later)
    silent = asked("llamar:paper", "robot_0", (PLAN, ACT, CORRECT, VERIFY, THEN, ACT))
    assert not any("please" in prompt for prompt in silent)
