"""A run whose prompts outgrow the model's context says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.research.trials.plan import MOST_TICKS, Run, Trial, pair_of
from server.research.trials.run_figures import figures_of
from server.research.trials.runs import Place, play
from server.research.trials.table import table_of
from server.research.trials.table_output import notes_of
from server.robots.models.model_server import ModelServer
from tests.model_double import ModelDouble, Reply

pytestmark = pytest.mark.processes

TRIAL = Trial(
    robots=("react",), partners=("scripted",), dataset="tasks/first.json.gz", tasks=("2",),
    latency_s=1.0,
)  # fmt: skip
SAYS = (
    "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens.",
    "The decoder prompt (length 5012) is longer than the maximum model length of 4096.",
)


@pytest.mark.parametrize("says", SAYS)
def test_a_run_that_dies_of_context_length_says_so(
    says: str, houses_dir: Path, tmp_path: Path
) -> None:
    run, wait = Run(pair_of("react", "scripted"), "2", 0), "Thought: I wait.\nWait[]\n"
    with ModelDouble(
        lambda asked: Reply(wait) if asked.number < 1 else Reply(says, status=400)
    ) as double:
        place = Place(houses_dir, tmp_path, ModelServer(double.url))
        play(place, TRIAL, run)
    assert figures_of(run, place.recording(run), MOST_TICKS).out_of_context
    lines = table_of([(run, place.recording(run))])
    told = " ".join(notes_of(lines, MOST_TICKS))
    assert "react with scripted: in 1 of 1 episodes a prompt was longer than the model's" in told


def test_other_refusals_are_not_of_context(houses_dir: Path, tmp_path: Path) -> None:
    run = Run(pair_of("react", "scripted"), "2", 0)
    with ModelDouble(Reply("no such adapter", status=404)) as double:
        place = Place(houses_dir, tmp_path, ModelServer(double.url))
        play(place, TRIAL, run)
    assert not figures_of(run, place.recording(run), MOST_TICKS).out_of_context
