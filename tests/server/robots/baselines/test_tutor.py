"""Requests that the helper of a tutorial understands, in a house of people's names."""

from __future__ import annotations

from itertools import pairwise

import pytest

from matchmaking.tutorials import TUTORIALS
from server.robots.baselines.partner import phrases
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Step
from server.robots.baselines.tutor import Tutor
from server.robots.baselines.tutor_talk import (
    AGAIN,
    DOING,
    DOING_CHANGES,
    HELLO_BACK,
    NO_HELP,
    STOPS,
    SURE,
    WHICH,
    TutorTalk,
)
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Said
from server.sessions.spec import SessionSpec
from tests.server.recording.test_tutorial_criterion import play, tutorial
from tests.server.sessions.first_house_sessions import episode_spec, simulator, task

WORDINGS = (
    ("power_on", "is_powered_on", "Please switch on the {}"),
    ("power_on", "is_powered_on", "can you turn the {} on for me?"),
    ("power_off", "is_powered_on", "turn off the {}"),
    ("clean", "is_clean", "wash the {}"),
    ("clean", "is_clean", "Could you please rinse the {}?"),
    ("fill", "is_filled", "fill the {} with water"),
)


def wish(core: SessionCore, line: str) -> tuple[str, str | None] | None:
    """Return the change that a line asks of a person's body for, and of what (None: it asks)."""
    reply = TutorTalk("human_0").answer(core, line)
    if reply.change is not None:
        return reply.change
    asks = {"power_on": "switch on", "power_off": "switch off", "clean": "wash", "fill": "fill"}
    is_asked = [v for v, w in asks.items() if reply.says.startswith(WHICH.partition("{")[0] + w)]
    return (is_asked[0], None) if is_asked else None


def told(core: SessionCore, seat: str, line: str) -> str:
    """Return the answer to a line."""
    return TutorTalk(seat).answer(core, line).says


@pytest.fixture(scope="module")
def core() -> SessionCore:
    team = TUTORIALS["robot"].team
    spec = SessionSpec.of("ses_1", team, 1, purpose="tutorial", naming="people")
    return SessionCore(spec, episode_spec(task(2)), task(2), simulator())


@pytest.mark.parametrize(("verb", "state", "wording"), WORDINGS)
def test_everything_can_be_asked_for_by_its_label(
    verb: str, state: str, wording: str, core: SessionCore
) -> None:
    things = [handle for handle, found in core.world.states if found == state]
    assert things
    for thing in things:
        line = wording.format(core.view.label(thing))
        assert wish(core, line) == (verb, thing), line


def test_a_noun_alone_means_one_of_the_kind_that_would_change(core: SessionCore) -> None:
    asked = wish(core, "switch on the lamp")
    assert asked is not None
    assert asked[1] is not None
    assert "lamp" in core.view.label(asked[1])
    assert core.world.states[asked[1], "is_powered_on"] is False


@pytest.mark.parametrize(
    "line",
    [
        "I carry the cup to the table, you turn the stove on please",
        "I take the cup, you turn on the stove",
        "I'll bring the plate. Can you switch the stove on?",
    ],
)
def test_a_claim_before_it_hides_no_request(line: str, core: SessionCore) -> None:
    asked = wish(core, line)
    assert asked is not None
    assert (asked[0], core.view.label(asked[1] or "")) == ("power_on", "stove")


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("can you switch on the right floor lamp in the bedroom?", "right bedroom floor lamp"),
        ("I take the cup, please turn on the left lamp in the bedroom", "left bedroom floor lamp"),
        ("turn on the floor lamp in the office please", "office floor lamp"),
        ("switch on the lamp by the couch", "living room floor lamp by the couch"),
        ("switch on the lamp in the bathroom", None),
        ("turn on the lamp by the bed", "right bedroom floor lamp"),
        ("Could you turn the lamp by the bed on?", "right bedroom floor lamp"),
        (
            "It is dark in the bedroom, could you turn the lamp by the bed on, please?",
            "right bedroom floor lamp",
        ),
    ],
)
def test_of_several_lamps_it_is_the_one_in_the_room_and_at_the_side_that_was_said(
    line: str, label: str | None
) -> None:
    team = TUTORIALS["robot"].team
    spec = SessionSpec.of("ses_1", team, 1, purpose="tutorial", naming="people")
    core = SessionCore(spec, episode_spec(task(1)), task(1), simulator())
    if label is None:
        assert told(core, "human_0", line).startswith("I know of no lamp in the bathroom")
        return
    asked = wish(core, line)
    assert asked is not None
    assert asked[0] == "power_on"
    assert core.view.label(asked[1] or "") == label


