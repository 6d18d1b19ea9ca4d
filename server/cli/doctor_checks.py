"""Checks of what playing needs, each with what to do about it."""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import Literal, NamedTuple

from episodes.dataset import DatasetError, read_dataset
from episodes.houses.files import HouseError, list_scenes, read_catalogue, read_scene
from episodes.tasks.versions import is_of, rebuild
from episodes.visible_text import shortened
from server.cli.databases import in_database
from server.cli.stop import StopError
from server.hosting.orphaned_logs import logs_of, orphaned_logs, orphans_text, were_played
from server.hosting.overload import disk_problem
from server.hosting.task_series import SeriesError, TaskSource, has_human, playable
from server.lobby.robot_partners import RobotPartners
from server.lobby.team_offers import TeamOffers
from server.operator_accounts import MAKE_ACCOUNT
from server.owner_lock import holder_of, lock_files
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.models.request import GarbageError, ModelError, RefusedError
from server.settings import Settings
from server.settings_error import SettingsError
from server.simulators.contract import SimulatorError
from server.simulators.habitat import interpreter
from server.simulators.habitat.dataset import HabitatDataset
from server.store import Database, DatabaseError
from server.store.database_faults import fault
from server.store.member_lock import member_holder
from server.store.operators import has_operators
from server.web.client_build import ENTRIES, ClientBuild, ClientMissingError
from server.web.secret_key import FILE as SECRET_KEY_FILE
from server.web.secret_key import SecretKeyError, read_key

OLDEST_PYTHON = (3, 11)
Level = Literal["ok", "note", "problem"]


class Finding(NamedTuple):
    """Result of a check.

    A ``note`` is something that some would want and playing does not need.
    """

    subject: str
    level: Level
    text: str
    remedy: str = ""

    @property
    def stops_play(self) -> bool:
        return self.level == "problem"


def examine(settings: Settings) -> list[Finding]:
    """Run all checks, in the order in which problems are best put right."""
    checks: tuple[Callable[[Settings], Finding], ...] = (
        check_python,
        check_client,
        check_houses,
        check_owner,
        check_database,
        check_disk,
        check_recordings,
        check_permissions,
        check_port,
        check_secret_key,
        check_operators,
        check_household,
        check_habitat,
        check_model_server,
        check_robots,
        check_teams,
    )
    return [check(settings) for check in checks]


def what_stops_play(settings: Settings) -> list[Finding]:
    """Run the quick checks before serving and return the problems.

    The database and the port speak for themselves then.
    """
    checks = [
        check_python,
        check_client,
        check_houses,
        check_port,
        check_secret_key,
        check_operators,
        check_robots,
        check_teams,
    ]
    if settings.simulator == "habitat":
        checks.append(check_habitat)
    return [finding for check in checks if (finding := check(settings)).stops_play]


def check_python(_settings: Settings) -> Finding:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < OLDEST_PYTHON:
        return Finding("Python", "problem", f"{version} is too old", "use Python 3.11 or later")
    return Finding("Python", "ok", version)


def check_client(settings: Settings) -> Finding:
    build = ClientBuild(settings.client_dir)
    try:
        for entry in ENTRIES:
            build.entry(entry)
    except ClientMissingError as error:
        return Finding("browser client", "problem", str(error), "make client")
    return Finding("browser client", "ok", f"build {build.version()}")


def check_houses(settings: Settings) -> Finding:
    remedy = "make houses (or: cohabit houses build --first)"
    try:
        read_catalogue(settings.data_dir)
        tasks = read_dataset(settings.dataset_path)
        scenes = {
            scene_id: read_scene(settings.data_dir, scene_id)
            for scene_id in {task.scene_id for task in tasks}
        }
        name = settings.dataset_path.name.removesuffix(".gz").removesuffix(".json")
        for task in tasks:
            if not is_of(task, scenes[task.scene_id]):
                text = f"{settings.dataset} was made for another version of {task.scene_id}"
                return Finding("houses", "problem", text, rebuild(name))
    except (HouseError, DatasetError) as error:
        return Finding("houses", "problem", str(error), remedy)
    if not tasks:
        return Finding("houses", "problem", f"{settings.dataset_path} has no tasks", remedy)
    count = len(list_scenes(settings.data_dir))
    return Finding("houses", "ok", f"{count} houses, {len(tasks)} tasks in {settings.dataset}")


def check_owner(settings: Settings) -> Finding:
    for file in lock_files(settings):
        holder = holder_of(file)
        if holder is not None:
            text = f"{file.parent} is held by {holder}"
            return Finding("data directory", "note", text, "no second server can start on it")
    with suppress(DatabaseError):  # Its own check says so.
        holder_there = asyncio.run(member_holder(settings))
        if holder_there is not None:
            text = f"the database is held by {holder_there}"
            remedy = "another server needs a database, or a COHABIT_MEMBER, of its own"
            return Finding("data directory", "note", text, remedy)
    return Finding("data directory", "ok", f"no server runs on {settings.data_dir}")


