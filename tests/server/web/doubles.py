"""A site for tests: real database and pages, with a host that does as it is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec

from episodes.dataset import Proposition, Task, write_dataset
from episodes.evaluation import Explanation, PropositionOutcome, Verdict
from server.hosting.host_stats import HostStats, SessionState, WorkerState
from server.hosting.losses import Losses
from server.robots.remote.switchboard import Switchboard
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings

ORIGIN = "http://127.0.0.1:8000"


class FakeHost:
    """A host that opens sessions in memory; ``fail`` makes it refuse."""

    def __init__(
        self,
        on_result: Callable[[EpisodeResult], Awaitable[None]],
        on_ended: Callable[[str, str], Awaitable[None]],
        recordings_dir: Path,
    ) -> None:
        self._recordings_dir = recordings_dir
        self.on_result, self.on_ended = on_result, on_ended
        self.opened: list[tuple[SessionSpec, EpisodeSpec, bool]] = []
        self.nexts: list[tuple[str, EpisodeSpec]] = []
        self.closed: list[tuple[str, str]] = []
        self.vacated: list[tuple[str, str]] = []
        self.told_to_end: list[tuple[str, str]] = []
        self.told: list[tuple[str, str]] = []
        self.workers: tuple[WorkerState, ...] = ()
        self.filled: list[tuple[str, str]] = []
        self.why_not_filled = ""
        self.readers = 1
        """Number of people who read what they are told."""
        self.obeys = True
        """Whether an episode that is told to end ends; a worker that is down does not."""
        self._ending: asyncio.Task[str] | None = None
        self.fail: Exception | None = None
        self.when_open: Callable[[], Awaitable[None]] | None = None
        """What happens when a session has been opened and nobody knows yet."""
        self.trouble: list[str] = []
        self.refused: str | None = None
        self.switchboard = Switchboard(30.0)
        self.states: list[SessionState] = []
        self.losses = Losses()

    async def start(self) -> None: ...

    def log_path(self, session_id: str) -> Path:
        return self._recordings_dir / f"{session_id}.jsonl"

    def stats(self) -> HostStats:
        counts = {name: 0 for name in HostStats.__struct_fields__ if name != "workers"}
        return HostStats(**counts, workers=self.workers)

    def sessions(self) -> list[SessionState]:
        return self.states

    def busy_s(self) -> int:
        return 0

    def problems(self) -> list[str]:
        return self.trouble

    def refusal(self) -> str | None:
        return self.refused

    def playing(self) -> int:
        return 0

    def close_admission(self) -> None: ...

    def drain(self) -> None: ...

    async def stop(self) -> None: ...

    async def open(
        self,
        spec: SessionSpec,
        episode: EpisodeSpec,
        *,
        resume: bool = False,
        played: bool = False,
        people: Mapping[str, str] | None = None,
    ) -> object:
        if self.fail is not None:
            raise self.fail
        self.opened.append((spec, episode, resume))
        if self.when_open is not None:
            await self.when_open()
        return None

    async def next_episode(self, session_id: str, episode: EpisodeSpec) -> None:
        if self.fail is not None:
            raise self.fail
        self.nexts.append((session_id, episode))

    def tell(self, session_id: str, text: str) -> int:
        self.told.append((session_id, text))
        return self.readers

    def fill(self, session_id: str, seat: str) -> str:
        self.filled.append((session_id, seat))
        return self.why_not_filled

    def vacate(self, session_id: str, seat: str) -> None:
        self.vacated.append((session_id, seat))

    def end_episode(self, session_id: str, reason: str) -> None:
        self.told_to_end.append((session_id, reason))
        if self.obeys:
            undone = verdict(proposition(0, satisfied=False, satisfied_tick=None))
            self._ending = asyncio.create_task(self.finish(session_id, undone, reason))

    async def close_session(self, session_id: str, reason: str) -> None:
        self.closed.append((session_id, reason))

    async def finish(
        self,
        session_id: str,
        verdict: Verdict,
        reason: str = "finished",
        lost_ticks: int = 0,
        ticks: int = 2040,
        **changes: Any,
    ) -> str:
        """End what is played in a session now; the episode's id."""
        episodes = [e for s, e, _ in self.opened if s.session_id == session_id]
        episodes += [e for s, e in self.nexts if s == session_id]
        episode = episodes[-1]
        await self.on_result(
            EpisodeResult(
                session_id,
                episode.episode_id,
                episode.task_id,
                reason,
                ticks,
                verdict,
                "d",
                "Do it.",
                lost_ticks=lost_ticks,
                **changes,
            )
        )
        return episode.episode_id


