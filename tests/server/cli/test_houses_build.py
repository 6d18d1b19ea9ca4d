"""Houses that are built beside a running server: nothing that its sessions play in is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.houses import DEFAULT_SEED
from episodes.houses.files import catalogue_file, scene_file
from episodes.houses.generator import scene_id_of
from episodes.houses.splits import seeds_of
from server.cli.main import app
from server.owner_lock import FILE, holder_of, own_folder


def build(data: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["houses", "build", "--data-dir", str(data), *options])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("built")
    assert build(data, "--first")[0] == 0
    return data


def test_nothing_is_replaced_while_a_server_runs(built: Path) -> None:
    house = scene_file(built, scene_id_of(DEFAULT_SEED))
    before = [file.stat() for file in (house, catalogue_file(built))]
    with own_folder(built, "main"):
        status, said = build(built, "--first", "--force")
        assert status == 1
        assert "is held by the server 'main'" in said
        assert "nothing has been changed" in said
        # What is current, or new, disturbs nobody.
        assert build(built, "--first") == (0, "everything is current\n")
        assert build(built, "--seed", "8")[0] == 0
    assert [file.stat() for file in (house, catalogue_file(built))] == before


def test_a_catalogue_that_has_changed_waits_for_the_server(built: Path) -> None:
    catalogue_file(built).write_bytes(b"{}")
    with own_folder(built, "main"):
        assert build(built, "--first")[0] == 1
    assert catalogue_file(built).read_bytes() == b"{}"
    assert build(built, "--first")[0] == 0
    assert holder_of(built / FILE) is None
    assert not (built / FILE).exists()


def test_tasks_replace_no_house_while_a_server_runs(built: Path) -> None:
    (seed, *_) = seeds_of("validation")
    house = scene_file(built, scene_id_of(seed))
    house.parent.mkdir(exist_ok=True)
    house.write_bytes(b"{}")
    with own_folder(built, "main"):
        done = CliRunner().invoke(
            app, ["tasks", "build", "validation", "--count", "1", "--data-dir", str(built)]
        )
    assert done.exit_code == 1
    assert "is held by the server 'main'" in done.output
    assert house.read_bytes() == b"{}"
