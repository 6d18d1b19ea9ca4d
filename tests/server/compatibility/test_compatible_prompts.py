"""Every policy asks what it asked, and plays as it played, when models answer as they did."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.server.compatibility import adapter
from tests.server.compatibility.comparing import check, names_of
from tests.server.compatibility.material import stored
from tests.server.compatibility.productions import PASSIVE, Files

pytestmark = pytest.mark.processes

GROUP, MORE = "model_trials", "more_model_trials"
CALLS, MORE_CALLS = "prompts/calls.json", "prompts/more_calls.json"
BY_POLICY: list[str] = sorted(json.loads(stored(CALLS)))
MORE_BY_POLICY: list[str] = sorted(json.loads(stored(MORE_CALLS)))


def _short(who: str) -> str:
    return who.replace(PASSIVE, "passive")


@pytest.mark.parametrize("who", BY_POLICY, ids=_short)
def test_a_policy_calls_models_as_before(made: Callable[[str], Files], who: str) -> None:
    """In the log: when, for what, with which prompt and grammar, and what was read out of it."""
    _check_calls(made(GROUP), CALLS, who)


@pytest.mark.parametrize("name", names_of(GROUP))
def test_trials_with_models_are_as_before(made: Callable[[str], Files], name: str) -> None:
    """Every request as it was sent, the logs, and the tables."""
    check(made(GROUP), name)


@pytest.mark.long
@pytest.mark.parametrize("who", MORE_BY_POLICY, ids=_short)
def test_another_policy_calls_models_as_before(made: Callable[[str], Files], who: str) -> None:
    _check_calls(made(MORE), MORE_CALLS, who)


@pytest.mark.long
@pytest.mark.parametrize("name", names_of(MORE))
def test_more_trials_with_models_are_as_before(made: Callable[[str], Files], name: str) -> None:
    check(made(MORE), name)


def _check_calls(made: Files, name: str, who: str) -> None:
    kept = json.loads(stored(name))[who]
    assert len(kept) > 0
    assert json.loads(made[name])[who] == kept


def test_no_policy_has_gone() -> None:
    assert set(json.loads(stored("policies.json"))) <= adapter.policy_names()


def test_every_policy_of_before_is_played_here() -> None:
    """In the trials with models, or in those without."""
    without = stored("trials/plain_logs.sha256").decode()
    told = [*BY_POLICY, *MORE_BY_POLICY, *(x.split("  ")[1] for x in without.splitlines())]
    played = set()
    for pair in told:
        played |= {_configuration(name) for name in pair.rpartition(" at ")[0].split(" beside ")}
    assert set(json.loads(stored("policies.json"))) == played - {"nobody:default"}


def _configuration(name: str) -> str:
    """Return the policy and its named configuration, without single options."""
    policy, _, rest = name.partition(":")
    first = rest.partition(",")[0]
    return f"{policy}:{first if re.fullmatch(r'[a-z-]+', first) else 'default'}"