def proposition(index: int, **changes: object) -> PropositionOutcome:
    outcome = PropositionOutcome(
        index=index,
        original=index,
        text='"cup" placed on top of the "table"',
        should_text='"cup" should have been placed on top of the "table"',
        satisfied=True,
        satisfied_tick=1260,
        satisfied_with={"object_handles": "cup_1_:0000"},
        by_seat="human_0",
        holds_now=True,
        valid=True,
        last_changed_tick=1260,
        broken_tick=None,
        broken_by_seat=None,
    )
    return msgspec.structs.replace(outcome, **changes)


def verdict(*outcomes: PropositionOutcome, **changes: object) -> Verdict:
    done = sum(p.satisfied and p.valid for p in outcomes)
    value = Verdict(
        status="ok",
        percent_complete=done / len(outcomes) if outcomes else 1.0,
        success=done == len(outcomes),
        propositions=outcomes,
        constraints=(),
        explanation="" if done == len(outcomes) else "Episode failed. Missing steps:\n - a step",
        explanation_structure=Explanation("none"),
        semantics="documented",
        finished=True,
    )
    return msgspec.structs.replace(value, **changes)


def write_tasks(data_dir: Path, count: int = 3) -> None:
    """Tasks ``t0`` (the easiest) to ``t<count - 1>``; nobody plays them, so they name nothing."""
    step = Proposition("is_clean", {"object_handles": ["cup_1_:0000"], "number": 1})
    episodes = [
        Task(
            task_id=f"t{n}",
            scene_id="no_house",
            instruction=f"Do thing {n}.",
            evaluation_propositions=[step] * (n + 1),
        )
        for n in range(count)
    ]
    (data_dir / "tasks").mkdir(parents=True, exist_ok=True)
    write_dataset(data_dir / "tasks" / "first.json.gz", episodes)


def write_client(folder: Path) -> None:
    """Write what Vite would have built."""
    names = ("site", "lobby", "presence", "play", "watch", "replay", "operator", "visit")
    manifest = {
        f"src/{n}/main.ts": {
            "file": f"assets/{n}-1234.js",
            "css": [f"assets/{n}-1234.css"],
            "imports": ["_shared.js"],
        }
        for n in names
    }
    manifest["_shared.js"] = {"file": "assets/shared-1234.js", "css": ["assets/tokens-1234.css"]}
    (folder / ".vite").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / ".vite" / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    (folder / "assets" / "site-1234.js").write_text("export {};")


def make_settings(folder: Path, **changes: object) -> Settings:
    """Return settings with a data set and a client that are just enough."""
    data_dir, client_dir = folder / "data", folder / "client"
    if not data_dir.exists():
        write_tasks(data_dir)
        write_client(client_dir)
    return Settings(
        data_dir=data_dir,
        client_dir=client_dir,
        _env_file=None,
        **changes,  # type: ignore[arg-type]  # pydantic checks the values
    )


class Browser:
    """A browser that keeps cookies, and presses buttons on pages that it has seen.

    It follows no redirects by itself.
    """

    def __init__(self, client: httpx.AsyncClient, origin: str = ORIGIN) -> None:
        self.client, self.origin = client, origin

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def press(self, page: str, action: str, **fields: str) -> httpx.Response:
        """Send the form on ``page`` whose action is ``action``."""
        shown = await self.client.get(page)
        assert shown.status_code == 200, shown.text
        found = re.search(
            rf'action="{re.escape(action)}".*?name="form_token" value="(\w+)"', shown.text, re.S
        )
        assert found, f"no form {action} on {page}:\n{shown.text}"
        return await self.client.post(
            action, data={"form_token": found[1], **fields}, headers={"origin": self.origin}
        )


def boot_of(html: str) -> dict[str, str]:
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', html, re.S)
    assert found, f"no boot data on this page:\n{html}"
    values = msgspec.json.decode(found[1], type=dict[str, str | bool | float])
    return {name: value for name, value in values.items() if isinstance(value, str)}
