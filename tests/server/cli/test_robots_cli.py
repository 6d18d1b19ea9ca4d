"""`cohabit robots`: trying a server out, and what `serve` says before anything is started."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner, Result

from server.cli.robots import app
from server.robots.serving import environment
from server.robots.serving.environment import EnvironmentFailedError, VllmEnvironment, prepare
from server.robots.serving.vllm_process import LaunchError, Serving, VllmProcess, flags, variables
from tests.live_server import free_port
from tests.model_double import Asked, ModelDouble, Reply


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "160"})


def obeying(asked: Asked) -> Reply:
    """Answer as a server does that holds constraints."""
    answers = {
        "grammar": "Thought: rain falls\nNavigate[kitchen_1]\nAssigned!",
        "json": '{"tool": "Explore", "room": "bedroom_1"}',
        "regex": "Pick[cup_0]",
        "choice": "Done[]",
    }
    kinds = list(asked.constraint)
    return Reply(answers[kinds[0]] if kinds else "one two three")


@pytest.fixture
def double() -> Iterator[ModelDouble]:
    with ModelDouble(obeying, models=("big", "adapter")) as running:
        yield running


def test_check_shows_models_constraints_and_times(double: ModelDouble) -> None:
    done = run("check", double.url)
    assert done.exit_code == 0, done.output
    for text in ("healthy", "big, adapter", "grammar", "Pick[cup_0]", "calls at once"):
        assert text in done.output
    assert double.most_running > 4


def test_check_for_programs(double: ModelDouble) -> None:
    found = json.loads(run("check", double.url, "--output", "json").stdout)
    assert found["models"] == ["big", "adapter"]
    assert {c["kind"]: c["did"] for c in found["constraints"]} == dict.fromkeys(
        ("grammar", "json", "regex", "choice"), True
    )
    assert [t["calls"] for t in found["timings"]] == [1, 4, 16]


def test_a_server_that_ignores_constraints_is_found_out(double: ModelDouble) -> None:
    double.behave = lambda _asked: Reply("Rain, rain, go away")
    done = run("check", double.url)
    assert done.exit_code == 1
    assert "Constraints do not hold here" in done.output


def test_a_server_that_refuses_constraints_is_found_out(double: ModelDouble) -> None:
    double.behave = lambda asked: Reply("no grammars", status=400 if asked.constraint else 200)
    done = run("check", double.url)
    assert done.exit_code == 1
    assert "no grammars" in done.output


def test_check_of_a_model_that_is_not_there(double: ModelDouble) -> None:
    done = run("check", double.url, "--model", "small")
    assert done.exit_code == 1
    assert "has no model small" in done.output


@pytest.mark.parametrize("url", ["127.0.0.1:8100", "ftp://models"])
def test_check_wants_a_web_address(url: str) -> None:
    done = run("check", url)
    assert done.exit_code == 1
    assert "expected an address such as" in done.output


def test_serve_wants_adapters_that_are_there() -> None:
    done = run("serve", "model", "--cpu", "--lora", "calm=/nowhere/at/all")
    assert done.exit_code == 2
    assert "expected NAME=DIR" in done.output


@pytest.mark.parametrize(
    ("model", "said"), [("/nowhere/at/all", "expected a folder"), (".", "no config.json")]
)
def test_serve_says_at_once_what_is_no_model(
    model: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("serve", model, "--cpu")
    assert done.exit_code == 2
    assert said in done.output


def _adapter(folder: Path, **about: object) -> str:
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps(about))
    return str(folder)


def test_serve_wants_adapters_of_peft_and_a_name_for_each(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("serve", "model", "--cpu", "--lora", f"calm={tmp_path / 'empty'}")
    assert done.exit_code == 2
    assert "adapter_config.json" in done.output
    made = _adapter(tmp_path / "made", r=8)
    done = run("serve", "model", "--cpu", "--lora", f"calm={made}", "--lora", f"calm={made}")
    assert done.exit_code == 2
    assert "calm twice" in done.output


# vLLM's command line and environment


@pytest.mark.parametrize(
    ("about", "highest"),
    [({"r": 8}, "8"), ({"r": 132}, "256"), ({"r": 8, "rank_pattern": {"q_proj": 40}}, "64")],
)
def test_adapters_of_any_rank_are_let_in(
    tmp_path: Path, about: dict[str, object], highest: str
) -> None:
    """PARTNR's rank, the default of our training script, is 132."""
    loras = {"a": _adapter(tmp_path / "a", **about), "b": _adapter(tmp_path / "b", r=1)}
    words = flags(Serving(model="m", loras=loras), "gpu")
    assert words[words.index("--max-lora-rank") + 1] == highest
    assert words[words.index("--max-loras") + 1] == "2"