def test_after_a_claim_it_is_what_was_claimed() -> None:
    team = TUTORIALS["robot"].team
    spec = SessionSpec.of("ses_1", team, 1, purpose="tutorial", naming="people")
    core = SessionCore(spec, episode_spec(task(1)), task(1), simulator())
    assert told(core, "human_0", "I will take the red book, please tell me where it is") == (
        "All right, the red book is yours. The red book is in the left nightstand in the bedroom."
    )


def test_a_claim_of_one_of_several_is_none_of_all() -> None:
    spec = SessionSpec.of("ses_1", TUTORIALS["robot"].team, 1, purpose="tutorial", naming="people")
    books = SessionCore(spec, episode_spec(task(1)), task(1), simulator())
    assert told(books, "human_0", "I take the book in the bedroom") == phrases.AGREED


def test_it_says_where_things_are_and_what_it_can_change(core: SessionCore) -> None:
    assert told(core, "human_0", "where is the cup?").startswith("The cup is in the ")
    assert told(core, "human_0", "which room is the plate in").endswith("in the kitchen.")
    assert told(core, "human_0", "hello") == HELLO_BACK
    # A thing that is not here: it says what is, and does not leave the person alone with it.
    assert wish(core, "can you wash the umbrella please?") == ("clean", None)
    assert wish(core, "could you turn the gramophone on?") == ("power_on", None)


def test_it_answers_the_question_that_the_tutorial_suggests(core: SessionCore) -> None:
    answers = {seat: told(core, seat, "What are you doing?") for seat in core.seats}
    assert answers == {"robot_0": DOING, "human_0": DOING_CHANGES}
    assert told(core, "robot_0", "what are you doing") == DOING
    assert told(core, "human_0", "what are you up to?") == DOING_CHANGES


def test_what_names_nothing_or_asks_for_no_change(core: SessionCore) -> None:
    assert wish(core, "wash it") == ("clean", None)
    assert wish(core, "hello") is None
    assert wish(core, "the washer dryer is beside me") is None
    assert wish(core, "I washed the cup") is None


def switched(core: SessionCore) -> list[str]:
    """Return all that is switched on and off."""
    return [handle for handle, state in core.world.states if state == "is_powered_on"]


NOES = (
    "No thanks, I do not want your help finding things.",
    "no, do not wait there",
    "No, leave that light as it is.",
    "no",
)


@pytest.mark.parametrize("line", NOES)
def test_it_hears_a_no(line: str, core: SessionCore) -> None:
    reply = TutorTalk("human_0").answer(core, line)
    assert reply.says == NO_HELP or reply.says.startswith("All right, I leave ")
    assert reply.change is None
    # To what it is about to do, it is a no, too.
    busy = TutorTalk("human_0").answer(core, line, busy=switched(core))
    assert busy.says == STOPS
    assert busy.stops or busy.spares


@pytest.mark.parametrize("line", ["No, don't, leave that one off.", "stop", "wait, no"])
def test_a_no_stops_what_it_is_doing(line: str, core: SessionCore) -> None:
    assert TutorTalk("human_0").answer(core, line, busy=switched(core)).stops


def test_no_two_answers_in_a_row_are_the_same(core: SessionCore) -> None:
    talk = TutorTalk("robot_0")
    lines = ["hello", "hello", "hello", "hgfd", "blorp the frunk", "zzz", "qq", "turn on the stove",
             "turn on the stove", "bring me the cup", "take the plate", "no", "no"]  # fmt: skip
    said = [talk.answer(core, line).says for line in lines]
    assert all(one != other for one, other in pairwise(said))
    assert said[0] == HELLO_BACK
    assert said[1] == AGAIN.format(said=HELLO_BACK)
    assert len({*said[3:7]}) >= 3
    asked = [talk.answer(core, "what?").says for _ in range(4)]
    assert all(one != other for one, other in pairwise([said[-1], *asked]))
    assert max(answer.count("As I said") for answer in asked) == 1


def test_a_claim_is_heard_and_what_it_does_not_do_is_declined(core: SessionCore) -> None:
    talk = TutorTalk("robot_0")
    told = talk.answer(core, "I will carry the cup myself, you bring the plate please").says
    assert told.startswith("All right, the cup is yours. I carry and open nothing here")
    assert talk.answer(core, "I take the plate").says == "All right, the plate is yours."
    assert "I carry and open nothing here" in talk.answer(core, "open the fridge please").says


