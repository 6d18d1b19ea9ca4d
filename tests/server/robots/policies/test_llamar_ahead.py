"""``llamar`` thinks of what comes next while its body is still walking."""

from __future__ import annotations

import re
from typing import Any

from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Take
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.policy_records import CallRecord
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_RATE
from server.worker.unpaced_runner import run
from tests.robot_doubles.llamar import LlamarDouble
from tests.server.robots.calls import as_call
from tests.server.robots.passive_person import passive_person
from tests.server.robots.policies.llamar_replies import (
    Replies,
    act,
    completed,
    plan,
    play,
    rooms,
)
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, in_the_open, task

OURS = "llamar:confirms_done=false"


def walks(*names: str) -> Replies:
    """Return a model that goes to these rooms, noting each, and is done."""
    acts = [act(f"Navigate[{name}]", f"on the way to {name}") for name in names]
    return Replies(planner=[plan("find cup")], actor=[*acts, act("Done[]")], verifier=[completed()])


def test_the_modules_for_the_next_decision_are_asked_while_it_walks(loop: Any) -> None:
    near, far = rooms()[:2]
    model = walks(far, near)
    player, _ = play(loop, OURS, model)
    one, two = player.take_skills()
    assert two.began == one.ended + 1
    calls = player.take_calls()
    assert [c.purpose for c in calls[:5]] == ["planner", "actor", "verifier", "planner", "actor"]
    assert [c.prefetched for c in calls[:5]] == [False, False, True, True, True]
    assert all(one.began <= c.asked_tick < one.ended for c in calls[2:5])
    # They are told how it will be: the walk is over, and it is there.
    told = model.asked("actor")[1]
    assert f"The robot is in {far} and holds nothing." in told
    assert f"The robot tried Navigate[{far}]. Result: Successful execution!" in told
    assert f"Memory: on the way to {far}" in told


def test_what_is_said_meanwhile_drops_the_answers_and_what_they_changed(loop: Any) -> None:
    near, far = rooms()[:2]
    model = Replies(
        planner=[plan("find cup"), plan("find bowl"), plan("find plate")],
        actor=[
            act(f"Navigate[{far}]", "first"),
            act(f"Navigate[{near}]", "dropped"),
            act("Done[]"),
        ],
        verifier=[completed("find cup"), completed()],
    )
    human = ScriptedPlayer(HUMAN, [Rest(40), Speak("come here"), Rest(400), Done()])
    player, _ = play(loop, OURS, model, human)
    calls = player.take_calls()
    assert {c.stale for c in calls if c.prefetched} == {"something was said"}
    assert [skill.call for skill in player.take_skills()] == [f"Navigate[{far}]"]
    # The copy had completed a subtask and written a memory: neither is known any more.
    told = model.asked("actor")[2]
    assert "Memory: first" in told
    assert "Completed subtasks: []" in told
    assert player.policy.team.board.completed == ()


def test_what_the_partner_took_meanwhile_drops_them_too(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    name, far = core.names.graph[thing], rooms()[-1]
    model = Replies(
        planner=[plan(f"take {name}")],
        actor=[act(f"Navigate[{far}]", "first"), act(f"Pick[{name}]", "dropped"), act("Done[]")],
        verifier=[completed()],
    )
    text = f"{OURS},observability=full"
    player: Any = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 20.0), model))
    human = ScriptedPlayer(HUMAN, [Rest(640), Take(thing), Rest(900), Done()])
    run(core, [player, human], 12_000)
    early = [c for c in player.take_calls() if c.prefetched]
    assert {c.stale for c in early} == {"the world had changed"}
    assert [skill.call for skill in player.take_skills()] == [f"Navigate[{far}]"]
    told = model.asked("actor")[2]
    assert "Memory: first" in told
    assert re.search(rf"^{name}: held by", told, re.M)


def test_after_a_search_it_is_asked_early_as_if_that_found_nothing(loop: Any) -> None:
    model = Replies(
        planner=[plan("find it")], verifier=[completed()], corrector=[{}],
        actor=[*[act("Explore[]", f"note {n}") for n in range(9)], act("Done[]")],
    )  # fmt: skip
    player, _ = play(loop, OURS, model)
    searches = player.take_skills()
    assert {skill.call.partition("[")[0] for skill in searches} == {"Explore"}
    early = [c for c in player.take_calls() if c.prefetched and c.purpose == "actor"]
    # Some rooms have things in them; in the end all are known.
    assert {c.stale for c in early} == {"something was found", ""}
    assert not early[-1].stale
    dropped = sum(bool(c.stale) for c in early)
    assert len(searches) + dropped == 9
    # As if it were in vain, and so it was.
    assert sum("; new: nothing." in text for text in model.asked("actor")) >= len(early)


def test_nothing_is_asked_early_after_what_else_is_made_to_find_something(loop: Any) -> None:
    for text, call in (("exploration=headings", "Explore[]"), ("hears=false", "Wait[]")):
        model = Replies(planner=[plan("find cup")], actor=[act(call), act("Done[]")],
                     verifier=[completed()], corrector=[{}])  # fmt: skip
        player, _ = play(loop, f"{OURS},{text}", model)
        assert player.take_skills()
        assert not any(c.prefetched for c in player.take_calls())


def test_in_the_paper_and_for_both_bodies_nothing_is_asked_early(loop: Any) -> None:
    model = walks(*rooms()[:2])
    player, _ = play(loop, "llamar:paper", model)
    assert not any(c.prefetched for c in player.take_calls())
    centralised = make_player(
        "llamar:arrangement=centralised",
        ROBOT,
        PlayerOptions(ChargedThinker(loop), model, company={}),
    )
    centralised.policy.team.seat(HUMAN, model)  # type: ignore[attr-defined]
    assert centralised.policy.ahead(as_call("Navigate[kitchen_1]")) is None  # type: ignore[attr-defined]


def solved(loop: Any, text: str) -> tuple[EpisodeResult, list[CallRecord]]:
    core = core_of(task(1))
    player: Any = make_player(
        text, ROBOT, PlayerOptions(ChargedThinker(loop, 4.0), LlamarDouble.for_tasks([core]))
    )
    person = passive_person()
    result = run(core, [player, person], 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    return result, player.take_calls()


def test_it_solves_a_task_sooner_with_it(loop: Any) -> None:
    plain, _ = solved(loop, "llamar:prefetch=false")
    early, calls = solved(loop, "llamar")
    assert early.ticks < plain.ticks - 2 * 4 * TICK_RATE
    assert any(c.prefetched and not c.stale for c in calls)
