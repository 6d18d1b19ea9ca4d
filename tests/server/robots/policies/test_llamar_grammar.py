"""Grammars of LLaMAR's modules: every sentence is read, and says only what may be said."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from server.robots.grammar import Grammar
from server.robots.grammar.calls import DONE
from server.robots.grammar.json_objects import Member, answer_of, called, free, one_of, some
from server.robots.grammar.rules import Text
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.policies.llamar.answers import STOP, read
from server.robots.policies.llamar.board import Board, Order, TrackRecord
from server.robots.policies.llamar.modules import Modules
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.llamar.situation import Situation
from tests.server.robots.calls import as_call
from tests.server.robots.grammar.grammar_sentences import accepts, sentence
from tests.server.robots.policies.test_golden_prompts import view

seeds = st.integers(0, 2**32)
OPEN = ("put cup_0 on table_3", "wash bowl_1")


class SentenceModel:
    """Model double that answers with a sentence of the grammar that each call comes with."""

    def __init__(self, monkey: random.Random, grammars: dict[str, Grammar]) -> None:
        self.rng, self.grammars = monkey, grammars
        self.said: list[tuple[str, str]] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        text = sentence(self.grammars[request.purpose], self.rng)
        assert request.stop == (STOP,)
        self.said.append((request.purpose, text))
        return ModelAnswer(text=text.removesuffix(STOP), finish_reason="stop", model="draws")


class GrammarModules(Modules):
    """Modules that keep the grammars as values; requests have only their text."""

    grammars: dict[str, Grammar]

    async def _ask(self, role: Any, now: Any, query: Any) -> Any:
        self.grammars[role] = query.grammar
        # The example that a module is shown has the keys of the grammar, in its order.
        shown = json.loads(query.example)
        assert list(shown) == list(query.keys)
        drawn = json.loads(sentence(query.grammar, random.Random(0)))
        assert list(drawn) == list(query.keys)
        return await super()._ask(role, now, query)


def situation(*seats: str, failed: bool = True) -> Situation:
    views = tuple(view(seat, first=False) for seat in seats)
    picks = as_call("Pick[cup_0]")
    record = {
        seat: TrackRecord(tried=picks, result="no", succeeded=not failed, failures=(picks,))
        for seat in seats
    }
    return Situation(views, Board(OPEN, ("find cup_0",), "cup_0 at bed_4."), record)


def asked(now: Situation, seed: int, **options: Any) -> tuple[list[tuple[str, str]], list[Any]]:
    settings = LlamarSettings(**options)
    draws = SentenceModel(random.Random(seed), {})
    modules = GrammarModules(draws, settings)
    modules.grammars = draws.grammars

    async def all_of_them() -> list[Any]:
        return [
            await modules.plan(now), await modules.act(now), await modules.correct(now),
            await modules.verify(now), await modules.all_at_once(now),
        ]  # fmt: skip

    found = asyncio.run(all_of_them())
    # A sentence is used as it is: nothing was asked again.
    assert len(draws.said) == 5
    return draws.said, found


@given(seeds, st.sampled_from(["rooms", "chosen", "off"]), st.booleans())
def test_every_sentence_is_read_and_used(seed: int, exploration: Any, both: bool) -> None:
    seats = ("robot_0", "human_0") if both else ("robot_0",)
    now = situation(*seats)
    _, (plan, chosen, corrections, completed, turn) = asked(now, seed, exploration=exploration)
    assert all(1 <= len(subtask) <= 80 for subtask in plan)
    assert set(completed) <= set(OPEN)
    assert set(turn.completed) <= set(OPEN)
    assert set(corrections) <= set(seats)
    for decided in (chosen, turn.chosen):
        assert set(decided.actions) == set(seats)
        assert all(map(str, decided.actions.values()))
        if exploration != "rooms":
            assert Order.EXPLORE not in decided.actions.values()
    assert set(chosen.subtasks.values()) <= {*OPEN, ""}


@given(seeds)
def test_nobody_is_corrected_who_did_not_fail(seed: int) -> None:
    said, (_, _, corrections, _, _) = asked(situation("robot_0", failed=False), seed)
    assert corrections == {}
    assert json.loads(dict(said)["corrector"]) == {
        "robot cause": "none", "robot correction": "none",
    }  # fmt: skip


@given(seeds)
def test_what_is_switched_off_is_not_in_the_answer(seed: int) -> None:
    options: dict[str, Any] = {"memory": False, "corrector": "off", "planner": False}
    said, _ = asked(situation("robot_0"), seed, **options)
    assert list(json.loads(dict(said)["actor"])) == ["reason", "robot action"]


def test_a_list_has_no_more_items_than_it_may_have() -> None:
    grammar = answer_of([Member("plan", some(one_of(["a", "b"]), 2))])
    texts = ["[]", '["a"]', '["b", "a"]', '["a", "b", "a"]', '["c"]', '["a" "b"]']
    held = [accepts(grammar, f'{{"plan": {text}}}') for text in texts]
    assert held == [True, True, True, False, False, False]
    assert '"[]"' in answer_of([Member("plan", some(one_of(["a"]), 0))]).ebnf


def test_the_text_of_a_grammar() -> None:
    members = [Member("reason", free(9)), Member("action", called("call", "none"))]
    grammar = answer_of(members, {"call": Text(DONE)})
    assert grammar.ebnf == (
        'root ::= "{\\"reason\\": " "\\"" [A-Za-z0-9 .,:;!_\']{1,9} "\\"" ", \\"action\\": " '
        '("\\"" call "\\"" | "\\"none\\"") "}"\n'
        'call ::= "Done[]"\n'
    )
    answer = '{"reason": "so.", "action": "Done[]"}'
    assert accepts(grammar, answer)
    assert read(answer.removesuffix(STOP)) == {"reason": "so.", "action": "Done[]"}
