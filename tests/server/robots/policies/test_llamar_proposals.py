"""``llamar:suggests``: the robot says what its partner could do."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.worldgraph import WorldGraph
from server.robots.policies.llamar.proposals import proposal
from tests.server.robots.calls import as_call
from tests.server.robots.policies.llamar_replies import (
    Replies,
    act,
    completed,
    plan,
    play,
    rooms,
)
from tests.server.sessions.first_house_sessions import ROBOT, core_of, task

SUGGESTS = "llamar:suggests,confirms_done=false,prefetch=false"


def advises(*suggested: str) -> Replies:
    """Return a model that walks to a room with each suggestion, then is done."""
    near, far = rooms()[:2]
    acts = [
        {**act(f"Navigate[{(near, far)[n % 2]}]"), "person suggestion": call}
        for n, call in enumerate(suggested)
    ]
    return Replies(planner=[plan("find cup")], actor=[*acts, act("Done[]")], verifier=[completed()])


def said(loop: Any, text: str, model: Replies) -> list[str]:
    core = core_of(task(2))
    player, _ = play(loop, text, model, core=core)
    assert len(player.take_skills()) == model.roles.count("actor") - 1
    return [line for _, seat, line in core.chat if seat == ROBOT]


def test_it_says_what_the_partner_could_do_once(loop: Any) -> None:
    room = rooms()[0]
    again = f"Explore[{room}]"
    model = advises(again, again, "none", "Open[no_such_9]", "Wait[]", f"Navigate[{room}]")
    label = core_of(task(2)).names.labels[
        next(k for k, n in core_of(task(2)).names.graph.items() if n == room)
    ]
    lines = said(loop, SUGGESTS, model)
    assert lines == [f"Could you look around the {label}?", f"Could you go to the {label}?"]


def test_so_often_as_it_may(loop: Any) -> None:
    near, far = rooms()[:2]
    model = advises(f"Explore[{near}]", f"Explore[{far}]", f"Navigate[{near}]")
    assert len(said(loop, f"{SUGGESTS},most_suggestions=2", model)) == 2


def test_its_answer_has_a_place_for_that_only_where_it_may(loop: Any) -> None:
    asking = advises("none")
    said(loop, SUGGESTS, asking)
    (system, *_), grammar = _first(asking)
    assert "Of the person:\n" in system
    assert "Clean[target]" in system
    assert "person suggestion" in grammar
    silent = advises("none")
    assert said(loop, "llamar:confirms_done=false,prefetch=false", silent) == []
    (system, *_), grammar = _first(silent)
    assert "suggestion" not in system + grammar
    assert "Clean[" not in system


def _first(model: Replies) -> tuple[list[str], str]:
    """Return the messages of the first call of the Actor, and its grammar."""
    request = next(r for r in model.requests if r.purpose == "actor")
    assert not isinstance(request.prompt, str)
    assert request.constraint is not None
    return [message.content for message in request.prompt], str(request.constraint)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("Clean[{}]", "Could you wash the {}?"),
        ("Place[{}, within, {}, none, none]", "Could you put the {} in the {}?"),
        ("Wait[]", "Could you wait a moment?"),
    ],
)
def test_calls_are_told_in_words(call: str, sentence: str) -> None:
    core = core_of(task(2))
    graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
    key = next(f for f in graph.rooms if f in core.surfaces.of)
    name, label = core.names.graph[key], core.names.labels[key]
    assert proposal(as_call(call.replace("{}", name)), graph) == sentence.replace("{}", label)
