"""Programs that make something of recorded episodes: run one after the other, the last kept."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import structlog

from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.reports.pictures import Pictures
from server.settings import Settings

log = structlog.get_logger(__name__)

TIMEOUT_S = 30.0

Made = TypeVar("Made")


class EpisodeProgram(Generic[Made]):
    """A module that is run with a log, an episode and the data directory, and prints what it made.

    ``event`` names the warning where it made nothing. Pages wait no longer than they say.
    """

    def __init__(
        self,
        settings: Settings,
        module: str,
        decoder: msgspec.json.Decoder[Made] | msgspec.msgpack.Decoder[Made],
        *,
        event: str,
        kept: int,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._settings = settings
        self._module = module
        self._decode = decoder.decode
        self._event = event
        self._most_kept = kept
        self._timeout_s = timeout_s
        self._kept: OrderedDict[str, Made] = OrderedDict()
        self._making: dict[str, asyncio.Task[Made | None]] = {}
        # One at a time: what plays has the machine first.
        self._turn = asyncio.Semaphore(1)

    async def of(self, session_id: str, episode_id: str, wait_s: float) -> Made | None:
        """Return what was made of an ended episode, waiting ``wait_s`` for it.

        None where it cannot be made, or not in that time.
        """
        kept = self._kept.get(episode_id)
        if kept is not None:
            self._kept.move_to_end(episode_id)
            return kept
        task = self._making.get(episode_id)
        if task is None:
            task = asyncio.create_task(self._make(session_id, episode_id))
            self._making[episode_id] = task
            task.add_done_callback(lambda _: self._making.pop(episode_id, None))
        try:
            return await asyncio.wait_for(asyncio.shield(task), wait_s)
        except TimeoutError:
            return None

    def is_making(self, episode_id: str) -> bool:
        """Tell whether it will be there in a moment."""
        return episode_id in self._making

    def is_made(self, episode_id: str) -> bool:
        """Tell whether it is there."""
        return episode_id in self._kept

    async def stop(self) -> None:
        """Give up what is being made."""
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def recording(self, session_id: str) -> Path | None:
        """Return the session's log, or the archived one; None where there is neither."""
        live = self._settings.recordings_dir / f"{session_id}{SUFFIX}"
        packed = self._settings.archive_dir / f"{session_id}{PACKED_SUFFIX}"
        return next((file for file in (live, packed) if file.is_file()), None)

    async def _make(self, session_id: str, episode_id: str) -> Made | None:
        async with self._turn:
            file = self.recording(session_id)
            if file is None:
                return None
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._module,
                str(file),
                episode_id,
                str(self._settings.data_dir),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                out, complaint = await asyncio.wait_for(process.communicate(), self._timeout_s)
            except (TimeoutError, asyncio.CancelledError):
                process.kill()
                await process.wait()
                raise
        if process.returncode != 0:
            last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
            log.warning(self._event, episode=episode_id, reason=last)
            return None
        made = self._decode(out)
        self._kept[episode_id] = made
        while len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        return made


def picture_program(settings: Settings) -> EpisodeProgram[Pictures]:
    """Return the program that draws the pictures of reports."""
    return EpisodeProgram(
        settings,
        "server.reports",
        msgspec.json.Decoder(Pictures),
        event="report.no_pictures",
        kept=64,
    )
