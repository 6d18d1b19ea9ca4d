"""Policies in files of their own: in trials, in the lobby, and what can be wrong with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from server.cli.doctor_checks import what_stops_play
from server.cli.main import app
from server.lobby.robot_partners import RobotPartners
from server.research.trials.plan import Run, Trial, TrialError, check, pair_of
from server.research.trials.runs import Place, play
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import Policy
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.registry import PlayersByName, make_player, spec_of
from server.settings import Settings
from server.settings_error import SettingsError
from server.worker.unpaced_runner import run
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.sessions.first_house_sessions import ROBOT, started

FETCH = '''
from server.robots.playing.seat_options import SeatOptions
from server.robots.policy import Do, Finished


class Looks:
    """Looks at one room.

    And then stops.
    """

    name = "looks"
    title = "A looker"
    seating = SeatOptions(observability="full")

    def __init__(self, seed=0):
        self.seed = seed

    async def decide(self, view):
        if view.history:
            return Finished()
        room = view.graph.scene.rooms[0].room_id
        return Do(f"Explore[{view.graph.names.graph[room]}]")

    def take_calls(self):
        return ()
'''
ASKS = """
class Asks:
    name = "asks"

    def __init__(self, model):
        self.model = model

    async def decide(self, view): ...

    def take_calls(self):
        return ()
