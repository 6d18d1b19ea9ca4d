"""Tables that the analysis script reads: each once, until its file is another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from analyse_study import analyse
from study_rows import notes, table

from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

KINDS = ("none", "verdict", "partnr", "ours")


def test_each_table_is_read_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    effects = Effects(dict.fromkeys(KINDS, -6.5), dict.fromkeys(KINDS, 0.0))
    study = read_study(ready_text("explanation")).study
    write_synthetic(folder, study, effects, groups_each=4, n_tasks=4)
    read, files = pd.read_csv, Counter[str]()

    def counted(file: Path, **options: Any) -> pd.DataFrame:
        files[file.name] += 1
        return read(file, **options)

    monkeypatch.setattr(pd, "read_csv", counted)
    analyse(folder)
    assert list(notes(folder))
    assert "description-episodes_data.csv" in files
    assert set(files.values()) == {1}
    rows = table(folder, "episodes")
    rows["condition"] = "changed by whoever asked for it"
    assert set(table(folder, "episodes")["condition"]) <= set(KINDS)
    rows.iloc[:5].to_csv(folder / "data" / "description-episodes_data.csv", index=False)
    assert len(table(folder, "episodes")) == 5