def test_flags_for_a_gpu_and_for_a_cpu() -> None:
    serving = Serving(model="m", port=8101, loras={"calm": "/l"}, max_model_len=4096)
    gpu, cpu = " ".join(flags(serving, "gpu")), " ".join(flags(serving, "cpu"))
    for words in ("--port 8101", "--enable-prefix-caching", "--lora-modules calm=/l", "4096"):
        assert words in gpu
        assert words in cpu
    assert '"backend":"xgrammar"' in gpu
    assert "--enforce-eager" in cpu
    assert "--enforce-eager" not in gpu


def test_the_key_is_not_on_the_command_line() -> None:
    serving = Serving(model="m", api_key="sesame")
    assert "sesame" not in " ".join(flags(serving, "gpu")) + repr(serving)
    assert variables(serving, "gpu")["VLLM_API_KEY"] == "sesame"


def test_no_word_to_the_outside_about_usage() -> None:
    assert variables(Serving(model="m"), "cpu")["VLLM_NO_USAGE_STATS"] == "1"


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        where = VllmEnvironment("cpu", tmp_path, tmp_path / "lock.txt")
        process = VllmProcess(where, Serving(model="m", port=port), tmp_path / "log")
        with pytest.raises(LaunchError, match=f"port {port}"):
            process.start()


