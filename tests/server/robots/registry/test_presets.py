"""Names of policies with their configurations and options."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from episodes.bodies import BODIES
from episodes.teams import ALIASES
from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.finetuned.policy import Finetuned
from server.robots.policies.react.centralised import CentralSeat
from server.robots.policies.react.policy import React
from server.robots.policies.react.retrieval_policy import ReactRag
from server.robots.policies.shared.retrieval import Library, SolvedTrace
from server.robots.policy import Policy
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.registry import POLICIES, configured, lookup, make_player
from server.sessions.player import Player
from server.worker.unpaced_runner import run
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, started

PAPERS = [
    f"{policy}:{name}"
    for policy, spec in POLICIES.items()
    for name in spec.presets
    if spec.needs_model and name.startswith(("partnr", "helperx", "paper"))
]
PARTNRS = [text for text in PAPERS if ":partnr" in text]
ADDED = {
    "blocks_repeats", "confirms_done", "extended", "goes_on", "grows", "hears", "lets_go",
    "listens", "most_lines", "most_suggestions", "rechecks", "reopens", "repeats", "routines",
    "tidies", "tries_again",
}  # fmt: skip
"""Settings for what no paper has."""


def switched_on(settings: Any) -> dict[str, bool]:
    """Return the settings of `ADDED` that a policy has: whether they are on."""
    parts = (settings, *(getattr(settings, part, None) for part in ("react", "running")))
    return {
        name: bool(getattr(part, name)) for part in parts for name in ADDED if hasattr(part, name)
    }


def cast(text: str, seat: str = ROBOT, model: Any = None, company: Any = None) -> Any:
    loop = asyncio.new_event_loop()
    loop.close()
    company = {} if company is None else company
    options = PlayerOptions(ChargedThinker(loop), model or PreparedAnswers(), company=company)
    return make_player(text, seat, options)


@pytest.mark.parametrize("text", ["scripted", "random", "ghost", "react", "cohab", "remote:mine"])
def test_P1_scripted_replayed_random_remote_and_model_are_players_of_one_contract(
    text: str, tmp_path: Path
) -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    options = PlayerOptions(
        ChargedThinker(loop), PreparedAnswers(), remote_policies=tmp_path / "socket"
    )
    if text == "ghost":
        record(tmp_path / "pair.cohabit.jsonl")
        text = f"ghost:recording={tmp_path / 'pair.cohabit.jsonl'}"
    player = make_player(text, ROBOT, options)
    assert isinstance(player, Player)
    assert player.seat == ROBOT
    assert type(player).intents is not Player.intents, "it decides what its body does"
    if isinstance(player, PolicyPlayer):
        assert isinstance(player.policy, Policy), "what is a player already plays by itself"


@pytest.mark.parametrize("text", PAPERS)
def test_what_is_named_after_a_paper_has_nothing_of_ours(text: str) -> None:
    setup = configured(text).setup
    settings = getattr(setup.settings, "react", setup.settings)
    assert not settings.generation.retries
    assert settings.generation.temperature == 0.0
    seating = setup.seating
    assert (seating.revalidate, seating.prefetch, seating.think_s) == (False, False, 0.0)
    assert "Rearrange" not in seating.tools
    assert not any(switched_on(setup.settings).values()), switched_on(setup.settings)
    bad_answer = "drop" if text.startswith("helper") else "result"
    assert getattr(settings, "bad_answer", bad_answer) == bad_answer


def test_each_setting_that_no_paper_has_is_one_of_some_policy() -> None:
    """A setting under a new name is not overlooked that way."""
    named = [
        switched_on(spec.presets["default"].settings) for spec in POLICIES.values() if spec.presets
    ]
    assert set().union(*named) == ADDED


@pytest.mark.parametrize("text", PARTNRS)
def test_partnrs_planners_have_its_figures(text: str) -> None:
    """Greedy, 250 tokens, 50 calls a seat and 100 for both, of which it makes one more."""
    setup = configured(text).setup
    settings = getattr(setup.settings, "react", setup.settings)
    assert settings.generation.max_tokens == 250
    if "centralised" in text and "decentralised" not in text:
        assert (settings.most_calls, setup.seating.max_decisions) == (101, None)
    else:
        assert setup.seating.max_decisions == 51
    assert setup.seating.observability == ("full" if text.endswith("-full") else "partial")


@pytest.mark.parametrize("text", [t for t in PAPERS if ":helperx" in t])
def test_helper_x_has_its_figures(text: str) -> None:
    """Three examples, three places, 1000 steps, 30 failures, repairs for the first 20."""
    setup = configured(text).setup
    settings, running = setup.settings, setup.settings.running
    assert (settings.examples, settings.places, setup.seating.max_decisions) == (3, 3, 1000)
    assert (running.most_failures, running.most_left, running.repairs_until) == (30, 10, 20)
    assert settings.variant == ("prompts" if "-p" in text else "shared")
    assert settings.retrieval == "embedding"
    assert settings.asks_which == bool(settings.questions) == text.endswith("-questions")


@pytest.mark.parametrize("text", ["llamar:paper", "llamar:paper-centralised"])
def test_llamar_has_its_figures(text: str) -> None:
    """30 decisions, four calls each, three rounds of exploration towards a heading."""
    settings = configured(text).setup.settings
    assert (settings.most_decisions, settings.calls, settings.rounds) == (30, "always", 3)
    assert (settings.modules, settings.corrector, settings.verifier) == (
        "separate",
        "separate",
        True,
    )
    assert (settings.exploration, settings.objects) == ("headings", "near")
    assert settings.arrangement == ("centralised" if "-" in text else "decentralised")


def test_under_asymmetry_the_human_sees_with_its_own_eyes_only() -> None:
    setup = configured("react:partnr-decentralised").setup
    assert setup.seating_of("robot").shares_views
    assert not setup.seating_of("human").shares_views
    assert configured("react:partnr-centralised").setup.seating_of("human").shares_views


def test_single_options_can_be_changed() -> None:
    setup = configured(
        "react:partnr-decentralised,observability=full,generation.temperature=0.3,"
        "tools=Pick+Place,repeats=3,max_decisions=null"
    ).setup
    assert setup.seating.observability == "full"
    assert setup.seating.tools == ("Pick", "Place")
    assert setup.seating.max_decisions is None
    assert (setup.settings.generation.temperature, setup.settings.repeats) == (0.3, 3)
    assert configured("react:states=false").setup.settings.states is False


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dance", "no policy 'dance' with configurations; there are: react,"),
        ("react:waltz", "react has no configuration 'waltz'; there are: default, partnr-"),
        ("react:waltz=1", "react has no option 'waltz'; there are: generation.model,"),
        ("react:observabilty=full", "did you mean 'observability'?"),
        ("react:states", "'states' is an option of react: write react:states=VALUE"),
        ("react:states=perhaps", "react: states=perhaps: Expected `bool`"),
        ("react:default,states", "expected option=value in 'react:default,states', got 'states'"),
        ("scripted:passive,does=nothing", "Invalid enum value 'nothing'"),
        ("react:generation=3", "Expected `object`"),
        ("person-slow:pause_s=-5", "person-slow: pause_s=-5: Expected `float` >= 0.0"),
        ("person-slow:pause_s=inf", "pause_s=inf: expected a finite number"),
        ("person-erring:errs=1.5", "errs=1.5: Expected `float` <= 1.0"),
        ("expert:partner,speed=0", "speed=0: Expected `float` > 0.0"),
        ("cohab:questions=-1", "questions=-1: Expected `int` >= 0"),
    ],
)
def test_what_means_nothing_is_refused_with_what_there_is(text: str, told: str) -> None:
    with pytest.raises(RobotError) as refused:
        configured(text)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("expert:partnrr", "partnr"),
        ("expert-partnr", "expert:partnr"),
        ("expret:partnr", "expert:partnr"),
        ("reakt", "react"),
        ("finetund:partnr", "finetuned:partnr"),
    ],
)
def test_a_misspelt_policy_is_answered_with_the_nearest_name(written: str, meant: str) -> None:
    with pytest.raises(RobotError, match=f"did you mean '{meant}'"):
        lookup(written)


def test_each_name_makes_its_player(tmp_path: Path) -> None:
    assert isinstance(cast("scripted:contrary", HUMAN), ScriptedPerson)
    made: dict[str, Any] = {"react:partnr-tools": React, "finetuned:partnr": Finetuned}
    made["react:partnr-centralised"] = CentralSeat
    path = tmp_path / "traces.json"
    Library([SolvedTrace(name="epi_1", instruction="Wash the cup", text="Done[]")]).write(path)
    made[f"react-rag:library={path}"] = ReactRag
    for text, policy in made.items():
        player = cast(text)
        assert isinstance(player, PolicyPlayer)
        assert isinstance(player.policy, policy)


def test_one_model_for_both_seats_is_shared_in_an_episode_only() -> None:
    company: dict[str, Any] = {}
    robot, human = (
        cast("react:partnr-centralised", seat, company=company) for seat in (ROBOT, HUMAN)
    )
    assert robot.policy._centre is human.policy._centre
    assert cast("react:partnr-centralised", company={}).policy._centre is not robot.policy._centre


def test_what_a_policy_lacks_is_said() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(RobotError, match="react needs a model server"):
        make_player("react", ROBOT, PlayerOptions(ChargedThinker(loop)))
    with pytest.raises(RobotError, match="react-rag needs traces"):
        cast("react-rag")
    with pytest.raises(RobotError, match="a ghost needs a recording"):
        cast("ghost")


@pytest.mark.parametrize(
    "text",
    [
        "react:generation.model=tidy",
        "finetuned:partnr,generation.model=tidy",
        "helper:generation.model=tidy",
        "llamar:generation.model=tidy",
        "llamar:models.planner=tidy",
        "cohab:model=tidy",
    ],
)
def test_each_can_have_an_adapter_of_its_own(loop: Any, text: str) -> None:
    model = PreparedAnswers()
    run(started(), [make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), model))], 2)
    assert model.requests[0].model == "tidy"


@pytest.mark.parametrize("text", ["react", "finetuned:partnr", "react-rag:library={library}"])
def test_repetitions_ask_with_seeds_of_their_own(loop: Any, text: str, tmp_path: Path) -> None:
    path = tmp_path / "traces.json"
    Library([SolvedTrace(name="epi_1", instruction="Wash the cup", text="Done[]")]).write(path)
    name, seeds = text.format(library=path), []
    for seed in (0, 3):
        model = PreparedAnswers()
        player = make_player(
            name, ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), model, seed=seed)
        )
        run(started(), [player], 2)
        seeds.append(model.requests[0].seed)
    assert seeds == [0, 3]


def test_no_policy_or_option_is_named_like_a_part_of_a_team() -> None:
    assert not {"person", "nobody", "policy"} & set(POLICIES)
    assert not any(name in ALIASES or name in BODIES for name in POLICIES)
    for spec in POLICIES.values():
        for preset in spec.presets.values():
            for struct in (preset.settings, preset.seating):
                assert not set(msgspec.to_builtins(struct)) & set(BODIES), spec.name
