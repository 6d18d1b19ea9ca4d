"""Figures and readiness: what operators read, and that nobody else does."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from matchmaking.tickets import State, Ticket, Wish
from server.durations import CALL_BOUNDS_S, EVALUATION_BOUNDS_S, DurationTally
from server.hosting.host_stats import WorkerState
from server.hosting.overload import TOO_SLOW
from server.ipc.messages import LATE_BUCKETS_S, WorkerStats
from server.web.readiness import LASTS_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN


def samples(answer: httpx.Response) -> dict[tuple[str, ...], float]:
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, *(f"{k}={v}" for k, v in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def told() -> WorkerStats:
    counts = tuple(range(len(LATE_BUCKETS_S) + 1))
    calls, looks = DurationTally(CALL_BOUNDS_S), DurationTally(EVALUATION_BOUNDS_S)
    calls.note(0.75)
    calls.note(90.0)
    looks.note(2e-5)
    return WorkerStats(
        1, 3, 90, 0.1, 2.0, 120.0, 8.0, 9_000_000, late_counts=counts, late_sum_s=1.5, episodes=7,
        model_calls=calls.told(), model_errors=4, evaluations=looks.told(),
    )  # fmt: skip


async def test_O2_the_workers_tell_how_they_fare(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = WorkerState("worker-0", True, False, 2, 0.25, told())
    fresh = WorkerState("worker-1", False, False, 0, 0.0, None)
    stats = site.host.stats()
    stats = type(stats)(**{f: getattr(stats, f) for f in stats.__struct_fields__} | {
        "sessions": 3, "workers": (state, fresh)})  # fmt: skip
    monkeypatch.setattr(site.host, "stats", lambda: stats)
    found = samples(await site.browser().get("/metrics"))
    assert found["cohabit_sessions",] == 3
    assert found["cohabit_worker_up", "worker=worker-0"] == 1
    assert found["cohabit_worker_up", "worker=worker-1"] == 0
    assert found["cohabit_worker_restarts_total", "worker=worker-0"] == 2
    assert found["cohabit_time_stretched_seconds_total", "worker=worker-0"] == 0.25
    assert found["cohabit_worker_episodes_total", "worker=worker-0"] == 7
    late = "cohabit_tick_lateness_seconds"
    assert found[f"{late}_bucket", "le=0.005", "worker=worker-0"] == 0 + 1 + 2
    n = len(LATE_BUCKETS_S)
    assert found[f"{late}_bucket", "le=+Inf", "worker=worker-0"] == n * (n + 1) / 2
    assert found[f"{late}_count", "worker=worker-0"] == n * (n + 1) / 2
    assert found[f"{late}_sum", "worker=worker-0"] == 1.5
    call = "cohabit_model_call_seconds"
    assert found[f"{call}_bucket", "le=0.5", "worker=worker-0"] == 0
    assert found[f"{call}_bucket", "le=1.0", "worker=worker-0"] == 1
    assert found[f"{call}_count", "worker=worker-0"] == 2
    assert found["cohabit_model_errors_total", "worker=worker-0"] == 4
    assert found["cohabit_evaluation_seconds_bucket", "le=2.5e-05", "worker=worker-0"] == 1
    assert found["cohabit_waiting",] == 0


async def test_O2_the_lobby_tells_how_long_stays_were_and_how_they_ended(
    site: RunningSite,
) -> None:
    stays = site.state.lobby.tally
    now = 100.0
    stays.note(State.MATCHED, (Ticket("t1", "p1", Wish.PERSON, 80.0), None), now)
    stays.note(State.GONE, (Ticket("t2", "p2", Wish.PERSON, 97.0),), now)
    found = samples(await site.browser().get("/metrics"))
    stay = "cohabit_lobby_stay_seconds"
    assert found[f"{stay}_bucket", "le=15.0", "outcome=matched"] == 0
    assert found[f"{stay}_bucket", "le=30.0", "outcome=matched"] == 1
    assert found[f"{stay}_sum", "outcome=matched"] == 20
    assert found[f"{stay}_count", "outcome=gone"] == 1


async def test_admission_is_closed_with_the_reason(site: RunningSite) -> None:
    site.host.refused = TOO_SLOW
    browser = site.browser()
    found = samples(await browser.get("/metrics"))
    assert found["cohabit_admission_open",] == 0
    assert found["cohabit_free_homes",] == 0
    # Overload is no reason to send away those who play.
    ready = await browser.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["admission"] == TOO_SLOW
    assert ready.json()["free_homes"] == 0


async def test_a_disk_that_cannot_be_written_makes_it_unready(site: RunningSite) -> None:
    site.host.trouble = ["the disk is full: make room"]
    ready = await site.browser().get("/readyz")
    assert ready.status_code == 503
    assert ready.json()["problems"] == ["the disk is full: make room"]


@pytest.mark.parametrize(
    ("token", "headers", "address", "may_read"),
    [
        ("", {}, "127.0.0.1", True),
        ("", {}, "192.0.2.7", False),
        # A proxy on this machine hands on the requests of strangers.
        ("", {"x-forwarded-for": "192.0.2.7"}, "127.0.0.1", False),
        ("secret of operators", {}, "127.0.0.1", False),
        ("secret of operators", {"authorization": "Bearer wrong"}, "127.0.0.1", False),
        (
            "secret of operators",
            {b"authorization": "Bearer sécret of operators".encode()},
            "127.0.0.1",
            False,
        ),
        ("secret of operators", {"authorization": "Bearer secret of operators"}, "192.0.2.7", True),
    ],
)
async def test_only_operators_read_figures_and_details(
    make_site: MakeSite,
    token: str,
    headers: dict[str, str] | dict[bytes, bytes],
    address: str,
    may_read: bool,
) -> None:
    async with make_site(metrics_token=token).running() as site:
        transport = httpx.ASGITransport(site.app, client=(address, 4000))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            answer = await client.get("/metrics", headers=headers)
            assert answer.status_code == (200 if may_read else 403)
            ready = (await client.get("/readyz", headers=headers)).json()
            assert ready["status"] == "ok"
            assert ("problems" in ready) == may_read


async def test_many_who_ask_at_once_have_the_database_asked_once(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, check = 0, site.state.database.check_writing

    async def counted() -> None:
        nonlocal asked
        asked += 1
        await check()

    monkeypatch.setattr(site.state.database, "check_writing", counted)
    browser = site.browser()
    for expected in (1, 2):
        answers = await asyncio.gather(*(browser.get("/readyz") for _ in range(50)))
        assert {answer.status_code for answer in answers} == {200}
        assert asked == expected
        site.passed_s += LASTS_S


async def test_readiness_ends_with_the_file(make_site: MakeSite) -> None:
    async with make_site().running() as site:
        browser = site.browser()
        assert (await browser.get("/readyz")).status_code == 200
        file = site.settings.sqlite_file
        assert file is not None
        file.unlink()
        site.passed_s += LASTS_S
        answer = await browser.get("/readyz")
        assert answer.status_code == 503
        assert "deleted or moved" in answer.text
        assert (await browser.get("/")).status_code == 503


async def test_a_log_that_the_database_does_not_know_ends_readiness_until_it_is_moved(
    make_site: MakeSite,
) -> None:
    site = make_site()
    log = site.settings.log_path("ses_of_the_deleted_database")
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text('{"type":"tick","t":4,"e":[["phase","running",null]]}\n')
    async with site.running():
        browser = site.browser()
        answer = await browser.get("/readyz")
        assert answer.status_code == 503
        assert "does not know a session whose log lies in" in answer.text
        assert "ses_of_the_deleted_database" in answer.text
        figures = (await browser.get("/metrics")).text
        assert "cohabit_orphaned_logs 1.0" in figures
        log.rename(log.parent.parent / "kept.jsonl")
        site.passed_s += LASTS_S
        assert (await browser.get("/readyz")).status_code == 200
        assert "cohabit_orphaned_logs 0.0" in (await browser.get("/metrics")).text