def check_database(settings: Settings) -> Finding:
    file = settings.sqlite_file
    if file is not None and not file.exists():
        holder = holder_of(lock_files(settings)[-1])
        if holder is not None:
            return _problem(fault(str(file), "is not there", f"{holder} uses it", "moved"))
        # Asking would make it.
        return Finding("database", "ok", f"{file} is made at the first start")

    async def ask() -> str:
        database = Database(settings.database)
        try:
            await database.examine()
            await database.check_writing()
        finally:
            await database.close()
        return database.url

    try:
        return Finding("database", "ok", asyncio.run(ask()))
    except DatabaseError as error:
        return _problem(error)


def _problem(error: DatabaseError) -> Finding:
    found, _, advice = str(error).partition("): ")
    return Finding("database", "problem", f"{found})" if advice else found, advice)


def check_disk(settings: Settings) -> Finding:
    """Check that there is room for recordings, and that they can be written."""
    folder = settings.recordings_dir
    found = disk_problem(folder, round(settings.disk_reserve_mb * 1e6))
    if found is not None:
        text, _, remedy = found.partition(": ")
        return Finding("disk", "problem", text, remedy)
    return Finding("disk", "ok", f"{folder} can be written, and has room")


def check_recordings(settings: Settings) -> Finding:
    """Check that the database knows the sessions of the logs that lie there."""
    logs = logs_of(settings)
    count = len(logs)
    if not logs:
        return Finding("recordings", "ok", "none yet")

    async def ask() -> str | None:
        database = Database(settings.database)
        try:
            return await orphaned_logs(settings, database)
        finally:
            await database.close()

    file = settings.sqlite_file
    try:
        if file is not None and not file.exists():
            if holder_of(lock_files(settings)[-1]) is not None:
                return Finding("recordings", "note", f"{count}; see what is said of the database")
            # Asking would make it.
            played = were_played(logs)
            found = orphans_text(settings, str(file), played) if played else None
        else:
            found = asyncio.run(ask())
    except DatabaseError:
        return Finding("recordings", "note", f"{count}, and the database cannot be asked of them")
    if found is None:
        return Finding("recordings", "ok", f"{count}, and the database knows their sessions")
    text, _, remedy = found.rpartition(": was the database")
    return Finding("recordings", "problem", text, f"was the database{remedy}")


def check_permissions(settings: Settings) -> Finding:
    """Check that nobody else on this machine can read what people did and said."""
    private = [settings.recordings_dir, *filter(None, [settings.sqlite_file])]
    above = settings.data_dir
    is_open = above.exists() and above.stat().st_mode & 0o011
    found = [p for p in private if p.exists() and p.stat().st_mode & 0o044]
    if is_open and found:
        text = f"other users of this machine may read {', '.join(map(str, found))}"
        return Finding("permissions", "note", text, f"chmod -R go-rwx {settings.data_dir}")
    return Finding("permissions", "ok", "what people do is for the server's user only")


def check_port(settings: Settings) -> Finding:
    where = f"{settings.host}:{settings.port or 'any port'}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            text = f"{where} cannot be used ({error.strerror})"
            return Finding("port", "problem", text, _remedy(error))
    return Finding("port", "ok", "any free one" if settings.port == 0 else f"{where} is free")


