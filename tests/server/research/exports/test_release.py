"""Releases of studies: who is in them, and what could lead back to somebody is not."""

from __future__ import annotations

import asyncio
import csv
import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from ruamel.yaml import YAML
from typer.testing import CliRunner

from matchmaking.study.pages import Permission
from server.cli.main import app
from server.research.exports.context import ExportContext
from server.research.exports.release import Release, ReleaseError, check, rare_answers
from server.store import Database
from server.store.visit_models import VisitRow
from server.store.visit_records import add_consent
from tests.server.cli.test_study_runs import ok, refused
from tests.server.research.exports.made_data import KEY, OF, Made, at, close_study, make, read, url

pytestmark = pytest.mark.processes

TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")
SERVER_IDS = re.compile(r"(ses|epi|vis|mat|tic)_(one|two|three|ann|bob|cyd|dan|eve|\d\b)")


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a study that is closed, with the server's key; Eve took back that she shares."""
    made = asyncio.run(make(tmp_path_factory.mktemp("study")))
    asyncio.run(close_study(made))
    asyncio.run(_take_back_sharing(made, "vis_eve"))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    return made


@pytest.fixture
def here(closed: Made, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(closed.database_file.parent))
    return closed


async def _take_back_sharing(made: Made, visit_id: str) -> None:
    database = Database(url(made.database_file))
    try:
        async with database.transaction() as db:
            row = await db.get_one(VisitRow, visit_id)
            given = dict.fromkeys(Permission, True) | {Permission.SHARING: False}
            add_consent(db, row, "1", "digest", given, at(30))
    finally:
        await database.close()


def released(target: Path, *options: str) -> str:
    return ok("release", OF.name, "--out", target, "--licence", "CC-BY-4.0", *options)


