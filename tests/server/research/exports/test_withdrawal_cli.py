"""`cohabit study withdraw` and `export`, one after the other, as a researcher runs them."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest

from tests.server.cli.test_study_runs import ok, refused
from tests.server.research.exports.made_data import KEY, OF, close_study, make

pytestmark = pytest.mark.processes


def answered(target: Path) -> set[str]:
    """Return the people of whom an export has answers."""
    with (target / "data" / "description-responses_data.csv").open(newline="") as stream:
        return {row["participant_id"] for row in csv.DictReader(stream)}


def episodes(target: Path) -> list[str]:
    """Return the episodes that an export has."""
    with (target / "data" / "description-episodes_data.csv").open(newline="") as stream:
        return [row["episode_id"] for row in csv.DictReader(stream)]


def test_D8_who_writes_to_the_researchers_is_in_no_later_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "data"))
    asyncio.run(close_study(made))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    before, after, last = tmp_path / "before", tmp_path / "after", tmp_path / "last"
    assert "5 participants" in ok("export", OF.name, "--out", before)
    assert len(answered(before)) == 4, "who withdrew is not among five"
    told = ok("withdraw", OF.name, "vis_ann", "--erase")
    (ann,) = (word for word in told.split() if word.startswith("par_"))
    ok("export", OF.name, "--out", after)
    assert answered(before) - answered(after) == {ann}
    assert episodes(before) == ["epi_1", "epi_2"]
    assert episodes(after) == []
    # Another one by the pseudonym of an export.
    (bob, *_) = sorted(answered(after))
    assert bob in ok("withdraw", OF.name, bob)
    ok("export", OF.name, "--out", last)
    assert answered(last) == answered(after) - {bob}
    assert "has no visit or participant 'par_nobody'" in refused("withdraw", OF.name, "par_nobody")