"""


def written(folder: Path, text: str, name: str = "looks.py") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def settings_of(folder: Path, **options: object) -> Settings:
    return Settings(data_dir=folder, _env_file=None, **options)  # type: ignore[arg-type]


def test_it_plays_in_a_trial(tmp_path: Path, houses_dir: Path) -> None:
    name = written(tmp_path, FETCH)
    trial = Trial(
        robots=(name,), partners=("nobody",), dataset="tasks/first.json.gz", tasks=("1",),
        max_ticks=3000,
    )  # fmt: skip
    check(trial, ["1"])
    place = Place(houses_dir, tmp_path)
    done = play(place, trial, Run(pair_of(name, "nobody"), "1", 0))
    assert done.problem == ""
    assert name in place.recording(done.run).read_text(encoding="utf-8")


@pytest.mark.parametrize(("number", "decides"), [(0, "Rearrange["), (1, "Wait[]")])
def test_the_examples_of_the_documentation_play(
    loop: Any, tmp_path: Path, number: int, decides: str
) -> None:
    page = (Path(__file__).parents[4] / "docs" / "robots.md").read_text(encoding="utf-8")
    section = page.partition("### A policy of your own")[2].partition("\n### ")[0]
    code = re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)[number]
    name = written(tmp_path, code)
    making = PlayerOptions(
        ChargedThinker(loop), PreparedAnswers("Wait[]<end_act>", "Done[]<end_act>")
    )
    player = make_player(name, ROBOT, making)
    assert isinstance(player, PolicyPlayer)
    run(started(), [player], 1300)
    assert player.take_skills()[0].call.startswith(decides)


def test_it_is_made_with_what_it_wants(loop: Any, tmp_path: Path) -> None:
    looks = make_player(
        written(tmp_path, FETCH), ROBOT, PlayerOptions(ChargedThinker(loop), seed=7)
    )
    assert isinstance(looks, PolicyPlayer)
    assert looks.policy.seed == 7  # type: ignore[attr-defined]
    assert looks.seating.observability == "full"
    run(started(), [looks], 3000)
    assert looks.finished
    model = PreparedAnswers()
    name = written(tmp_path, ASKS, "asks.py")
    asks = make_player(name, ROBOT, PlayerOptions(ChargedThinker(loop), model))
    assert isinstance(asks, PolicyPlayer)
    assert asks.policy.model is model  # type: ignore[attr-defined]
    with pytest.raises(RobotError, match="needs a model server: set COHABIT_MODEL_URL"):
        make_player(name, ROBOT, PlayerOptions(ChargedThinker(loop)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1", "expected one class with `async def decide`, got none"),
        (FETCH + ASKS, "got Looks, Asks; name one: {path}:Looks"),
        ("raise SystemExit('enough')", "SystemExit: enough"),
        ("import nonsense", "ModuleNotFoundError: No module named 'nonsense'"),
        (ASKS.replace("model):", "brain):").replace("= model", "= 0"), "Asks wants brain; pol"),
        (
            FETCH.replace("SeatOptions(observability=", "dict(observability="),
            "expected Looks.seating to be a SeatOptions "
            "(server.robots.playing.seat_options), got {{'obs",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, told: str) -> None:
    name = written(tmp_path, text)
    with pytest.raises(RobotError) as wrong:
        spec_of(name)
    assert told.format(path=name) in str(wrong.value)


def test_it_may_inherit_the_base_class(tmp_path: Path) -> None:
    derived = FETCH.replace("class Looks:", "class Looks(Policy):").replace(
        "import Do, Finished", "import Do, Finished, Policy"
    )
    without = derived.replace("    def __init__(self, seed=0):\n        self.seed = seed\n", "")
    assert "__init__" not in without
    for text, name in ((derived, "derived.py"), (without, "without.py")):
        assert spec_of(written(tmp_path, text, name)).title == "A looker"


def test_a_class_with_decide_alone_plays(loop: Any, tmp_path: Path) -> None:
    text = "from server.robots.policy import Finished\n"
    text += "class A:\n    async def decide(self, view):\n        return Finished()\n"
    player = make_player(written(tmp_path, text), ROBOT, PlayerOptions(ChargedThinker(loop)))
    assert isinstance(player, PolicyPlayer)
    run(started(), [player], 300)
    assert player.finished
    assert player.take_calls() == []


def test_without_the_base_class_it_has_the_hooks_all_the_same(loop: Any, tmp_path: Path) -> None:
    lets_go = FETCH + "\n    def lets_go(self, view):\n        return False\n"
    for text, name, reconsiders in ((FETCH, "a.py", False), (lets_go, "b.py", True)):
        options = PlayerOptions(ChargedThinker(loop))
        player = make_player(written(tmp_path, text, name), ROBOT, options)
        assert isinstance(player, PolicyPlayer)
        assert isinstance(player.policy, Policy)
        assert player.policy.reconsiders == reconsiders
        assert not player.policy.in_vain


def test_a_class_that_cannot_have_the_hooks_is_told_to_inherit(tmp_path: Path) -> None:
    odd = "class Once(type):\n    def __new__(m, n, b, d):\n        if len(b) > 1:\n"
    odd += "            raise TypeError('one base')\n        return super().__new__(m, n, b, d)\n"
    name = written(tmp_path, odd + FETCH.replace("class Looks:", "class Looks(metaclass=Once):"))
    told = r"Looks has to inherit server\.robots\.policy\.Policy: one base"
    with pytest.raises(RobotError, match=told):
        spec_of(name)


def test_what_goes_wrong_when_it_is_made_is_said(loop: Any, tmp_path: Path) -> None:
    name = written(tmp_path, FETCH.replace("self.seed = seed", "open('/no/such/file')"))
    with pytest.raises(RobotError, match=r"looks\.py: FileNotFoundError: .*no/such/file"):
        make_player(name, ROBOT, PlayerOptions(ChargedThinker(loop)))


def test_files_of_one_name_do_not_share_a_module(loop: Any, tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    names = [written(folder, FETCH) for folder in folders]
    made = [make_player(name, ROBOT, PlayerOptions(ChargedThinker(loop))) for name in names]
    modules = {type(p.policy).__module__ for p in made if isinstance(p, PolicyPlayer)}
    assert len(modules) == 2


def test_one_of_several_is_named(tmp_path: Path) -> None:
    name = written(tmp_path, FETCH + ASKS)
    assert spec_of(f"{name}:Asks").needs_model
    with pytest.raises(RobotError, match="expected a class Other"):
        spec_of(f"{name}:Other")
    with pytest.raises(RobotError, match="there is no such file"):
        spec_of(f"{tmp_path}/other.py")


def test_open_play_offers_what_the_settings_name(tmp_path: Path) -> None:
    name = written(tmp_path, FETCH)
    robots = RobotPartners(
        settings_of(tmp_path, robots=f"{name} expert react:partnr-tools", robot=name)
    )
    # What needs a model is not shown while none answers.
    assert [(e.name, e.title, e.description) for e in robots.offered()] == [
        (name, "A looker", "Looks at one room."),
        ("expert", spec_of("expert").title, spec_of("expert").description),
    ]
    assert [e.title for e in robots.entries][2] == "ReAct (partnr-tools)"
    assert robots.default() == name
    options = RobotPartners(settings_of(tmp_path, robots="react-rag:library=/home/me/x.json"))
    assert [e.title for e in options.entries] == ["ReAct with examples"]
    # Nobody can have a file run by naming it.
    assert not robots.is_offered(written(tmp_path, FETCH, "other.py"))
    # A default need not be shown.
    assert RobotPartners(settings_of(tmp_path, robots="expert", robot=name)).is_offered(name)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"robots": "expert dance"}, "COHABIT_ROBOTS: no policy 'dance'; there are: cohab,"),
        ({"robot": "react:waltz"}, "COHABIT_ROBOT: react has no configuration 'waltz'"),
        (
            {"robot": "llamar:paper-centralised"},
            "COHABIT_ROBOT: llamar:paper-centralised is one mind for all bodies",
        ),
        ({"when_gone": "policy", "stand_in": "ghots"}, "COHABIT_STAND_IN: no policy 'ghots'"),
    ],
)
def test_a_robot_that_is_not_there_stops_the_server(
    tmp_path: Path, options: dict[str, object], told: str
) -> None:
    settings = settings_of(tmp_path, **options)
    with pytest.raises(SettingsError) as wrong:
        RobotPartners(settings)
    assert told in str(wrong.value)
    assert told in next(f for f in what_stops_play(settings) if f.subject == "robots").text


def test_workers_and_trials_know_which_names_mean_nothing() -> None:
    policies = PlayersByName(
        lambda name, seat, _: pytest.fail(f"{name} for {seat} is not to be made")
    )
    assert "react:partnr-tools" in policies
    assert "react:waltz" not in policies
    trial = Trial(robots=("react:waltz",), partners=("nobody",), dataset="", tasks=("1",))
    with pytest.raises(TrialError, match="react has no configuration 'waltz'"):
        check(trial, ["1"])


def test_what_goes_wrong_in_it_is_told_at_the_end_of_a_trial(
    tmp_path: Path, houses_dir: Path
) -> None:
    name = written(tmp_path, FETCH.replace("if view.history:", "if view.future:"))
    env = {"COHABIT_DATA_DIR": str(houses_dir), "COLUMNS": "600"}
    command = ["trial", str(tmp_path / "t"), "--robot", name, "--partner", "scripted"]
    done = CliRunner().invoke(app, [*command, "--count", "1", "--processes", "1"], env=env)
    # Nothing of it was tried, so that there is no result.
    assert done.exit_code == 1
    told = done.stderr.partition("not played: ")[2]
    assert re.search(r"every decision of \S+looks.py failed \([1-9]\d*\), the last with ", told)
    assert "'PolicyView' object has no attribute 'future' (looks.py, line 20)" in told
    assert not list((tmp_path / "t" / "recordings").iterdir())


def test_some_decisions_that_fail_are_a_result_and_told(tmp_path: Path, houses_dir: Path) -> None:
    name = written(tmp_path, FETCH.replace("if view.history:", "if view.history and view.future:"))
    env = {"COHABIT_DATA_DIR": str(houses_dir), "COLUMNS": "300"}
    command = ["trial", str(tmp_path / "t"), "--robot", name, "--partner", "scripted"]
    done = CliRunner().invoke(app, [*command, "--count", "1", "--processes", "1"], env=env)
    assert done.exit_code == 0
    told = done.stderr.partition("failed decisions: ")[2]
    assert re.match(r"[1-9]\d* of \S+looks.py, the last with AttributeError: ", told)
