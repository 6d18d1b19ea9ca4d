"""Which robots can be played with now: those that need no model, and while a model server
answers, the others."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request

import structlog

from server.robots.registry import POLICIES, Entry
from server.settings import Settings

log = structlog.get_logger(__name__)

WATCH_S = 10.0
TIMEOUT_S = 5.0


class Robots:
    """Run `watch` in a task."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._model_answers = False

    def offered(self) -> list[Entry]:
        """In the order in which they are shown."""
        return [e for e in POLICIES.values() if e.offered and self._works(e)]

    def default(self) -> str:
        """What somebody gets who asked for none; empty: none works."""
        wanted = POLICIES.get(self._settings.robot)
        if wanted is not None and self._works(wanted):
            return wanted.name
        return next((e.name for e in self.offered()), "")

    def is_offered(self, name: str) -> bool:
        return any(e.name == name for e in self.offered())

    def _works(self, entry: Entry) -> bool:
        return self._model_answers or not entry.needs_model

    async def watch(self) -> None:
        """Ask the model server now and then; runs until cancelled."""
        url = self._settings.model_url
        while url:
            answers = await asyncio.to_thread(_answers, f"{url.rstrip('/')}/models")
            if answers != self._model_answers:
                self._model_answers = answers
                log.info("model_server.answers" if answers else "model_server.silent")
            await asyncio.sleep(WATCH_S)


def _answers(url: str) -> bool:
    # A setting of the operator's, which `Settings` has checked to be a web address.
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S):  # noqa: S310
            return True
    except urllib.error.HTTPError as error:
        # It wants a key that only the workers have: it is there.
        return error.code in (401, 403)
    except OSError:
        return False
