"""Assets: models of houses and things below the data directory, and the built client's files.

The asset root carries a version of all files, so that browsers may keep them for ever and still get
new ones when houses are built again.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from server.web.application_state import AppState
from server.web.errors import not_found

router = APIRouter(default_response_class=Response)

FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "public, no-cache"
GLB = "model/gltf-binary"
# The data directory also holds the key and the database: only models, only in their folders.
_ASSET = re.compile(r"(?:catalogue|houses)(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+\.glb")


def asset_root(data_dir: Path) -> str:
    """Return where the play page finds assets; it changes whenever any of them may have."""
    digest = hashlib.sha256()
    indices = [data_dir / "catalogue" / "catalogue.json"]
    indices += sorted((data_dir / "houses").glob("*/scene.json"))
    for index in indices:
        if index.is_file():
            stat = index.stat()
            digest.update(f"{index.parent.name} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    return f"/assets/v-{digest.hexdigest()[:12]}"


@router.get("/assets/{version}/{path:path}")
async def asset(state: AppState, version: str, path: str) -> Response:
    """Serve one file of the data directory.

    With a version in the path the answer is kept for ever; without, the browser asks again.
    """
    is_versioned = version.startswith("v-")
    name = path if is_versioned else f"{version}/{path}"
    if _ASSET.fullmatch(name) is None:
        raise not_found()
    file = state.settings.data_dir / name
    if not file.is_file():
        raise not_found()
    return FileResponse(
        file,
        media_type=GLB,
        headers={"cache-control": FOR_EVER if is_versioned else ASK_FIRST},
    )


class ClientFiles(StaticFiles):
    """Files of the built client. Vite puts a hash into the names below ``assets/``."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if ".vite" in Path(path).parts:
            raise not_found()
        response = await super().get_response(path, scope)
        hashed = Path(path).parts[:1] == ("assets",)
        response.headers["cache-control"] = FOR_EVER if hashed else ASK_FIRST
        return response