def test_what_is_not_here_is_said_not_to_be_and_a_name_alone_is_the_answer(
    core: SessionCore,
) -> None:
    talk = TutorTalk("human_0")
    told = talk.answer(
        core, "I bring the cup myself, can you please turn on the bathroom lamp?"
    ).says
    assert told.startswith("All right, the cup is yours. I know of no ")
    assert "lamp" in told.partition("For instance:")[2]
    lamp = next(h for h, s in core.world.states if s == "is_powered_on" and "lamp" in h)
    reply = talk.answer(core, f"the {core.view.label(lamp)}")
    assert (reply.says, reply.change) == (SURE, ("power_on", lamp))


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("thanks", phrases.WELCOME),
        ("how many cups are there?", "There "),
        ("is the stove on?", "stove is o"),
        ("what time is it?", phrases.CLOCK),
        ("what is in the fridge?", "fridge"),
        ("what is left to do?", "The task is yours alone."),
        ("where is the unicorn?", ""),
    ],
)
def test_it_understands_what_the_scripted_partner_does(
    line: str, part: str, core: SessionCore
) -> None:
    assert part in TutorTalk("robot_0").answer(core, line).says


def test_a_no_on_the_way_is_heard_before_it_is_there() -> None:
    recording = tutorial("robot")
    core = recording.core
    lamp = min(h for h, s in core.world.states if s == "is_powered_on" and "floor_lamp" in h)
    core.world.states[lamp, "is_powered_on"] = False
    line = f"please switch on the {core.view.label(lamp)}"
    steps: list[Step] = [
        Speak(line),
        Rest(8),
        Speak("No, don't, leave that one off."),
        Rest(900),
        Done(),
    ]
    play(recording, ScriptedPlayer("robot_0", steps), Tutor("human_0"))
    said = [line.text for line in core.chat if line.seat == "human_0"]
    assert said[1:] == [SURE, STOPS]
    assert not core.world.states[lamp, "is_powered_on"]


def test_what_it_leaves_alone_is_one_thing_and_the_rest_it_does() -> None:
    recording = tutorial("robot")
    core = recording.core
    lamp, other = sorted(h for h in switched(core) if "floor_lamp" in h)[:2]
    cup = next(h for h, state in core.world.states if state == "is_clean" and "cup" in h)
    for thing in (lamp, other):
        core.world.states[thing, "is_powered_on"] = False
    on, off, kept = (core.view.label(thing) for thing in (lamp, other, cup))
    lines = [f"please switch on the {on}", f"and switch on the {off}", f"stay away from the {kept}",
             f"don't touch the {off}"]  # fmt: skip
    steps: list[Step] = [step for line in lines for step in (Speak(line), Rest(2))]
    play(recording, ScriptedPlayer("robot_0", [*steps, Rest(1500), Done()]), Tutor("human_0"))
    assert core.world.states[lamp, "is_powered_on"]
    assert not core.world.states[other, "is_powered_on"]


class Watching(ScriptedPlayer):
    """A learner who takes note of what the helper shows, and of when it says that it comes."""

    def __init__(self, steps: list[Step], helper: Tutor) -> None:
        super().__init__("robot_0", steps)
        self.helper = helper
        self.shown: list[str] = []
        self.sure_at = -1

    def see(self, tick: Tick) -> None:
        super().see(tick)
        self.shown.append("" if self.helper.aim is None else self.helper.aim.verb)
        if any(isinstance(event, Said) and event.text == SURE for event in tick.events):
            self.sure_at = len(self.shown)


def test_it_shows_what_it_was_asked_for_from_then_on_until_it_is_done() -> None:
    recording = tutorial("robot")
    core = recording.core
    lamp = min(h for h in switched(core) if "floor_lamp" in h)
    core.world.states[lamp, "is_powered_on"] = False
    line = f"please switch on the {core.view.label(lamp)}"
    helper = Tutor("human_0")
    learner = Watching([Rest(30), Speak(line), Rest(900), Done()], helper)
    play(recording, learner, helper)
    # At once: within a tenth of a second of the answer.
    assert learner.shown[learner.sure_at + 2] == "power"
    assert "power" not in learner.shown[: learner.sure_at - 1]
    assert learner.shown[-1] == ""
