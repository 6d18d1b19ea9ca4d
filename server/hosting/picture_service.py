"""Pictures of episodes: processes draw them one after the other, and the last are kept."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from pathlib import Path

import msgspec
import structlog

from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.reports.pictures import Pictures
from server.settings import Settings

log = structlog.get_logger(__name__)

KEPT = 64
TIMEOUT_S = 30.0

_decode = msgspec.json.Decoder(Pictures).decode


class PictureService:
    """Source of pictures for pages, which wait no longer than they say."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept: OrderedDict[str, Pictures] = OrderedDict()
        self._drawing: dict[str, asyncio.Task[Pictures | None]] = {}
        # One at a time: what plays has the machine first.
        self._turn = asyncio.Semaphore(1)

    async def pictures(self, session_id: str, episode_id: str, wait_s: float) -> Pictures | None:
        """Return the pictures of an ended episode, waiting ``wait_s`` for them.

        None where they cannot be made, or not in that time.
        """
        kept = self._kept.get(episode_id)
        if kept is not None:
            self._kept.move_to_end(episode_id)
            return kept
        task = self._drawing.get(episode_id)
        if task is None:
            task = asyncio.create_task(self._draw(session_id, episode_id))
            self._drawing[episode_id] = task
            task.add_done_callback(lambda _: self._drawing.pop(episode_id, None))
        try:
            return await asyncio.wait_for(asyncio.shield(task), wait_s)
        except TimeoutError:
            return None

    def is_drawing(self, episode_id: str) -> bool:
        """Tell whether pictures will be there in a moment."""
        return episode_id in self._drawing

    async def stop(self) -> None:
        """Give up what is being drawn."""
        tasks = list(self._drawing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _recording(self, session_id: str) -> Path | None:
        """Return the session's log, or the archived one; None where there is neither."""
        live = self._settings.recordings_dir / f"{session_id}{SUFFIX}"
        packed = self._settings.archive_dir / f"{session_id}{PACKED_SUFFIX}"
        return next((file for file in (live, packed) if file.is_file()), None)

    async def _draw(self, session_id: str, episode_id: str) -> Pictures | None:
        async with self._turn:
            file = self._recording(session_id)
            if file is None:
                return None
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "server.reports",
                str(file),
                episode_id,
                str(self._settings.data_dir),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                out, complaint = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
            except (TimeoutError, asyncio.CancelledError):
                process.kill()
                await process.wait()
                raise
        if process.returncode != 0:
            last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
            log.warning("report.no_pictures", episode=episode_id, reason=last)
            return None
        found = _decode(out)
        self._kept[episode_id] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found
