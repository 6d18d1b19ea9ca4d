"""A trial goes on over the very data, houses, prompts, programs and model that it began with."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from typer.testing import CliRunner, Result

from server.cli.main import app
from server.recording.recordings import read_recording
from server.research.trials import digests as module
from server.research.trials.digests import digests_of, refuse_changed
from server.research.trials.plan import Trial, TrialError
from server.research.trials.trial_folder import SPEC, begun_in
from tests.model_double import ModelDouble, Reply

pytestmark = pytest.mark.processes

WAITS = Reply("Thought: That is all.\nDone[]\n")


@pytest.fixture
def data(houses_dir: Path, tmp_path: Path) -> Path:
    """Return a data directory of one's own, whose tasks and houses may be changed."""
    found = tmp_path / "data"
    shutil.copytree(houses_dir, found)
    return found


def _trial(folder: Path, data: Path, *options: str, **env: str) -> Result:
    return CliRunner().invoke(
        app,
        ["trial", str(folder), "--processes", "1", *options],
        env={"COHABIT_DATA_DIR": str(data), "COLUMNS": "80", **env},
    )


def _begin(folder: Path, data: Path, *robots: str, **env: str) -> None:
    options = [word for robot in robots or ("expert",) for word in ("--robot", robot)]
    made = _trial(folder, data, *options, "--partner", "scripted", "--count", "2", **env)
    assert made.exit_code == 0, made.output


def _interrupt(folder: Path) -> None:
    """Leave one run to play."""
    next((folder / "recordings").glob("*.jsonl")).unlink()


def _told(result: Result) -> str:
    return " ".join(result.output.split())


