import gzip
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


async def test_a_version_that_is_gone_is_not_kept(site: RunningSite, data: Path) -> None:
    before = asset_root(data)
    (data / "catalogue" / "cup_1.glb").write_bytes(b"glTF another cup")
    os.utime(data / "catalogue" / "catalogue.json", ns=(1, 1))
    for root, kept in ((before, "public, no-cache"), (asset_root(data), "immutable")):
        answer = await site.browser().get(f"{root}/catalogue/cup_1.glb")
        assert answer.content == b"glTF another cup"
        assert kept in answer.headers["cache-control"]


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


async def test_a_model_that_the_browser_has_is_not_sent_again(
    site: RunningSite, data: Path
) -> None:
    client = site.browser().client
    for path in (f"{asset_root(data)}/catalogue/cup_1.glb", "/assets/houses/h1/stage.glb"):
        first = await client.get(path)
        known = {"if-none-match": first.headers["etag"]}
        again = await client.get(path, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == first.headers["cache-control"]
        other = await client.get(path, headers={"if-none-match": '"something else"'})
        assert other.content == first.content


async def test_scripts_come_packed_to_browsers_that_take_it(site: RunningSite) -> None:
    path, built = "/static/client/assets/site-1234.js", b"export {};"
    file = site.settings.client_dir / "assets" / "site-1234.js.gz"
    client = site.browser().client
    file.write_bytes(gzip.compress(built))
    (file.parent / "world-1234.js").write_text("export {};")
    for takes, is_packed in (
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.5", True),
        ("br, gzip;q=0", False),
        ("identity", False),
    ):
        answer = await client.get(path, headers={"accept-encoding": takes})
        assert answer.content == built
        assert answer.headers.get("content-encoding") == ("gzip" if is_packed else None), takes
        assert "javascript" in answer.headers["content-type"]
        assert answer.headers["vary"] == "accept-encoding"
        assert "immutable" in answer.headers["cache-control"]
        known = {"accept-encoding": takes, "if-none-match": answer.headers["etag"]}
        assert (await client.get(path, headers=known)).status_code == 304
    # A file without a packed copy, and a page, which may hold a token.
    plain = await client.get("/static/client/assets/world-1234.js")
    assert plain.status_code == 200
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in (await client.get("/")).headers