def _remedy(error: OSError) -> str:
    """Return what helps where an address cannot be listened on."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return (
            "set COHABIT_HOST (or --host) to an address of this machine: 127.0.0.1 for itself "
            "only, 0.0.0.0 for all"
        )
    if error.errno == errno.EACCES:
        return "choose a port from 1024 on, or let a proxy listen there: cohabit serve --port 8000"
    return "stop what uses it, or choose another: cohabit serve --port 8001"


def check_secret_key(settings: Settings) -> Finding:
    path = settings.data_dir / SECRET_KEY_FILE
    if not os.path.lexists(path):
        return Finding("key of tokens", "ok", "is made at the first start")
    try:
        read_key(path)
    except SecretKeyError as error:
        return Finding("key of tokens", "problem", str(error))
    return Finding("key of tokens", "ok", "only its owner can read it")


def check_operators(settings: Settings) -> Finding:
    """Check that operators can be told from everybody else."""
    has_accounts = _has_accounts(settings)
    try:
        settings.require_operators(has_accounts=has_accounts)
    except SettingsError as error:
        return Finding("operators", "problem", str(error))
    if has_accounts:
        return Finding("operators", "ok", "sign in with their accounts")
    password = settings.metrics_token.strip()
    if password and settings.is_reached:
        text = "all enter with COHABIT_METRICS_TOKEN, and the log knows none of them by name"
        return Finding("operators", "note", text, MAKE_ACCOUNT)
    if password:
        return Finding("operators", "ok", "enter with COHABIT_METRICS_TOKEN")
    if settings.proxy_ips:
        text = "nobody is one: COHABIT_PROXY_IPS is set, and nobody has an account"
        return Finding("operators", "note", text, MAKE_ACCOUNT)
    return Finding("operators", "ok", "who uses a browser on this machine")


def _has_accounts(settings: Settings) -> bool:
    """Tell whether anybody has an account; a database that cannot be read speaks for itself."""
    file = settings.sqlite_file
    if file is not None and not file.exists():
        # Asking would make it.
        return False

    try:
        return in_database(settings, has_operators)
    except StopError:
        return False


def check_household(_settings: Settings) -> Finding:
    missing = [name for name in ("numpy", "shapely") if find_spec(name) is None]
    if missing or find_spec("server.simulators.household") is None:
        return Finding(
            "household simulator",
            "problem",
            f"missing: {', '.join(missing) or 'server.simulators.household'}",
            "make setup",
        )
    return Finding("household simulator", "ok", "embedded, needs no download")


def check_habitat(settings: Settings) -> Finding:
    """Check for Habitat; what is missing is a note, unless sessions are to run on it."""
    level: Level = "problem" if settings.simulator == "habitat" else "note"
    found = interpreter.known()
    if found is None:
        text = "no interpreter with habitat-sim is known; the household needs none"
        return Finding("Habitat", level, text, "cohabit habitat use PYTHON")
    if interpreter.habitat_python() is None:
        text = f"{found.python} (from {found.source}) cannot be run"
        return Finding("Habitat", level, text, "cohabit habitat use PYTHON")
    if settings.simulator == "habitat":
        lack = interpreter.why_unfit(found.python)
        if lack:
            return Finding("Habitat", level, lack, "cohabit habitat doctor")
        remedy = f"cohabit houses export --habitat {settings.habitat_dir}"
        exported = HabitatDataset(settings.habitat_dir)
        try:
            for scene in {task.scene_id for task in read_dataset(settings.dataset_path)}:
                if exported.scene(scene).digest != read_scene(settings.data_dir, scene).digest:
                    text = f"{settings.habitat_dir} holds another {scene} than the household's"
                    return Finding("Habitat", level, text, remedy)
        except (SimulatorError, HouseError, DatasetError) as error:
            return Finding("Habitat", level, str(error), remedy)
    return Finding("Habitat", "ok", f"with {found.python}")


def check_model_server(settings: Settings) -> Finding:
    server = ModelServer.of(settings)
    if server is None:
        return Finding("model server", "note", "none is set; people play without it")
    url = server.url
    if not url.startswith(("http://", "https://")):
        return Finding("model server", "note", f"{url} is no web address", "see COHABIT_MODEL_URL")

    async def ask() -> list[str]:
        async with ModelClient(dataclasses.replace(server, deadline_s=5.0)) as client:
            return await client.models()

    try:
        names = asyncio.run(ask())
    except GarbageError:
        text = f"{url} answers, but not as an OpenAI-compatible server"
        return Finding("model server", "note", text, "the address ends with /v1, as a rule")
    except RefusedError as error:
        remedy = "see COHABIT_MODEL_KEY" if error.status in (401, 403) else "see COHABIT_MODEL_URL"
        text = f"{url} refuses to name its models ({error.status or error})"
        return Finding("model server", "note", text, remedy)
    except ModelError as error:
        text = f"{url} does not answer ({error})"
        return Finding("model server", "note", text, "cohabit robots serve MODEL")
    if settings.model_name and settings.model_name not in names:
        text = f"{url} has no {settings.model_name}; it has: {', '.join(names)}"
        return Finding("model server", "note", text, "see COHABIT_MODEL_NAME")
    return Finding("model server", "ok", f"{url} ({', '.join(names)})")


def check_robots(settings: Settings) -> Finding:
    try:
        robots = RobotPartners(settings)
    except SettingsError as error:
        return Finding("robots", "problem", str(error), "cohabit robots list")
    return Finding("robots", "ok", ", ".join(entry.name for entry in robots.entries))


def check_teams(settings: Settings) -> Finding:
    """Check that the teams that open play offers can be, and that a task suits each."""
    try:
        offers = TeamOffers(settings, RobotPartners(settings)).named
    except SettingsError as error:
        return Finding("teams", "problem", str(error))
    source = TaskSource(settings.data_dir, settings.dataset)
    teams = [team for offer in offers.values() for team in offer.teams()]
    # Where a human body plays, any task will do; the data set is large, and has a check of its own.
    if any(not has_human(team) for team in teams):
        try:
            tasks = asyncio.run(source.all())
            for team in teams:
                playable(tasks, team)
        except SeriesError as error:
            return Finding("teams", "problem", f"COHABIT_TEAMS: {error}")
    return Finding("teams", "ok", ", ".join(str(offer.team) for offer in offers.values()) or "none")


_MARKS: dict[Level, str] = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}


def line_of(finding: Finding) -> str:
    """Return a finding as the command prints it, its remedy on a line of its own."""
    text = shortened(f"{_MARKS[finding.level]}  {finding.subject}: {finding.text}")
    return f"{text}\n         -> {finding.remedy}" if finding.remedy else text