def rows(target: Path, table: str) -> list[dict[str, str]]:
    with (target / "data" / f"description-{table}_data.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


AUTHORS = ("--author", "Doe, Jane", "--author", "A laboratory")


def test_only_those_who_agreed_are_in_it(here: Made, tmp_path: Path) -> None:
    target = tmp_path / "given"
    told = released(target, *AUTHORS)
    # Dan has withdrawn and Eve does not share: of five, Ann, Bob and Cyd are left.
    assert "3 of 5 visits: the others did not agree" in told
    log = CliRunner().invoke(app, ["operator", "log", "--act", "release"]).stdout
    assert f"(to {target}, under CC-BY-4.0)" in log
    people = {p["participant_id"] for p in rows(target, "participants")}
    assert len(people) == 3
    assert {v["participant_id"] for v in rows(target, "visits")} == people
    assert {r["participant_id"] for r in rows(target, "responses")} <= people
    # Cyd played with Dan.
    assert len(rows(target, "episodes")) == 2
    reasons = [r["reason"] for r in rows(target, "leftout") if r["lacks"] == "all"]
    assert "somebody of its group did not agree to sharing, or has withdrawn" in reasons


def test_nothing_in_it_tells_who_or_when(here: Made, tmp_path: Path) -> None:
    target, export = tmp_path / "given", tmp_path / "export"
    released(target, *AUTHORS)
    ok("export", OF.name, "--out", export, "--with-texts")
    for file in target.rglob("*"):
        if file.is_file():
            text = file.read_text()
            found = [t for t in TIME.findall(text) if file.name != "manifest.json"]
            assert found == [], file
            assert SERVER_IDS.search(text) is None, file
            assert "Elm Street" not in text
            assert "HYPERLINK" not in text
            assert "hello" not in text
            assert not any(person in text for person in here.people), file
    # Rows of both cannot be put together.
    assert not {p["participant_id"] for p in rows(target, "participants")} & {
        p["participant_id"] for p in rows(export, "participants")
    }
    assert not {g["group_id"] for g in rows(target, "groups")} & {
        g["group_id"] for g in rows(export, "groups")
    }
    for table, name in (("participants", "participant_id"), ("groups", "group_id")):
        ids = [row[name] for row in rows(target, table)]
        assert ids == sorted(ids), "their order is none in time"
    groups = {g["group_id"] for g in rows(target, "groups")}
    assert {p["group_id"] for p in rows(target, "participants")} <= {"", *groups}
    assert {e["group_id"] for e in rows(target, "episodes")} <= groups
    session = {e["session_id"] for e in rows(target, "episodes")}
    assert session == {g["session_id"] for g in rows(target, "groups")} & session
    episodes = {e["episode_id"] for e in rows(target, "episodes")}
    assert {m["episode_id"] for m in rows(target, "measures")} <= episodes
    assert {r["episode_id"] for r in rows(target, "responses")} <= {"", *episodes}


def test_it_has_licence_and_citation_and_no_operators_secrets(here: Made, tmp_path: Path) -> None:
    target = tmp_path / "given"
    released(target, *AUTHORS, "--without", "trust_1")
    cited = YAML(typ="safe").load((target / "CITATION.cff").read_text())
    assert cited["cff-version"] == "1.2.0"
    assert cited["license"] == "CC-BY-4.0"
    assert cited["authors"] == [
        {"family-names": "Doe", "given-names": "Jane"},
        {"name": "A laboratory"},
    ]
    assert "creativecommons.org/licenses/by/4.0" in (target / "LICENSE").read_text()
    description = json.loads((target / "dataset_description.json").read_text())
    assert description["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert description["author"] == ["Doe, Jane", "A laboratory"]
    study = json.loads((target / "manifest.json").read_text())["study"]
    assert study["name"] == OF.name
    assert "contact" not in study
    assert study["recruiter"] == {"kind": OF.recruiter.kind}
    left_out = [r for r in rows(target, "responses") if r["question_id"] == "trust_1"]
    assert [(r["value"], r["is_exported"]) for r in left_out] == [("", "false")]
    assert {r["score_id"]: r["value"] for r in rows(target, "scores")} == {
        "trust_mean": "",
        "trust_distrust": "",
    }, "what is left out cannot be computed from a score"
    assert "`trust_1`" in (target / "README.md").read_text()
    report = tmp_path / "report.html"
    ok("report", target, "--out", report)
    assert "made from a release" in report.read_text()


def test_two_releases_with_somebody_between_them_have_no_id_in_common(closed: Made) -> None:
    stored = read(closed)
    fewer = stored._replace(visits=[v for v in stored.visits if v.visit_id != "vis_ann"])
    contexts = [ExportContext(one, KEY, is_shared=True) for one in (stored, fewer)]
    contexts.append(ExportContext(stored, KEY, is_shared=True, without=frozenset({"trust_1"})))
    assert len({context.pseudonym("epi_1") for context in contexts}) == 3
    assert contexts[0].pseudonym("epi_1") == ExportContext(stored, KEY, is_shared=True).pseudonym(
        "epi_1"
    )


def test_its_codebook_says_what_its_ids_are(here: Made, tmp_path: Path) -> None:
    target = tmp_path / "given"
    ok("release", OF.name, "--out", target, "--licence", "cc-by-4.0", "--author", "Doe, Jan, Jr.")
    cited = YAML(typ="safe").load((target / "CITATION.cff").read_text())
    assert cited["license"] == "CC-BY-4.0"
    assert cited["authors"] == [{"family-names": "Doe", "given-names": "Jan", "name-suffix": "Jr."}]
    told = (target / "codebook.md").read_text()
    for untrue in ("each export of this study", "recordings are named", "the log and replays",
                   "order of draws", "has_withdrawn"):  # fmt: skip
        assert untrue not in told
    assert told.count("this release") == 4


def test_D2_releasing_twice_gives_the_same_bytes(here: Made, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    released(one, *AUTHORS)
    released(two, *AUTHORS)
    files = sorted(f.relative_to(one) for f in one.rglob("*") if f.is_file())
    assert files == sorted(f.relative_to(two) for f in two.rglob("*") if f.is_file())
    assert [f for f in files if (one / f).read_bytes() != (two / f).read_bytes()] == []


def test_what_cannot_be_given_away_is_refused(here: Made, tmp_path: Path) -> None:
    def said(*options: str, licence: str = "CC-BY-4.0") -> str:
        target = tmp_path / "given"
        return refused("release", OF.name, "--out", target, "--licence", licence, *options)

    assert "expected one of CC0-1.0" in said(*AUTHORS, licence="mine")
    assert "has no question 'shoe_size'" in said(*AUTHORS, "--without", "shoe_size")
    assert not (tmp_path / "given").exists()


def test_an_open_study_and_one_without_people_or_authors_are_refused(closed: Made) -> None:
    stored = read(closed)
    release = Release("CC-BY-4.0", ("Doe, Jane",))
    with pytest.raises(ReleaseError, match="is open: close it first"):
        check(ExportContext(stored._replace(is_closed=False), KEY, is_shared=True), release)
    with pytest.raises(ReleaseError, match="agreed to sharing"):
        check(ExportContext(stored._replace(consents=()), KEY, is_shared=True), release)
    nameless = replace(stored.manifest, study=replace(stored.manifest.study, researchers=""))
    with pytest.raises(ReleaseError, match="names no researchers"):
        check(
            ExportContext(stored._replace(manifest=nameless), KEY, is_shared=True),
            Release("CC-BY-4.0"),
        )


def test_answers_of_few_are_named(closed: Made) -> None:
    context = ExportContext(read(closed), KEY, is_shared=True)
    # All three who share chose the same option of the quiz in the end.
    assert rare_answers(context, Release("CC0-1.0")) == {}
    for answer in context.stored.answers:
        if (answer.visit_id, answer.question) == ("vis_ann", "understood"):
            answer.value = "perhaps"
    assert rare_answers(context, Release("CC0-1.0")) == {"understood": 3}
    assert rare_answers(context, Release("CC0-1.0", without=frozenset({"understood"}))) == {}
