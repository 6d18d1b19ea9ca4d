from server.sessions.intents import Drive
from server.worker.input_timeout import SILENCE_TICKS, InputTimeout


def test_a_body_whose_browser_is_silent_is_stopped_once() -> None:
    walking = InputTimeout()
    walking.hear("human_0", Drive(1.5, 0.0), 10)
    walking.hear("robot_0", Drive(0.0, -1.0), 12)
    assert walking.stuck(10 + SILENCE_TICKS - 1) == []
    assert walking.stuck(10 + SILENCE_TICKS) == ["human_0"]
    assert walking.stuck(12 + SILENCE_TICKS) == ["robot_0"]
    assert walking.stuck(10_000) == []


def test_a_repeat_keeps_it_walking_and_standing_needs_none() -> None:
    walking = InputTimeout()
    walking.hear("human_0", Drive(1.5, 0.0), 0)
    walking.hear("human_0", Drive(1.5, 0.0), SILENCE_TICKS - 1)
    assert walking.stuck(SILENCE_TICKS) == []
    walking.hear("human_0", Drive(0.0, 0.0), SILENCE_TICKS)
    assert walking.stuck(10_000) == []