def test_a_trial_and_its_recordings_keep_digests(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    _begin(folder, data)
    trial = begun_in(folder, "")
    assert trial is not None
    assert trial.digests is not UNSET
    assert set(trial.digests) == {"data", "houses", "prompts", "code"}
    for file in (folder / "recordings").iterdir():
        assert read_recording(file)[0].header.digests == trial.digests
    _interrupt(folder)
    assert _trial(folder, data).exit_code == 0


def test_another_data_set_of_the_same_name_is_refused(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    _begin(folder, data)
    tasks = data / "tasks" / "first.json.gz"
    text = gzip.decompress(tasks.read_bytes()).replace(b"house_", b"house_", 1)
    tasks.write_bytes(gzip.compress(text + b"\n"))
    # What is played already is told all the same.
    assert _trial(folder, data).exit_code == 0
    _interrupt(folder)
    result = _trial(folder, data)
    assert result.exit_code == 1
    assert "the set of tasks changed since, and its table would mix both" in _told(result)


def test_other_houses_are_refused(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    _begin(folder, data)
    (scene,) = (data / "houses").glob("*/scene.json")
    scene.write_bytes(scene.read_bytes() + b"\n")
    _interrupt(folder)
    assert "its houses changed since" in _told(_trial(folder, data))


@pytest.mark.parametrize(
    ("name", "told"),
    [("prompts_digest", "the prompts of policies changed"), ("_code", "the programs changed")],
)
def test_other_prompts_and_programs_are_refused(
    name: str, told: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t"
    _begin(folder, data)
    _interrupt(folder)
    monkeypatch.setattr(module, name, lambda: "other")
    assert told in _told(_trial(folder, data))


def test_another_model_or_other_doubles_of_the_same_name_are_refused(
    data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "t"
    with ModelDouble(WAITS, owned_by="doubles abc") as double:
        _begin(folder, data, "react", COHABIT_MODEL_URL=double.url)
    _interrupt(folder)
    with ModelDouble(WAITS, owned_by="doubles abd") as double:
        result = _trial(folder, data, COHABIT_MODEL_URL=double.url)
    assert "the model that is served, or its doubles changed since" in _told(result)
    with ModelDouble(WAITS, owned_by="doubles abc") as double:
        played = _trial(folder, data, COHABIT_MODEL_URL=double.url)
    assert played.exit_code == 0
    # Whoever reads a table learns that doubles answered, of the trial and of its recordings alike.
    assert _told(played).count("Of doubles, not of a language model: doubles abc") > 3
    table = CliRunner().invoke(app, ["metrics", str(folder / "recordings")], env={"COLUMNS": "80"})
    for text in (_told(played), _told(table)):
        assert "A table of doubles: model calls were answered by doubles abc." in text


def test_a_policy_in_a_file_counts_with_its_contents(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from server.robots.policy import Finished, Policy\n\n\n"
        "class Mine(Policy):\n    async def decide(self, view):\n        return Finished()\n"
    )
    trial = Trial(
        robots=(str(file),), partners=("scripted",), dataset="tasks/first.json.gz", tasks=("2",)
    )
    before = digests_of(data, trial)
    file.write_text(file.read_text() + "\n# other\n")
    with pytest.raises(TrialError, match="policies in files, or what lies beside them changed"):
        refuse_changed(before, digests_of(data, trial), tmp_path)


def test_what_lies_beside_a_policy_in_a_file_counts_too(data: Path, tmp_path: Path) -> None:
    """Ten lines of settings decide what it does as much as its program."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.py").write_text(
        "import json, pathlib\nfrom server.robots.policy import Finished, Policy\n\n"
        "PRIOR = json.loads((pathlib.Path(__file__).parent / 'prior.json').read_text())\n\n"
        "class Mine(Policy):\n    async def decide(self, view):\n        return Finished()\n"
    )
    (folder / "prior.json").write_text('{"cup": "table"}')
    begun = tmp_path / "t"
    _begin(begun, data, str(folder / "mine.py"))
    _interrupt(begun)
    (folder / "prior.json").write_text('{"cup": "shelves"}')
    assert "policies in files, or what lies beside them changed since" in _told(_trial(begun, data))
    (folder / "prior.json").write_text('{"cup": "table"}')
    assert _trial(begun, data).exit_code == 0


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("react-rag:library={}", True),
        ("helper:memory={}", True),
        ("helper:memory={},grows=true", False),
        ("ghost:recording={}", True),
    ],
)
def test_files_that_options_name_count_with_their_contents(
    name: str, counts: bool, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "read.json"
    file.write_text("[]")
    trial = Trial(
        robots=(name.format(file),), partners=("scripted",), dataset="tasks/first.json.gz",
        tasks=("2",),
    )  # fmt: skip
    before = digests_of(data, trial)
    file.write_text("[1]")
    now = digests_of(data, trial)
    if counts:
        with pytest.raises(TrialError, match="files that policies read changed"):
            refuse_changed(before, now, tmp_path)
    else:
        refuse_changed(before, now, tmp_path)


def test_every_module_of_a_run_counts() -> None:
    """Tables of the generator, words, priors: whatever players are made of is among the programs.

    Modules of the trial itself that only tell of runs are not, nor are the messages of pages, which
    a log may hold and a run has none of.
    """
    made = subprocess.run(
        [sys.executable, "-c", EVERY_PLAYER], capture_output=True, text=True, check=True,
        cwd=module.ROOT,
    )  # fmt: skip
    loaded = {Path(line) for line in made.stdout.splitlines()}
    counted = set(module._programs()) | set(module._prompts())
    assert module.ROOT / "episodes/catalogue/table.py" in loaded & counted
    assert module.ROOT / "server/robots/policies/cohab/search.py" in loaded & counted
    left = {path for path in loaded - counted if path.parent != module.ROOT / "server/wire"}
    assert left == {module.ROOT / "server/research/__init__.py",
                    module.ROOT / "server/research/trials/__init__.py"}  # fmt: skip


EVERY_PLAYER = """
import asyncio, sys
from pathlib import Path
import server.research.trials.runs
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.registry import POLICIES, make_player

options = PlayerOptions(ChargedThinker(asyncio.new_event_loop(), 0.0), object())
for name in POLICIES:
    for seat in ("robot_0", "human_0"):
        try:
            make_player(name, seat, options)
        except RobotError as error:
            # These two want a file, and are loaded by then.
            assert name in ("react-rag", "ghost"), error
for module in list(sys.modules.values()):
    file = getattr(module, "__file__", None) or ""
    if module.__name__.partition(".")[0] in ("server", "episodes"):
        print(file)
"""


def test_a_recording_from_elsewhere_is_not_counted(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    _begin(folder, data)
    trial = begun_in(folder, "")
    assert trial is not None
    assert trial.digests is not UNSET
    other = msgspec.structs.replace(trial, digests={**trial.digests, "code": "other"})
    (folder / SPEC).write_bytes(msgspec.json.encode(other))
    assert "was not played over the same data" in _told(_trial(folder, data))


def test_digests_are_of_contents_alone(data: Path, tmp_path: Path) -> None:
    trial = Trial(robots=("expert",), partners=("scripted",), dataset="tasks/first.json.gz",
                  tasks=("2",))  # fmt: skip
    shutil.copytree(data, tmp_path / "copy")
    assert digests_of(data, trial) == digests_of(tmp_path / "copy", trial)
