"""A study's tutorial is held in the house of its tasks, or in the server's own."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from episodes.dataset import read_dataset, write_dataset
from episodes.houses.files import tasks_file
from matchmaking.study import Study
from matchmaking.study.design import Tasks
from matchmaking.study.pages import Lobby, Play, Tutorial
from server.recording.recordings import read_recording
from server.recording.tutorial_criterion import tutorial_outcome
from server.wire.messages import FinishInput
from tests.conftest import StartServer
from tests.load.protocol_client import ProtocolClient
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite
from tests.server.web.doubles import (
    Browser,
    boot_of,
    make_settings,
    proposition,
    verdict,
    write_client,
)
from tests.server.web.participants.visitors import AGREES, CONSENT, Visitor, short_study

SET = "rooms"
"""Set of the study's tasks, beside that of the server."""
STUDIES = "tests.server.web.participants.test_tutorial_house:in_house_of_tasks"


def study(**page: str) -> Study:
    """Return a study with a tutorial that measures two tasks of its set."""
    return short_study(
        pages=(CONSENT, Tutorial(**page), Lobby(), Play(episodes=1)),  # type: ignore[arg-type]
        tasks=Tasks(set=SET, ids=("1", "2")),
    )


def in_house_of_tasks() -> list[Study]:
    return [study(house="tasks")]


def write_set(data_dir: Path, houses_dir: Path) -> None:
    """Write the study's set: the first tasks with other words."""
    tasks = read_dataset(tasks_file(houses_dir, "first"))
    write_dataset(
        tasks_file(data_dir, SET),
        [replace(task, instruction=f"{task.instruction} It is a study's.") for task in tasks],
    )


def log_of(data_dir: Path, session_id: str) -> Path:
    """Return the recording of a session, wherever it lies in a data directory."""
    (file,) = data_dir.rglob(f"{session_id}.jsonl")
    return file


async def reach_tutorial(visitor: Visitor) -> None:
    """Go from the link to the tutorial, and into its house."""
    await visitor.begin()
    await visitor.send(AGREES)
    await visitor.send({})


@pytest.mark.parametrize("house", ["own", "tasks"])
async def test_the_house_is_the_one_that_the_study_says(
    make_site: MakeSite, tmp_path: Path, play_dir: Path, house: str
) -> None:
    settings = make_settings(tmp_path)
    for name in ("houses", "catalogue"):
        (settings.data_dir / name).symlink_to(play_dir / name)
    write_set(settings.data_dir, play_dir)
    async with make_site(study(house=house)).running() as site:
        ann = Visitor(site)
        await reach_tutorial(ann)
        (spec, episode, _) = site.host.opened[-1]
        assert spec.purpose == "tutorial"
        where = {"own": ("tasks/first.json.gz", "t0"), "tasks": (f"tasks/{SET}.json.gz", "7")}
        assert (episode.dataset, episode.task_id) == where[house]
        # A further task of the session is in the same house.
        await site.host.finish(spec.session_id, verdict(proposition(0, satisfied=False)))
        source = await site.state.sessions._plans.source(spec.session_id)
        assert source.dataset == episode.dataset


async def test_the_practice_is_no_task_that_the_study_measures(make_site: MakeSite) -> None:
    of = study(house="own")
    async with make_site(replace(of, tasks=Tasks(ids=("t0", "t2")))).running() as site:
        ann = Visitor(site)
        await reach_tutorial(ann)
        (_, episode, _) = site.host.opened[-1]
        assert episode.task_id == "t1", "the easiest is t0"


@pytest.mark.long
@pytest.mark.processes
async def test_somebody_practises_in_the_house_of_the_tasks(
    start_server: StartServer, data_dir: Path, tmp_path: Path
) -> None:
    write_client(tmp_path / "client")
    write_set(data_dir, data_dir)
    server = start_server(client_dir=tmp_path / "client", studies=STUDIES)
    web = httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S)
    ann = Visitor(None, Browser(web, server.url))  # type: ignore[arg-type]
    await reach_tutorial(ann)
    boot = boot_of(ann.page.text)
    address = server.url.replace("http", "ws") + "/ws/play"
    async with ProtocolClient(address, server.url, boot["token"]) as person:
        await person.until_playing()
        assert person.model.task_text.endswith("It is a study's.")
        for _ in range(20):
            await person.drive(500)
        await person.say("hello")
        await person.until(lambda: len(person.model.chat) >= 2)
        await person.send(FinishInput())
        await person.until(lambda: person.over)
    await ann.open("/visit")
    assert ann.path == "/visit/tutorial"
    # Its task is not done: it is gone on with, and the recording has what was practised.
    file = log_of(data_dir, boot["sessionId"])
    outcome = tutorial_outcome(read_recording(file)[-1], "human_0")
    assert outcome.practised == {"walk", "ask"}
    assert not outcome.passed
    await web.aclose()
