from server.recording.log_records import ModelCalled, SkillEnded
from server.reports.decisions import Choice, choices_of
from server.sessions.policy_records import CallRecord, SkillRecord
from server.skills import SUCCESS, failure

ROBOT = "robot_0"
LABELS = {"cup_0": "cup 2", "table_7": "table", "kitchen_1": "kitchen"}


def call(applied: int, latency: float, seat: str = ROBOT) -> ModelCalled:
    record = CallRecord(
        purpose="act",
        model="m",
        prompt="",
        prompt_sha256="",
        completion="",
        parameters={},
        seat=seat,
        applied_tick=applied,
        latency_s=latency,
    )
    return ModelCalled(applied, 0.0, record)


def skill(
    text: str, began: int, ended: int, response: str = SUCCESS, seat: str = ROBOT
) -> SkillEnded:
    record = SkillRecord(seat=seat, call=text, response=response, began=began, ended=ended)
    return SkillEnded(ended, 0.0, record)


def choices(*lines: ModelCalled | SkillEnded, start: int = 0) -> list[Choice]:
    return choices_of(lines, start, lambda name: LABELS.get(name, name))


def test_decisions_in_words_with_what_they_cost() -> None:
    first, second = choices(
        call(130, 0.5),
        call(140, 0.75),
        skill("Explore[kitchen_1]", 140, 200),
        call(230, 2.0),
        call(230, 9.0, seat="human_0"),
        skill("Rearrange[cup_0, on, table_7, none, none]", 230, 260),
        start=100,
    )
    assert (first.words, first.tick, first.took_s) == ("looking around the kitchen", 40, 2.0)
    assert (first.thought_s, first.trouble) == (1.25, "")
    assert (second.words, second.thought_s) == ("taking the cup 2 to the table", 2.0)


def test_what_failed_is_told_with_names_that_players_know() -> None:
    (made,) = choices(skill("Pick[cup_0]", 5, 5, failure("cup_0 is on table_7 in attic_9")))
    assert "cup 2 is on table in attic_9" in made.trouble
    assert made.thought_s is None


def test_what_is_no_call_is_told_as_it_stands() -> None:
    assert choices(skill("Fly[moon]", 3, 3, failure("what?")))[0].words == "Fly[moon]"