def test_vllm_that_ends_at_once_is_reported_with_its_words(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\necho no such model >&2\nexit 3\n")
    python.chmod(0o755)
    where = VllmEnvironment("cpu", tmp_path, tmp_path / "lock.txt")
    process = VllmProcess(where, Serving(model="m", port=free_port()), tmp_path / "log")
    process.start()
    with pytest.raises(LaunchError, match="no such model") as told:
        process.wait_until_healthy(30, lambda _line: None)
    process.stop()
    # Its own last words are the last: the guard adds none.
    assert str(told.value).endswith("no such model")


PARENT = """
import sys, time
from pathlib import Path
from server.robots.serving.environment import VllmEnvironment
from server.robots.serving.vllm_process import Serving, VllmProcess

folder = Path(sys.argv[1])
where = VllmEnvironment("cpu", folder, folder / "lock.txt")
process = VllmProcess(where, Serving(model="m", port=int(sys.argv[2])), folder / "log")
process.start()
if sys.argv[3] == "stop":
    while not (folder / "pid").exists():
        time.sleep(0.01)
    process.stop()
else:
    time.sleep(1000)
"""


@pytest.mark.processes
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_no_vllm_outlives_what_started_it(tmp_path: Path, end: str) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    pid = tmp_path / "pid"
    # It has a process of its own too, as vLLM has.
    python.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > {pid}.new\nmv {pid}.new {pid}\nwait\n")
    python.chmod(0o755)
    command = [sys.executable, "-c", PARENT, str(tmp_path), str(free_port()), end]
    parent = subprocess.Popen(command, cwd=Path(__file__).parents[3])
    while not pid.exists():
        assert parent.poll() in (None, 0)
        time.sleep(0.01)
    if end == "kill":
        parent.kill()
    parent.wait(60)
    with contextlib.suppress(psutil.NoSuchProcess):
        engine = psutil.Process(int(pid.read_text()))
        assert engine.status() == psutil.STATUS_ZOMBIE or psutil.wait_procs([engine], 60)[0]


# The environment


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a lock file of one package that no index has, instead of vLLM's."""
    folder = tmp_path / "requirements"
    folder.mkdir()
    path = folder / "vllm-server-cpu.txt"
    path.write_text(
        f"no-package-has-this-name==1.0 \\\n    --hash=sha256:{'0' * 64}\n    # via x\n"
    )
    monkeypatch.setattr(environment, "_REQUIREMENTS", folder)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return path


@pytest.mark.processes
@pytest.mark.usefixtures("lock")
def test_a_failed_installation_leaves_nothing_but_its_log(cache: Path) -> None:
    with pytest.raises(EnvironmentFailedError, match="no-package-has-this-name"):
        prepare("cpu", lambda _line: None)
    left = sorted(path.suffix for path in (cache / "cohabit" / "vllm").iterdir())
    assert left == [".lock", ".log"]


@pytest.mark.usefixtures("cache")
def test_another_lock_means_another_environment(lock: Path) -> None:
    before = VllmEnvironment.find("cpu").folder
    lock.write_text(lock.read_text().replace("1.0", "1.1"))
    assert VllmEnvironment.find("cpu").folder != before


def _made(cache: Path, name: str) -> Path:
    folder = cache / "cohabit" / "vllm" / name
    (folder / "bin").mkdir(parents=True)
    with (folder / "bin" / "python").open("wb") as file:
        file.truncate(200_000_000)
    folder.with_suffix(".log").write_text("made")
    return folder


def test_clean_removes_what_no_lock_file_is_for_and_nothing_runs_from(
    cache: Path, lock: Path
) -> None:
    lock.with_name("vllm-server.txt").write_text("nothing==1.0\n")
    assert "there are none" in run("clean").output
    old = _made(cache, "cpu-000000000000")
    used = _made(cache, "gpu-111111111111")
    mine = _made(cache, VllmEnvironment.find("cpu").folder.name)
    tiny = cache / "cohabit" / "vllm" / "tiny-1"
    tiny.mkdir()
    (used / "bin" / "python").unlink()
    (used / "bin" / "python").symlink_to(shutil.which("sleep") or "sleep")
    running = subprocess.Popen([used / "bin" / "python", "60"])
    try:
        done = run("clean")
    finally:
        running.kill()
        running.wait()
    assert done.exit_code == 0
    words = " ".join(done.output.split())
    assert f"removed {old}: 0.2 GB" in words
    assert f"kept {used}: vLLM runs from it" in words
    assert not old.exists()
    assert not old.with_suffix(".log").exists()
    assert used.exists()
    assert mine.exists()
    assert tiny.exists()


@pytest.mark.usefixtures("cache")
def test_no_room_is_said_before_anything_is_downloaded(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(environment._NEEDED_GB, "cpu", 1e9)
    with pytest.raises(EnvironmentFailedError, match="make room"):
        prepare("cpu", lambda _line: None)


@pytest.mark.usefixtures("cache")
def test_without_lock_files_it_says_what_else_to_do(lock: Path) -> None:
    lock.unlink()
    with pytest.raises(EnvironmentFailedError, match="COHABIT_MODEL_URL"):
        prepare("cpu", lambda _line: None)


def test_list_names_every_policy_and_configuration() -> None:
    shown = CliRunner().invoke(app, ["list"], env={"COLUMNS": "120"})
    assert shown.exit_code == 0, shown.output
    for name in ("cohab", "react", "partnr-tools", "scripted", "contrary", "reads the goal"):
        assert name in shown.output


def test_the_list_names_policies_and_where_else_they_come_from() -> None:
    done = run("list")
    assert done.exit_code == 0
    for name in ("cohab", "expert", "partnr-centralised", "remote:NAME", "FILE.py"):
        assert name in done.stdout
