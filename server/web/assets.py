"""Assets: models of houses and things below the data directory, and the built client's files.

The asset root carries a version of all files, so that browsers may keep them for ever and still get
new ones when houses are built again.
"""

from __future__ import annotations

import hashlib
import re
import stat
from pathlib import Path

import anyio
from fastapi import APIRouter, Request
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from server.web.application_state import AppState
from server.web.errors import not_found

router = APIRouter(default_response_class=Response)

FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "public, no-cache"
GLB = "model/gltf-binary"
PACKED = ".gz"
"""Ending of the name of a packed copy, which lies beside the file that it is a copy of."""
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
async def asset(request: Request, state: AppState, version: str, path: str) -> Response:
    """Serve one file of the data directory.

    With the version of what is on disk in the path, the answer is kept for ever. Without one, or
    with another (a page that was open while houses were built), the browser asks again.
    """
    data_dir = state.settings.data_dir
    name = path if version.startswith("v-") else f"{version}/{path}"
    if _ASSET.fullmatch(name) is None:
        raise not_found()
    file = data_dir / name
    try:
        status = await anyio.to_thread.run_sync(file.stat)
    except OSError as error:
        raise not_found() from error
    if not stat.S_ISREG(status.st_mode):
        raise not_found()
    is_current = version.startswith("v-") and (
        await anyio.to_thread.run_sync(asset_root, data_dir) == f"/assets/{version}"
    )
    response = FileResponse(
        file,
        media_type=GLB,
        stat_result=status,
        headers={"cache-control": FOR_EVER if is_current else ASK_FIRST},
    )
    if _FILES.is_not_modified(response.headers, request.headers):
        return NotModifiedResponse(response.headers)
    return response


class ClientFiles(StaticFiles):
    """Files of the built client. Vite puts a hash into the names below ``assets/``.

    It also writes packed copies of scripts and styles, for browsers that take them: the first visit
    on a slow line needs them, and packing here would hold up those who play.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        if ".vite" in Path(path).parts:
            raise not_found()
        response = await self._packed(path, scope) or await super().get_response(path, scope)
        hashed = Path(path).parts[:1] == ("assets",)
        response.headers["cache-control"] = FOR_EVER if hashed else ASK_FIRST
        response.headers["vary"] = "accept-encoding"
        return response

    async def _packed(self, path: str, scope: Scope) -> Response | None:
        """Return the packed copy of a file if there is one and the browser takes it."""
        if scope["method"] not in ("GET", "HEAD") or not _takes_packed(Headers(scope=scope)):
            return None
        full_path, status = await anyio.to_thread.run_sync(self.lookup_path, path + PACKED)
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        response = self.file_response(full_path, status, scope)
        response.headers["content-encoding"] = "gzip"
        return response


def _takes_packed(headers: Headers) -> bool:
    for offer in headers.get("accept-encoding", "").split(","):
        coding, _, weight = offer.replace(" ", "").lower().partition(";q=")
        if coding == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


_FILES = StaticFiles()
