"""All sets at their full size, as `cohabit tasks build` makes them (`make test-long`)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from episodes.dataset import read_dataset
from episodes.houses import first_house
from episodes.houses.splits import split_of
from episodes.tasks import check_task
from episodes.tasks.characteristics import distinct_wordings, unnamed
from episodes.tasks.versions import SETS
from server.research.task_sets.builder import SIZES, build_set


@pytest.mark.long
def test_whole_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried = solved = 0
    for name in SETS:
        began = time.monotonic()
        built = build_set(tmp_path, name, SIZES[name], 0)
        with capsys.disabled():
            print(f"\n{name}: {built.tasks} tasks in {time.monotonic() - began:.0f} s, "
                  f"{built.record.cpu_s:.0f} s of CPU, dropped {built.record.faults}")  # fmt: skip
        episodes = read_dataset(built.file)
        assert len(episodes) >= SIZES[name]
        if name == "forms":
            continue
        tried += sum(built.record.tried.values())
        solved += sum(built.record.solved.values())
        assert distinct_wordings(e.instruction for e in episodes) >= 0.8 * len(episodes)
        mean = sum(len(e.evaluation_propositions) for e in episodes) / len(episodes)
        assert 4.4 <= mean <= 5.0
        for episode in episodes:
            scene, catalogue = first_house(int(episode.scene_id.rpartition("_")[2]))
            assert split_of(scene.seed) == name
            assert check_task(episode, scene, catalogue) == []
            assert unnamed(episode, scene, catalogue) == []
    assert solved >= 0.99 * tried
