"""Sets of tasks: built in parts, resumed, the same however they were built; the commands."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from episodes.catalogue import catalogue
from episodes.dataset import read_dataset
from episodes.houses.files import tasks_file, write_catalogue
from episodes.houses.splits import seeds_of
from server.cli.doctor_checks import check_houses
from server.cli.main import app
from server.research.task_sets import builder
from server.research.task_sets.builder import build_set, is_current, parts_of, record_file
from server.research.task_sets.parts import Part, PartError, Record, make_part, record_of
from server.settings import Settings

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def two_houses() -> Iterator[None]:
    """Spread sets over the first two houses of their split: a house takes a second to furnish."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "seeds_of", lambda split: seeds_of(split)[:2])
        yield


@pytest.fixture(scope="module")
def built(two_houses: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data directory with eight tasks of the validation set."""
    data = tmp_path_factory.mktemp("sets")
    build_set(data, "validation", 8, 0, processes=1)
    return data


def test_a_set_is_spread_over_houses_and_types(built: Path) -> None:
    episodes = read_dataset(tasks_file(built, "validation"))
    assert [e.task_id for e in episodes] == [str(n) for n in range(1, 9)]
    assert len({e.scene_id for e in episodes}) == 2
    types = [e.info["cohabit"]["task_type"] for e in episodes]
    assert sorted(set(types)) == ["constraint_free", "heterogeneous", "spatial", "temporal"]
    assert is_current(built, "validation", 8, 0)
    assert not is_current(built, "validation", 8, 1)
    assert not is_current(built, "validation", 9, 0)
    assert not is_current(built, "test", 8, 0)


def test_parts_add_up() -> None:
    for name, count in (("validation", 1000), ("test", 33), ("train", 2000), ("train", 5)):
        parts = parts_of(Path(), name, count, 0)  # type: ignore[arg-type]
        assert sum(p.tasks for p in parts) == count
        assert len({p.tasks_file for p in parts}) == len(parts)
        assert all(0 < p.tasks <= 20 for p in parts)
    forms = parts_of(Path(), "forms", 240, 0)
    assert sum(p.tasks for p in forms) == 240
    assert all(p.tasks % 6 == 0 for p in forms)


def test_a_set_may_be_in_houses_of_ones_own(tmp_path: Path) -> None:
    """Houses beyond the sixty that everybody builds: nothing can have been tuned on them."""
    beyond = [s for s in seeds_of("test", 120) if s >= 60][:2]
    wanted = ["tasks", "build", "test", "--count", "2", "--data-dir", str(tmp_path)]
    told = CliRunner().invoke(app, [*wanted, *(f"--house={seed}" for seed in beyond)])
    assert told.exit_code == 0, told.output
    scenes = {task.scene_id for task in read_dataset(tasks_file(tmp_path, "test"))}
    assert scenes == {f"house_{seed:04d}" for seed in beyond}
    assert is_current(tmp_path, "test", 2, 0, beyond)
    assert not is_current(tmp_path, "test", 2, 0)
    refused = CliRunner().invoke(app, [*wanted, "--house=60"])
    assert refused.exit_code != 0
    assert "60 (train)" in refused.output
    assert str(beyond[0]) in refused.output


def test_what_was_interrupted_goes_on_and_comes_to_the_same(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Part] = []

    def dies_in_the_second(data_dir: Path, part: Part) -> Record:
        if made:
            raise KeyboardInterrupt
        made.append(part)
        return make_part(data_dir, part)

    monkeypatch.setattr(builder, "make_part", dies_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        build_set(tmp_path, "validation", 8, 0, processes=1)
    assert not tasks_file(tmp_path, "validation").exists()
    assert not record_file(tmp_path, "validation").exists()
    first, second = parts_of(tmp_path, "validation", 8, 0)
    assert record_of(first) is not None
    assert record_of(second) is None
    # A record without its tasks, or of another seed, is no part.
    assert record_of(first._replace(seed=1)) is None

    monkeypatch.setattr(builder, "make_part", make_part)
    told: list[tuple[int, int]] = []
    again = build_set(
        tmp_path, "validation", 8, 0, processes=1, progress=lambda *done: told.append(done)
    )
    assert (again.tasks, again.fresh) == (8, 4)
    assert told == [(4, 8), (8, 8)]
    same = tasks_file(built, "validation").read_bytes()
    assert tasks_file(tmp_path, "validation").read_bytes() == same


BUILD = """
import sys
from pathlib import Path
from server.research.task_sets import builder
whole = builder.seeds_of
builder.seeds_of = lambda split: whole(split)[:2]
builder.build_set(Path(sys.argv[1]), "validation", 8, 0, processes=1)
"""


def test_a_killed_build_goes_on_to_the_same_bytes(
    built: Path, tmp_path: Path, two_houses: None
) -> None:
    (tmp_path / "houses").symlink_to(built / "houses")
    build = subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)])
    first, second = parts_of(tmp_path, "validation", 8, 0)
    while record_of(first) is None:
        assert build.poll() is None
        time.sleep(0.01)
    build.kill()
    build.wait()
    assert record_of(second) is None
    assert not tasks_file(tmp_path, "validation").exists()
    again = build_set(tmp_path, "validation", 8, 0, processes=1)
    assert (again.tasks, again.fresh) == (8, 4)
    same = tasks_file(built, "validation").read_bytes()
    assert tasks_file(tmp_path, "validation").read_bytes() == same


def test_several_processes_make_the_same_set(built: Path, tmp_path: Path, two_houses: None) -> None:
    build_set(tmp_path, "validation", 8, 0, processes=2)
    same = tasks_file(built, "validation").read_bytes()
    assert tasks_file(tmp_path, "validation").read_bytes() == same


def test_a_house_that_gives_no_tasks_says_so(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.research.task_sets import parts
    from server.research.task_sets.task_trial import Tried

    monkeypatch.setattr(parts, "NUMBERS", 3)
    monkeypatch.setattr(
        parts, "try_task", lambda task, *_: Tried(task.task_id, "no plan", solved=False)
    )
    part = parts_of(built, "validation", 8, 9)[0]
    with pytest.raises(PartError, match=r"0 good tasks of 4 in 3 drafts.*no plan"):
        make_part(built, part)


# Commands


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["tasks", *arguments], env={"COLUMNS": "200", "CI": "1"})
    return result.exit_code, result.output


def test_commands_tell_of_a_set(built: Path) -> None:
    data = ("--data-dir", str(built))
    assert run("build", "validation", "--count", "8", *data) == (
        0,
        "validation: 8 tasks are current\n",
    )
    code, text = run("list", *data)
    assert code == 0
    assert "validation" in text
    assert "current" in text
    code, text = run("check", "validation", "--play", *data)
    assert (code, text) == (0, "8 tasks, 0 problems\n")
    code, text = run("report", *data)
    assert code == 0
    for words in ("co-reference", "propositions per task", "4.7", "95 % interval", "dropped:"):
        assert words in text
    episode = read_dataset(tasks_file(built, "validation"))[2]
    code, text = run("show", "validation", "3", *data)
    assert code == 0
    assert text.startswith(episode.instruction)
    assert "At the start" in text
    assert run("show", "validation", "99", *data)[0] == 1


def test_what_is_asked_wrongly_is_refused(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path))
    code, text = run("build", "training", *data)
    assert code == 1
    assert "expected sets of validation, test, train, forms, got training" in text
    code, text = run("check", "validation", *data)
    assert code == 1
    assert "validation.json.gz" in text
    assert "`cohabit tasks build` makes it" in text
    assert run("list", *data)[1].endswith("`cohabit tasks build` makes them\n")


def test_a_malformed_file_is_refused_with_the_place(built: Path, tmp_path: Path) -> None:
    rows = json.loads(gzip.decompress(tasks_file(built, "validation").read_bytes()))
    rows["episodes"][1]["evaluation_propositions"][0]["args"]["number"] = "two"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(rows))
    code, text = run("check", str(broken), "--data-dir", str(built))
    assert code == 1
    for words in (str(broken), "task 2", "evaluation_propositions[0].args.number", "'two'"):
        assert words in text.replace("\n", "")


def test_tasks_of_another_version_say_what_to_do(built: Path, tmp_path: Path) -> None:
    rows = json.loads(gzip.decompress(tasks_file(built, "validation").read_bytes()))
    for row in rows["episodes"]:
        row["info"]["cohabit"] |= {"scene_digest": "old", "generator": 0}
    (tmp_path / "tasks").mkdir()
    (tmp_path / "houses").symlink_to(built / "houses")
    write_catalogue(tmp_path, catalogue())
    tasks_file(tmp_path, "test").write_bytes(gzip.compress(json.dumps(rows).encode()))
    data = ("--data-dir", str(tmp_path))
    house = rows["episodes"][0]["scene_id"]
    wanted = f"made for another version of {house}; `cohabit tasks build test` makes it anew"
    for command in (
        ["tasks", "check", "test"],
        ["houses", "compare", "--tasks", "test"],
        ["houses", "show", house, "--task", "1", "--tasks", "test"],
    ):
        done = CliRunner().invoke(app, [*command, *data])
        assert done.exit_code == 1, command
        assert wanted in done.output, command
    assert "old: `cohabit tasks build` makes it anew" in run("list", *data)[1]
    settings = Settings(data_dir=tmp_path, dataset="tasks/test.json.gz", _env_file=None)
    finding = check_houses(settings)
    assert finding.stops_play
    assert finding.remedy == "cohabit tasks build test"


def test_first_tasks_of_another_version_are_built_again(houses_dir: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(houses_dir, data)
    whole = tasks_file(data).read_bytes()
    rows = json.loads(gzip.decompress(whole))
    rows["episodes"][0]["info"]["cohabit"]["scene_digest"] = "old"
    tasks_file(data).write_bytes(gzip.compress(json.dumps(rows).encode()))
    options = ["--data-dir", str(data)]
    done = CliRunner().invoke(app, ["houses", "check", *options])
    assert done.exit_code == 1
    assert "`cohabit houses build` makes it anew" in done.output
    assert CliRunner().invoke(app, ["houses", "build", "--first", *options]).exit_code == 0
    assert tasks_file(data).read_bytes() == whole


def test_a_record_that_is_broken_says_what_makes_it_anew(built: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    shutil.copy(tasks_file(built, "validation"), tasks_file(tmp_path, "validation"))
    data = ("--data-dir", str(tmp_path))
    code, text = run("report", *data)
    assert (code, "no record of how it was built" in text) == (0, True)
    record_file(tmp_path, "validation").write_text('{"seed": "none"')
    code, text = run("report", *data)
    assert code == 1
    assert str(record_file(tmp_path, "validation")) in text
    assert "`cohabit tasks build` makes it anew" in text


def test_a_killed_build_leaves_no_processes_and_no_half_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server.cli", "tasks", "build", "validation", "--count", "65",
               "--processes", "2", "--data-dir", str(tmp_path)]  # fmt: skip
    build = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    workers: list[psutil.Process] = []
    for _ in range(3000):
        workers = psutil.Process(build.pid).children(recursive=True)
        if len(workers) > 2 and list(tmp_path.rglob("*.record.json")):
            break
        assert build.poll() is None
        time.sleep(0.05)
    build.kill()
    build.wait()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive
    assert not list((tmp_path / "tasks").glob("*.json*"))
    for file in tmp_path.rglob("house_*.json.gz"):
        assert read_dataset(file)
