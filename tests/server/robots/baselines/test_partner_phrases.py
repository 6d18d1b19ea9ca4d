"""Lines of the scripted partner are short: small windows show three rows of them."""

from __future__ import annotations

import pytest

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.words import Mention
from tests.server.robots.baselines.test_partner_talk import Talk
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT


def test_sentences_without_names_fit_the_smallest_log() -> None:
    said = {name: text for name, text in vars(phrases).items() if name.isupper()
            and isinstance(text, str)}  # fmt: skip
    assert len(said) > 25
    assert {name for name, text in said.items() if len(text) > phrases.LONGEST} == set()


@pytest.fixture
def said() -> dict[str, str]:
    """Return the lines of one thing or place, with the longest names that the house has."""
    talk = Talk()
    core, work = talk.core, talk.with_it.work
    labels = core.names.labels
    thing = max(core.world.objects, key=lambda key: len(labels[key]))
    place = max(core.surfaces.of, key=lambda key: len(labels[key]))
    say = Phrases(core, ROBOT)
    goal = work.goals[0]
    named = Mention(labels[thing], (thing,), False)
    at = Mention(labels[place], (place,), True)
    return {
        "where": say.where(thing),
        "where furniture is": say.where(place),
        "which": say.which([thing, place], 4),
        "none": say.none_here(labels[thing]),
        "not sure": say.not_sure(Request("do", "put", thing=named, place=at, relation="on")),
        "holds": say.holds(HUMAN, thing),
        "choose": say.you_choose(thing, thing),
        "hand": say.still_in_hand(thing, work.goals),
        "turns": say.turns_to(thing),
        "passes on": say.passes_on(thing, HUMAN, ROBOT, is_idle=True),
        "ask": say.ask_for([goal]),
        "belongs": say.belongs([goal]),
        "remaining": say.remaining(work.goals, is_done=False),
        "plan": say.plan_aloud([thing], {HUMAN: [thing]}, []),
        "left": say.is_away(HUMAN, [thing]),
    }


def test_lines_with_the_longest_names_have_a_bound(said: dict[str, str]) -> None:
    too_long = {name: line for name, line in said.items() if len(line) > phrases.LONGEST_NAMED}
    assert too_long == {}
