"""The rules of the checkout that no linter knows."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST_MODULE = 450


def _committed(*patterns: str) -> list[Path]:
    """Files of the repository (tracked, or about to be), not what tools left in the folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_modules_stay_small() -> None:
    """Keep files small: about 400 lines is where splitting is due."""
    sources = _committed("*.py", "*.ts")
    long = {p.name: n for p in sources if (n := _lines(p)) > LONGEST_MODULE and not _generated(p)}
    assert long == {}


def test_test_files_have_names_of_their_own() -> None:
    """Test files are imported by their bare names (so that helpers beside them import)."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in _committed("tests/*.py"):
        if path.name != "conftest.py":
            places[path.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_pages_have_no_text_of_other_hosts() -> None:
    """The browser loads everything from the server: a study runs in a closed network."""
    pages = _committed("server/web/*.html", "client/*.html", "client/src/*.css")
    loads = ('src="http', "src='http", "url(http", '@import "http', '<link href="http')
    found = [
        str(p.relative_to(ROOT)) for p in pages if any(word in p.read_text() for word in loads)
    ]
    assert found == []


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def _generated(path: Path) -> bool:
    return "generated" in path.name or "generated" in path.read_text()[:400].lower()
