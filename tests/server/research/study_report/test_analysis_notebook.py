"""The analysis notebook: its cells run on an export as it is, and say what the script says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from analyse_study import analyse
from study_rows import attempts

from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

SCRIPTS = Path(__file__).parents[4] / "scripts"
NOTEBOOK = json.loads((SCRIPTS / "analyse_study.ipynb").read_text(encoding="utf-8"))
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
AT_THE_END = """
print(json.dumps({
    "attempts": int(by_condition["attempts"].sum()),
    "declared": [[one.name, one.estimate] for one in declared],
    "times": [[one.name, one.estimate] for one in times],
    "curves": sorted(curves),
    "lines": len(axes.get_lines()),
}))
"""


def test_the_notebook_is_kept_without_outputs() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["metadata"]["kernelspec"]["name"]) == (4, "python3")
    cells = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert {(len(cell["outputs"]), cell["execution_count"]) for cell in cells} == {(0, None)}


@pytest.mark.long
def test_its_cells_say_what_the_script_says(tmp_path: Path) -> None:
    study = read_study(ready_text("explanation")).study
    folder = tmp_path / "data"
    hazards = {"none": -7.0, "verdict": -6.8, "partnr": -6.4, "ours": -5.8}
    effects = Effects(log_hazard=hazards, load=dict.fromkeys(hazards, 0.0))
    write_synthetic(folder, study, effects, groups_each=8, n_tasks=4)
    # Cell after cell in one process, as Jupyter runs them, which this does not need.
    run = subprocess.run(
        [sys.executable, "-"],
        input="\n".join([*CODE, AT_THE_END]),
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPTS,
        env={**os.environ, "STUDY_EXPORT": str(folder), "MPLBACKEND": "Agg"},
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout.splitlines()[-1])
    declared, times = analyse(folder)
    assert told["declared"] == [[one.name, pytest.approx(one.estimate)] for one in declared]
    assert told["times"] == [[one.name, pytest.approx(one.estimate)] for one in times]
    assert told["curves"] == sorted(cell.name for cell in study.cells)
    assert told["lines"] == len(study.cells)
    assert told["attempts"] == len(attempts(folder)) > 0
