"""Model servers: from settings, over to workers; and when robots are offered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.lobby.model_watch import ModelWatch
from server.lobby.robot_partners import RobotPartners
from server.robots.models.model_server import ModelServer, from_environment, to_environment
from server.settings import Settings
from tests.model_double import ModelDouble, Reply, named
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes


def settings_of(folder: Path, **options: object) -> Settings:
    return Settings(data_dir=folder, _env_file=None, **options)  # type: ignore[arg-type]


def test_a_worker_knows_the_server_of_the_settings(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path, model_url="http://model:1/v1", model_key="sesame", model_deadline_s=7.5
    )
    server = ModelServer.of(settings)
    assert server == ModelServer("http://model:1/v1", api_key="sesame", deadline_s=7.5)
    assert from_environment(to_environment(server)) == server
    assert "sesame" not in repr(server)


def test_without_an_address_there_is_none(tmp_path: Path) -> None:
    assert ModelServer.of(settings_of(tmp_path, model_name="big")) is None
    assert from_environment(to_environment(None)) is None


@pytest.mark.parametrize(("key", "works"), [("sesame", True), ("wrong", False)])
async def test_robots_with_a_model_are_offered_while_it_answers(
    tmp_path: Path, key: str, works: bool
) -> None:
    with ModelDouble(key="sesame") as double:
        robots = RobotPartners(settings_of(tmp_path, model_url=double.url, model_key=key))
        assert not robots.is_offered("react")
        await robots.model_watch.look()
        assert robots.is_offered("react") == works
    await robots.model_watch.look()
    assert not robots.is_offered("react")
    # A script needs nobody.
    assert robots.is_offered("expert")


@pytest.mark.parametrize("fault", ["slow:30", "endless", "garbage", "429", "500", "hang-up"])
async def test_robots_are_not_offered_while_a_server_only_lists_its_models(
    tmp_path: Path, fault: str
) -> None:
    with ModelDouble() as double:
        # The deadline is long enough for an instant answer on a machine with other things to do.
        robots = RobotPartners(settings_of(tmp_path, model_url=double.url, model_slow_s=2.0))
        await robots.model_watch.look()
        assert robots.is_offered("react")
        double.behave = named(fault)
        await robots.model_watch.look()
        assert [entry.name for entry in robots.offered()] == ["expert:partner", "expert"]
        double.behave = named("says:yes")
        await robots.model_watch.look()
        assert robots.is_offered("react")


async def test_robots_are_not_offered_with_a_model_that_the_server_lacks(tmp_path: Path) -> None:
    with ModelDouble(models=("big",)) as double:
        double.behave = lambda asked: (
            Reply("yes") if asked.body["model"] == "big" else Reply("no such model", status=404)
        )
        for name, works in (("big", True), ("small", False)):
            robots = RobotPartners(settings_of(tmp_path, model_url=double.url, model_name=name))
            await robots.model_watch.look()
            assert robots.is_offered("react") == works


async def test_P8_a_model_without_a_chat_template_answers_too(tmp_path: Path) -> None:
    with ModelDouble() as double:
        double.behave = lambda asked: (
            Reply("no template", status=400) if "messages" in asked.body else Reply("yes")
        )
        robots = RobotPartners(settings_of(tmp_path, model_url=double.url))
        await robots.model_watch.look()
        assert robots.is_offered("react")


@pytest.mark.parametrize(
    ("robot", "shown"),
    [
        ("expert", ["expert", "cohab", "helper", "llamar", "react"]),
        ("react:think_s=2", ["react:think_s=2", "cohab", "expert", "helper", "llamar", "react"]),
        ("random", ["random", "cohab", "expert", "helper", "llamar", "react"]),
    ],
)
def test_the_robot_of_the_settings_is_one_that_can_be_seen(
    tmp_path: Path, robot: str, shown: list[str]
) -> None:
    robots = RobotPartners(settings_of(tmp_path, robot=robot))
    assert [entry.name for entry in robots.entries] == shown


async def test_nobody_is_given_another_robot_than_that_of_the_settings(tmp_path: Path) -> None:
    with ModelDouble() as double:
        robots = RobotPartners(settings_of(tmp_path, model_url=double.url, robot="react"))
        # Who asks for a robot gets one that works; who asked for none waits on.
        assert (robots.default(), robots.automatic()) == ("expert", "")
        await robots.model_watch.look()
        assert (robots.default(), robots.automatic()) == ("react", "react")


async def test_nobody_is_watched_where_no_server_is_set(tmp_path: Path) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await RobotPartners(settings_of(tmp_path)).model_watch.watch()


async def test_a_look_that_goes_wrong_is_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    async def look() -> None:
        nonlocal looks
        looks += 1
        if looks > 1:
            raise asyncio.CancelledError
        raise RuntimeError("of a kind that nobody thought of")

    watch = ModelWatch(settings_of(tmp_path, model_url="http://127.0.0.1:9/v1"))
    monkeypatch.setattr(watch, "look", look)
    monkeypatch.setattr("server.lobby.model_watch.WATCH_S", 0.0)
    with pytest.raises(asyncio.CancelledError):
        await watch.watch()
    assert looks == 2
