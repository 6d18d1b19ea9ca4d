"""The tutorial's helper and its criterion, in the real house."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.bodies import SeatKind
from episodes.scene import receptacle_id
from matchmaking.tutorials import TUTORIALS, is_tutorial
from server.recording.recordings import read_recording
from server.recording.tutorial_criterion import NEEDED, skill_of_put, tutorial_outcome
from server.robots.baselines.scripted_player import (
    Change,
    Done,
    Put,
    ScriptedPlayer,
    Speak,
    Step,
    Take,
    Turn,
)
from server.robots.baselines.tutor import DONE, HELLO, Tutor
from server.robots.baselines.tutor_talk import HELLO_BACK
from server.sessions.core import SessionCore
from server.sessions.spec import SessionSpec
from server.sessions.tick_driver import FixedPlayers, TickDriver
from tests.server.sessions.first_house_sessions import (
    MAX_TICKS,
    Recording,
    core_of,
    episode_spec,
    simulator,
    task,
)


def tutorial(kind: SeatKind) -> Recording:
    team = TUTORIALS[kind].team
    spec = SessionSpec.of("ses_1", team, 1, purpose="tutorial", naming="people")
    assert is_tutorial(spec.team)
    return Recording(SessionCore(spec, episode_spec(task(2)), task(2), simulator()))


def play(recording: Recording, learner: ScriptedPlayer, helper: Tutor) -> None:
    """Play to the end, with the log that the recording keeps."""
    core = recording.core
    driver = TickDriver(core, FixedPlayers(core, [learner, helper]), recording.log)
    for _ in range(MAX_TICKS):
        driver.step(core.tick / 30)
        if core.phase == "ended":
            return
    raise AssertionError("it never ended")


def lamp_of(core: SessionCore) -> str:
    return min(h for h, state in core.world.states if state == "is_powered_on")


def outcome(recording: Recording, seat: str, folder: Path) -> object:
    file = folder / "ses_1.jsonl"
    file.write_bytes(recording.data())
    (found,) = read_recording(file)
    return tutorial_outcome(found, seat)


@pytest.mark.parametrize("kind", ["floor_lamp", "washer_dryer"])
def test_a_robot_asks_and_the_helper_does_it(kind: str, tmp_path: Path) -> None:
    recording = tutorial("robot")
    core = recording.core
    lamp = min(h for h, state in core.world.states if state == "is_powered_on" and kind in h)
    label = core.view.label(lamp)
    learner = ScriptedPlayer("robot_0", [Speak(f"please switch on the {label}"), Done()])
    play(recording, learner, Tutor("human_0"))
    assert core.world.states[lamp, "is_powered_on"]
    said = [line.text for line in core.chat if line.seat == "human_0"]
    assert said[0] == HELLO
    assert said[-1] == DONE.format(label=label)
    found = outcome(recording, "robot_0", tmp_path)
    assert found == (frozenset({"ask"}), NEEDED["robot"] - {"ask"}, False)


def test_who_did_everything_and_the_task_has_passed(tmp_path: Path) -> None:
    recording = tutorial("human")
    core = recording.core
    goal = task(2).evaluation_propositions[0].args
    (plate,), (table,) = goal["object_handles"], goal["receptacle_handles"]
    cup = next(h for h in core.world.objects if "cup" in h and core.shut_in(h) is not None)
    drawer = core.shut_in(cup)
    assert drawer is not None
    steps: list[Step] = [
        Speak("hello"),
        Change("power_on", lamp_of(core)),
        Turn(drawer, opening=True),
        Take(cup),
        Put(drawer, "within"),
        Take(plate),
        Put(table),
        Take(cup),
        Put(table, next_to=plate),
        Done(),
    ]
    play(recording, ScriptedPlayer("human_0", steps), Tutor("robot_0"))
    found = outcome(recording, "human_0", tmp_path)
    assert found == (NEEDED["human"], frozenset(), True)
    assert [line.text for line in core.chat if line.seat == "robot_0"] == [HELLO, HELLO_BACK]


@pytest.mark.parametrize("kind", ["human", "robot"])
def test_who_does_nothing_has_not_passed(kind: SeatKind, tmp_path: Path) -> None:
    recording = tutorial(kind)
    seat, other = (f"{kind}_0", "robot_0" if kind == "human" else "human_0")
    play(recording, ScriptedPlayer(seat, [Done()]), Tutor(other))
    found = outcome(recording, seat, tmp_path)
    assert found == (frozenset(), NEEDED[kind], False)


def test_what_no_door_and_no_drawer_hides_is_not_put_inside() -> None:
    """Places have the same names with a door and without one: a stand has an open shelf."""
    core = core_of(task(2))
    scene, catalogue = core.simulator.scene, core.simulator.catalogue
    within = core.surroundings().within
    skills = {"floor": skill_of_put("floor", within)}
    for piece in scene.furniture:
        template = catalogue.templates[piece.template]
        for receptacle in template.receptacles:
            skill = skill_of_put(receptacle_id(piece.handle, receptacle.name), within)
            assert skill == ("place" if receptacle.part is None else "put_inside")
            skills[f"{template.class_name} {receptacle.name.partition('_')[0]}"] = skill
    assert skills["stand shelf"] == skills["sink basin"] == skills["floor"] == "place"
    assert skills["cabinet shelf"] == skills["stand drawer"] == "put_inside"
