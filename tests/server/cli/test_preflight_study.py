"""Checks of a study by `cohabit preflight`: each fails for its own fault, made for real."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Instructions, Tutorial
from matchmaking.study.recruiter import Recruiter
from matchmaking.study_file import read_study
from server.cli.main import app
from server.cli.preflight.visitors_check import copy_of
from server.research.studies.ready_studies import begun_like, ready_names, ready_text
from server.settings import Settings
from tests.live_server import free_port
from tests.model_double import Asked, ModelDouble, Reply
from tests.server.cli.preflight_subjects import checked, made_database, study_of
from tests.server.web.participants.visitors import ALL_CODES, CONSENT, PAIR, WITH_ROBOT

pytestmark = pytest.mark.processes

ASKS_MODEL = Cell(name="robot", team=Team.parse("human=person,robot=react"), target=5)


@pytest.fixture
def settings(tmp_path: Path, houses_dir: Path) -> Settings:
    """Return settings of a data directory with houses and tasks, and a database."""
    made = Settings(data_dir=tmp_path / "data", port=free_port(), _env_file=None)
    shutil.copytree(houses_dir, made.data_dir)
    made_database(made)
    return made


def with_consent(text: dict[str, str], **changes: object) -> Study:
    study = study_of()
    consent = msgspec.structs.replace(CONSENT, text=text)
    return msgspec.structs.replace(study, pages=(consent, *study.pages[1:]), **changes)


# The study, its houses and its simulators


def test_a_study_that_is_not_open_or_could_not_be(settings: Settings) -> None:
    shut = checked("study", settings, study_of())
    assert (shut.level, shut.remedy) == ("warn", "cohabit study open FILE")
    assert checked("study", settings, study_of(), is_open=True).level == "ok"
    nobody = checked("study", settings, study_of(contact=""), is_open=True)
    assert (nobody.level, "write to" in nobody.found) == ("fail", True)


def test_a_house_that_is_missing(settings: Settings) -> None:
    assert checked("houses", settings, study_of()).level == "ok"
    shutil.rmtree(settings.data_dir / "houses")
    lacking = checked("houses", settings, study_of())
    assert (lacking.level, "houses build" in lacking.remedy) == ("fail", True)


def test_a_worker_begins_and_ends_a_session_and_leaves_nothing(settings: Settings) -> None:
    found = checked("simulators", settings, study_of())
    assert (found.level, "household" in found.found) == ("ok", True), found
    assert not settings.recordings_dir.exists()
    shutil.rmtree(settings.data_dir / "houses")
    lacking = checked("simulators", settings, study_of())
    assert (lacking.level, "cannot begin" in lacking.found) == ("fail", True), lacking


# Models


def obeying(asked: Asked) -> Reply:
    """Answer as a server does that keeps to forms."""
    form = asked.constraint
    if "grammar" in form:
        return Reply("Thought: go on\nNavigate[kitchen_1]\nAssigned!")
    if "json" in form:
        return Reply(json.dumps({"tool": "Explore", "room": "kitchen_1"}))
    if "regex" in form:
        return Reply("Pick[cup_1]")
    return Reply("Wait[]" if form else "yes")


def test_a_study_without_models_needs_none(settings: Settings) -> None:
    assert "needs none" in checked("models", settings, study_of()).found


def test_models_that_answer_and_keep_to_forms(settings: Settings) -> None:
    study = study_of(cells=(ASKS_MODEL,))
    with ModelDouble(obeying) as double:
        there = settings.model_copy(update={"model_url": double.url})
        found = checked("models", there, study)
        assert found.level == "ok", found
        assert "double answers a word" in found.found


def test_a_model_server_that_is_dead_slow_or_lies(settings: Settings) -> None:
    study = study_of(cells=(ASKS_MODEL,))
    nowhere = checked("models", settings, study)
    assert (nowhere.level, "names none" in nowhere.found) == ("fail", True)
    dead = settings.model_copy(update={"model_url": f"http://127.0.0.1:{free_port()}/v1"})
    assert "does not answer" in checked("models", dead, study).found
    with ModelDouble(Reply("yes", delay_s=0.2)) as double:
        slow = settings.model_copy(update={"model_url": double.url, "model_slow_s": 0.1})
        found = checked("models", slow, study)
        assert (found.level, "COHABIT_MODEL_SLOW_S" in found.found) == ("fail", True), found
    with ModelDouble(Reply("Roses are red")) as double:
        free = settings.model_copy(update={"model_url": double.url})
        found = checked("models", free, study)
        assert (found.level, "keeps to no grammar" in found.found) == ("fail", True), found
    with ModelDouble(Reply(status=404, text="no such model")) as double:
        lying = settings.model_copy(update={"model_url": double.url})
        found = checked("models", lying, study)
        assert (found.level, "double does not answer" in found.found) == ("fail", True), found


def test_a_model_that_is_not_served(settings: Settings) -> None:
    with ModelDouble(obeying, models=("other",)) as double:
        there = settings.model_copy(update={"model_url": double.url, "model_name": "ours"})
        found = checked("models", there, study_of(cells=(ASKS_MODEL,)))
        assert (found.level, "has no ours" in found.found) == ("fail", True), found


# Codes and consent


def test_codes_that_a_recruiter_needs(settings: Settings) -> None:
    def found(kind: str, codes: dict[Ending, str]) -> tuple[str, str]:
        recruiter = Recruiter(kind=kind, codes=codes)
        result = checked("codes", settings, study_of(recruiter=recruiter))
        return result.level, result.found

    assert found("prolific", ALL_CODES)[0] == "ok"
    assert found("direct", {})[0] == "ok"
    assert found("prolific", {Ending.NO_PARTNER: "C1"})[0] == "fail"
    level, text = found("prolific", {Ending.COMPLETED: "C1"})
    assert (level, "no_partner" in text) == ("warn", True)
    for example in ("DONE-4711", "CHANGE-ME"):
        assert found("prolific", {**ALL_CODES, Ending.COMPLETED: example})[0] == "fail"


def test_consent_in_each_language(settings: Settings) -> None:
    assert checked("consent", settings, study_of()).level == "ok"
    left = checked("consent", settings, with_consent({"en": "Ask [name of the researcher]."}))
    assert (left.level, "[name of the researcher]" in left.found) == ("fail", True)
    read = study_of(pages=(*study_of().pages[:1], Instructions(text={"en": "TODO"}),
                           *study_of().pages[1:]))  # fmt: skip
    assert checked("consent", settings, read).level == "fail"
    example = checked("consent", settings, study_of(contact="study@example.org"))
    assert (example.level, "example.org" in example.found) == ("fail", True)


# The command


def test_the_command_names_each_check_and_fails(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("server.settings.load_settings", lambda: settings)
    alone = CliRunner().invoke(app, ["preflight"])
    assert alone.exit_code == 1
    assert "FAIL  server: no server runs" in alone.output
    assert "      -> cohabit serve" in alone.output
    nobody = CliRunner().invoke(app, ["preflight", "nobody", "--json"])
    results = [json.loads(line) for line in nobody.output.splitlines()]
    assert results[0]["check"] == "study"
    assert (results[0]["level"], results[0]["remedy"]) == ("fail", "cohabit study open FILE")
    file = tmp_path / "mine.yaml"
    text = begun_like("mine", "explanation")
    file.write_text(text.replace("\nmode: live", "\nlanguages: [en, de]\nmode: live", 1))
    missing = CliRunner().invoke(app, ["preflight", str(file)])
    assert missing.exit_code == 1
    assert "'de'" in missing.output
    log = CliRunner().invoke(app, ["operator", "log"])
    assert log.output.count("preflight") >= 2, log.output
    assert "failed: keys, server, address; to look at: notices" in log.output


# The visitors


def test_visitors_who_reach_nobody_leave_nothing(settings: Settings) -> None:
    found = checked("visitors", settings, study_of(), is_open=True)
    assert (found.level, "the way broke off" in found.found) == ("fail", True), found
    assert "check of the address" in found.remedy
    file = settings.sqlite_file
    assert file is not None
    with sqlite3.connect(file) as db:
        for table in ("study_runs", "studies", "visits"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_copy_has_one_condition_and_counts_nowhere() -> None:
    both = study_of(cells=(WITH_ROBOT, PAIR))
    copy = copy_of(both)
    assert [cell.name for cell in copy.cells] == ["pair"]
    assert (copy.mode, copy.recruiter.kind, copy.recruiter.codes) == ("test", "direct", {})
    assert copy.name.startswith("preflight-")
    assert copy_of(both).name != copy.name
    assert [cell.name for cell in copy_of(study_of(cells=(WITH_ROBOT,))).cells] == ["robot"]
    for name in ready_names():
        ready = read_study(ready_text(name)).study
        assert not any(isinstance(page, Tutorial) for page in copy_of(ready).pages)
