import os
from pathlib import Path

import pytest

from server.web.assets import asset_root
from tests.server.web.conftest import RunningSite


@pytest.fixture
def data(site: RunningSite) -> Path:
    folder = site.settings.data_dir
    (folder / "catalogue").mkdir()
    (folder / "catalogue" / "catalogue.json").write_text("{}")
    (folder / "catalogue" / "cup_1.glb").write_bytes(b"glTF cup")
    (folder / "houses" / "h1").mkdir(parents=True)
    (folder / "houses" / "h1" / "stage.glb").write_bytes(b"glTF stage")
    return folder


async def test_assets_below_their_version_are_kept_for_ever(site: RunningSite, data: Path) -> None:
    root = asset_root(data)
    answer = await site.browser().get(f"{root}/catalogue/cup_1.glb")
    assert answer.content == b"glTF cup"
    assert answer.headers["content-type"] == "model/gltf-binary"
    assert "immutable" in answer.headers["cache-control"]
    plain = await site.browser().get("/assets/houses/h1/stage.glb")
    assert plain.content == b"glTF stage"
    assert plain.headers["cache-control"] == "public, no-cache"
    assert plain.headers["etag"]


def test_the_version_changes_with_the_files(site: RunningSite, data: Path) -> None:
    before = asset_root(data)
    assert asset_root(data) == before
    os.utime(data / "catalogue" / "catalogue.json", ns=(1, 1))
    assert asset_root(data) != before


@pytest.mark.parametrize(
    "path",
    [
        "/assets/secret_key",
        "/assets/v-1/secret_key",
        "/assets/v-1/catalogue/../secret_key",
        "/assets/v-1/catalogue/%2e%2e/secret_key",
        "/assets/v-1/catalogue/%2e%2e%2fsecret_key",
        "/assets/v-1//etc/passwd",
        "/assets/v-1/catalogue/..%5csecret_key",
        "/assets/v-1/catalogue/catalogue.json",
        "/assets/v-1/cohabit.db",
        "/assets/v-1/catalogue/%00.glb",
        "/assets/v-1/catalogue/nothing.glb",
        "/static/client/.vite/manifest.json",
        "/static/client/../../app.py",
        "/static/client/%2e%2e/%2e%2e/app.py",
    ],
)
async def test_nothing_else_is_served(site: RunningSite, data: Path, path: str) -> None:
    answer = await site.browser().get(path)
    assert answer.status_code == 404, path


async def test_built_files_are_kept_for_ever(site: RunningSite) -> None:
    answer = await site.browser().get("/static/client/assets/site-1234.js")
    assert answer.status_code == 200
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
