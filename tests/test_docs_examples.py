"""Examples in the documentation run as they stand.

A fenced block that opens with ```` ```python run ```` or ```` ```console run ```` is executed, all
blocks of a page in order and in one folder with a built house. In a console block, lines after a
command are what it prints, in order; ``…`` stands for anything.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from server.settings import Settings
from server.simulators.habitat.interpreter import VARIABLE as HABITAT_PYTHON

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    language: str
    code: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text()
    return [
        Block(m[1], m[3], text.count("\n", 0, m.start()) + 2)
        for m in FENCE.finditer(text)
        if m[2].split() == ["run"]
    ]


WITH_EXAMPLES = [page for page in PAGES if page.exists() and blocks(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_examples_run(page: Path, houses_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(houses_dir, tmp_path / "data")
    for block in blocks(page):
        place = f"{page.name}:{block.line}"
        if block.language == "python":
            _run([sys.executable, "-c", block.code], tmp_path, place)
        else:
            assert block.language == "console", f"{place}: cannot run {block.language}"
            _run_console(block.code, tmp_path, place)


def _run_console(code: str, folder: Path, place: str) -> None:
    for session in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        output = _run(["bash", "-c", command], folder, place)
        wanted = [line.strip() for line in expected.splitlines() if line.strip() not in {"", "…"}]
        pattern = ".*".join(re.escape(line).replace("…", ".*") for line in wanted)
        assert re.search(pattern, output, re.DOTALL), f"{place}: `{command}` printed:\n{output}"


def _run(command: list[str], folder: Path, place: str) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    env["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{place}: exit {done.returncode}:\n{done.stdout}"
    return done.stdout


@pytest.mark.parametrize("page", [p for p in PAGES if p.exists()], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    missing = [link for link in links if not (page.parent / link.split("#")[0]).exists()]
    assert missing == []


NAMED_FILE = re.compile(
    r"`((?:server|client|episodes|matchmaking|tests|scripts|docker|docs)/[\w./-]+|[A-Z]+\.md)`"
)
BUILT = ("server/web/static/client",)
"""Places that are only there once something has been built."""


@pytest.mark.parametrize("page", [p for p in PAGES if p.exists()], ids=lambda page: page.name)
def test_every_file_named_exists(page: Path) -> None:
    named = NAMED_FILE.findall(page.read_text())
    missing = [name for name in named if not (ROOT / name).exists() and name not in BUILT]
    assert missing == []


FOLDER_IN_A_PICTURE = re.compile(r"\b((?:server|client|episodes|matchmaking)(?:/\w+)+)")


def test_every_folder_in_a_picture_exists() -> None:
    text = (ROOT / "docs" / "development.md").read_text()
    pictures = [match[3] for match in FENCE.finditer(text) if match[1] == "mermaid"]
    named = [name for picture in pictures for name in FOLDER_IN_A_PICTURE.findall(picture)]
    assert len(pictures) == 5
    assert len(named) >= 10
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_the_ways_through_the_code_name_their_files() -> None:
    ways = (ROOT / "docs" / "development.md").read_text().split("## Four ways")[1].split("\n## ")[0]
    for way in ways.split("\n### ")[1:]:
        steps = re.findall(r"^\d+\. .*$", way, re.MULTILINE)
        assert len(steps) >= 10, way.split("\n")[0]
        assert all(NAMED_FILE.search(step) for step in steps), way.split("\n")[0]


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        (page.name, target)
        for page in PAGES
        if page.exists()
        for target in re.findall(r"(?:`|^\s*\$? ?)make ([a-z-]+)", page.read_text(), re.MULTILINE)
    }
    assert {(page, target) for page, target in named if target not in targets} == set()


def test_every_setting_named_exists() -> None:
    known = {f"COHABIT_{name.upper()}" for name in Settings.model_fields} | {HABITAT_PYTHON}
    named = {
        (page.name, setting)
        for page in PAGES
        if page.exists()
        for setting in re.findall(r"COHABIT_[A-Z_]*[A-Z]", page.read_text())
    }
    assert {(page, setting) for page, setting in named if setting not in known} == set()
