"""The dashboard and the alarms: each asks for figures that there are, in a way that they allow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import promql_parser as promql
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from matchmaking.tickets import State, Ticket, Wish
from server.hosting.host_stats import WorkerState
from tests.server.web.conftest import RunningSite
from tests.server.web.test_metrics import told

ROOT = Path(__file__).parents[3]
DOCKER = ROOT / "docker"
MONITORING = DOCKER / "monitoring"
ALARMS: list[dict[str, Any]] = yaml.safe_load((MONITORING / "alarms.yml").read_text())["groups"][0][
    "rules"
]
PANELS: list[dict[str, Any]] = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.monitoring.yaml").read_text())
GROWING = frozenset({"rate", "increase"})


class Asked(NamedTuple):
    """A figure that an expression asks for."""

    name: str
    within: tuple[str, ...]
    """Functions around it."""
    labels: frozenset[str]
    """Labels by which it is chosen."""


def asked(node: Any, within: tuple[str, ...] = ()) -> Iterator[Asked]:
    """Return what a parsed expression asks for."""
    if isinstance(node, promql.VectorSelector):
        labels = frozenset(matcher.name for matcher in node.matchers.matchers)
        assert node.name is not None
        yield Asked(node.name, within, labels)
    elif isinstance(node, promql.MatrixSelector):
        yield from asked(node.vector_selector, within)
    elif isinstance(node, promql.Call):
        for argument in node.args:
            yield from asked(argument, (*within, node.func.name))
    elif isinstance(node, promql.AggregateExpr | promql.ParenExpr):
        yield from asked(node.expr, within)
    elif isinstance(node, promql.BinaryExpr):
        yield from asked(node.lhs, within)
        yield from asked(node.rhs, within)
    else:
        assert isinstance(node, promql.NumberLiteral), type(node)


def expressions() -> dict[str, str]:
    """Return all expressions, by the title of what shows them."""
    found = {f"alarm {alarm['alert']}": alarm["expr"] for alarm in ALARMS}
    for panel in PANELS:
        for target in panel.get("targets", []):
            found[f"{panel['title']} {target['refId']}"] = target["expr"]
    return {title: text.replace("$__rate_interval", "1m") for title, text in found.items()}


class Figures(NamedTuple):
    """Figures of `/metrics`: the kind and the labels of each, by the name of its samples."""

    kinds: dict[str, str]
    labels: dict[str, frozenset[str]]


@pytest.fixture
async def figures(site: RunningSite, monkeypatch: pytest.MonkeyPatch) -> Figures:
    stats = site.host.stats()
    fields = {field: getattr(stats, field) for field in stats.__struct_fields__}
    worker = WorkerState("worker-0", True, False, 2, 0.25, told())
    stats = type(stats)(**fields | {"workers": (worker,)})
    monkeypatch.setattr(site.host, "stats", lambda: stats)
    stay = Ticket("t1", "p1", Wish.PERSON, 80.0)
    site.state.lobby.tally.note(State.MATCHED, (stay, None), 100.0)
    site.state.admission.turned_away["participant_forms"] += 1
    kinds, labels = {"up": "gauge"}, {"up": frozenset({"job"})}
    for family in text_string_to_metric_families((await site.browser().get("/metrics")).text):
        for sample in family.samples:
            kinds[sample.name] = family.type
            labels[sample.name] = frozenset(sample.labels)
    return Figures(kinds, labels)


async def test_every_figure_that_is_asked_for_is_told(figures: Figures) -> None:
    for title, text in expressions().items():
        found = list(asked(promql.parse(text)))
        assert found, title
        for one in found:
            assert one.name in figures.kinds, f"{title}: nobody tells {one.name}"
            assert one.labels <= figures.labels[one.name], f"{title}: {one.name}"
            grows = figures.kinds[one.name] in ("counter", "histogram")
            assert grows == bool(GROWING & set(one.within)), f"{title}: {one.name} {one.within}"


async def test_what_is_told_apart_by_a_label_has_that_label(figures: Figures) -> None:
    shown = [
        (panel["title"], target["expr"], target["legendFormat"])
        for panel in PANELS
        for target in panel.get("targets", [])
    ]
    shown += [(alarm["alert"], alarm["expr"], str(alarm["annotations"])) for alarm in ALARMS]
    for title, text, words in shown:
        names = {one.name for one in asked(promql.parse(text.replace("$__rate_interval", "1m")))}
        known = set.union(*(set(figures.labels[name]) for name in names))
        by = re.findall(r"by \(([^)]*)\)", text)
        told_apart = {label.strip() for group in by for label in group.split(",")}
        named = set(re.findall(r"\{\{ *(?:\$labels\.)?(\w+) *\}\}", words))
        assert told_apart <= known, title
        assert named <= ((told_apart - {"le"}) if by else known), title


def test_every_alarm_says_what_happens_to_whom_and_what_to_do() -> None:
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert len({alarm["alert"] for alarm in ALARMS}) == len(ALARMS)
    for alarm in ALARMS:
        assert alarm["annotations"].keys() == {"summary", "remedy"}, alarm["alert"]
        assert alarm["labels"]["severity"] in ("page", "look")
        assert f"`{alarm['alert']}`" in page, "the page has a table of them"


def test_panels_have_titles_and_words_and_lie_beside_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        at = panel["gridPos"]
        cells = {(at["x"] + dx, at["y"] + dy) for dx in range(at["w"]) for dy in range(at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
        if panel["type"] != "row":
            assert panel["description"], panel["title"]
            assert panel["datasource"]["uid"] == "prometheus"


def test_compose_starts_them_with_files_that_are_here() -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose" / "compose-spec.json").read_text())
    jsonschema.Draft7Validator(schema).validate(COMPOSE)
    mounted = [
        mount.split(":")[0]
        for service in COMPOSE["services"].values()
        for mount in service["volumes"]
        if mount.startswith("./")
    ]
    assert {(DOCKER / path).name for path in mounted} == {
        file.name for file in MONITORING.iterdir() if file.name != "metrics_token"
    }
    for service in COMPOSE["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert ":latest" not in service["image"]
    server = yaml.safe_load((MONITORING / "prometheus.yml").read_text())["scrape_configs"][0]
    assert server["static_configs"] == [{"targets": ["cohabit:8000"]}]
    assert server["job_name"] == "cohabit", "the alarms name it"
    ignored = (ROOT / ".gitignore").read_text().split()
    assert "/docker/monitoring/metrics_token" in ignored
