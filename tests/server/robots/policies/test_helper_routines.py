"""A person's routines: taught in words, kept under a name in a file, asked for by that name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from server.robots.policies.helper.memory import Memory, memories_of, teach
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.policy import Helper
from server.robots.policies.helper.program_parser import RoutineStatement, parse
from server.robots.policies.helper.requests import CLOSING, NOT_REMEMBERED, REMEMBERED
from server.robots.policy import Do, PolicyView, SayLine
from server.robots.policy_spec import RobotError
from tests.benchmarks.routines import ROUTINES, calls_of, home, program_for, taught, try_all, wanted
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.calls import as_call
from tests.server.robots.policies.prepared_helper import all_seen, cast, helper, later

TAUGHT = (
    'bowl = Thing("bowl_1")\nbed = Thing("bed_4")\nbowl.bring_onto(bed)\n'
    'remember_as("My  evening")\ncup.bring_onto(table)\n'
)


def test_a_program_says_what_is_to_be_remembered() -> None:
    words = words_of(all_seen().graph, names=True)
    program = parse(TAUGHT, words, keeps=True)
    assert program.kept == (RoutineStatement("my evening", 1),)
    assert [str(x) for x in program.lines] == ["bowl.bring_onto(bed)", "cup.bring_onto(table)"]
    assert str(program.first(1)).endswith('bed = Thing("bed_4")\nbowl.bring_onto(bed)')
    refused = parse(TAUGHT, words).refused
    assert refused == ('line 4 (remember_as("My  evening")): nothing can be remembered here',)


@pytest.mark.parametrize("inner", ['"../x"', '""', '"a" * 9', "bowl", '"a", "b"', f'"{"a" * 41}"'])
def test_a_name_is_a_few_plain_words(inner: str) -> None:
    words = words_of(all_seen().graph, names=True)
    program = parse(f"bowl.go_to()\nremember_as({inner})", words, keeps=True)
    assert program.kept == ()
    assert len(program.refused) == 1


async def test_what_is_taught_is_there_in_the_next_episode(
    seen: PolicyView, tmp_path: Path
) -> None:
    path = tmp_path / "person_7.jsonl"
    policy, model = helper(TAUGHT, memory=str(path), routines=True)
    assert await policy.decide(seen) == SayLine(REMEMBERED.format("my evening"))
    # Then the routine is carried out.
    assert await policy.decide(seen) == Do(as_call("Rearrange[bowl_1, on, bed_4, none, none]"))
    call = policy.take_calls()[0]
    assert call.parsed == '2 lines; remember_as("my evening")'
    assert call.parameters["memory"] == memories_of().digest
    assert "remember_as(" in call.grammar
    # It is kept in the words of any home.
    (record,) = memories_of(str(path)).routines("Do my evening again")
    assert record.program == (
        'bowl = Thing("bowl")\nbed = Thing("bed", near="bedroom")\nbowl.bring_onto(bed)'
    )
    again, model = helper("do_nothing()\n", memory=str(path))
    evening = replace(seen, instruction="Get my evening ready, but on the table.")
    await again.decide(evening)
    call = again.take_calls()[0]
    assert call.parameters["routines"] == "my evening"
    assert call.parameters["memory"] == memories_of(str(path)).digest != memories_of().digest
    told = model.messages()[-1].content
    assert f'Routine "my evening"\nTaught with: "{seen.instruction[:20]}' in told
    assert "remember_as(" not in call.prompt
    other, model = helper("do_nothing()\n", memory=str(path))
    await other.decide(replace(seen, instruction="My cup, please."))
    assert "routines" not in other.take_calls()[0].parameters


async def test_what_has_been_done_can_be_remembered_afterwards(
    seen: PolicyView, tmp_path: Path
) -> None:
    path = tmp_path / "person_7.jsonl"
    policy, _ = helper(
        "bowl.go_to()\n", 'remember_as("evening")\n', memory=str(path), routines=True
    )
    assert await policy.decide(seen) == Do(as_call("Navigate[bowl_1]"))
    heard = later(seen, 30, "Call that my evening")
    assert await policy.decide(heard) == SayLine(REMEMBERED.format("evening"))
    (record,) = memories_of(str(path)).routines("the evening")
    assert record.program.endswith("bowl.go_to()")
    assert record.key == f"{seen.instruction}\nCall that my evening"


async def test_what_cannot_be_written_down_is_said_and_done(
    seen: PolicyView, tmp_path: Path
) -> None:
    path = tmp_path / "gone" / "person_7.jsonl"
    policy, _ = helper(TAUGHT, memory=str(path), routines=True)
    assert await policy.decide(seen) == SayLine(NOT_REMEMBERED)
    assert isinstance(await policy.decide(seen), Do)


async def test_without_being_allowed_to_nothing_is_remembered(
    seen: PolicyView, tmp_path: Path
) -> None:
    path = tmp_path / "person_7.jsonl"
    policy, _ = helper("do_nothing()\n" + TAUGHT.splitlines()[3], "do_nothing()\n",
                       memory=str(path))  # fmt: skip
    assert await policy.decide(seen) == SayLine(CLOSING)
    first, second = policy.take_calls()
    assert "nothing can be remembered here" in first.parsed
    assert "remember_as" not in second.grammar
    assert not path.exists()


def test_a_routine_that_is_taught_anew_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = str(tmp_path / "person_7.jsonl")
    teach(path, "tea", "Fill the kettle", "kettle.fill()")
    new = teach(path, "tea", "Fill the teapot", "teapot.fill()")
    tea_time = teach(path, "tea time", "…", "cup.go_to()")
    assert memories_of(path).routines("Make tea!") == [new]
    # The longer name is meant.
    assert memories_of(path).routines("It is tea time") == [tea_time]
    # What comes with `helper` is not crowded out by it.
    assert memories_of(path).plans() == memories_of().plans()


def test_a_place_to_remember_is_needed(tmp_path: Path) -> None:
    with pytest.raises(RobotError, match="needs a file to grow: memory=FILE"):
        cast("helper:routines=true")
    player = cast(f"helper:routines=true,memory={tmp_path / 'person_7.jsonl'}")
    assert isinstance(player.policy, Helper)
    assert player.policy.settings.routines


# HELPER's forty requests, in our words


def test_each_of_forty_requests_finds_its_routine(tmp_path: Path) -> None:
    memories = taught(tmp_path)
    found: dict[str, list[Memory]] = {
        request.text: memories.routines(request.text)
        for routine in ROUTINES
        for request in routine.requests
    }
    assert len(found) == 40
    for routine in ROUTINES:
        for request in routine.requests:
            assert [r.name for r in found[request.text]] == [routine.name]


async def test_a_plan_is_right_if_it_does_what_was_said() -> None:
    words = words_of(home().graph, names=False)
    right = []
    for routine in ROUTINES:
        for request in routine.requests:
            want = wanted(routine, request)
            assert want
            # What is left out was in the routine.
            assert not [c for c in request.without if c not in routine.calls]
            program = parse(program_for(tuple(want)), words)
            assert not program.refused
            right.append(calls_of(program) == want)
    # Requests for two of something are left out: they take two declarations.
    assert right.count(False) == sum(
        max(wanted(routine, request).values()) > 1
        for routine in ROUTINES
        for request in routine.requests
    )
    tried = await try_all(PreparedAnswers(*["do_nothing()\n"] * 40))
    assert len(tried) == 40
    assert not any(done == want for _, _, done, want in tried)
