"""Checks of a study: whether it may run here, its houses, simulators, codes and consent."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from episodes.dataset import DatasetError, Task
from episodes.houses.files import HouseError, read_catalogue, read_scene, tasks_file
from episodes.tasks.versions import is_of, rebuild
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.endings import Ending
from matchmaking.study.opening_rules import CODED, opening_warnings
from matchmaking.study.pages import Instructions, Survey
from matchmaking.study.pay import Measure
from server.app import server_version
from server.cli.doctor_checks import check_habitat
from server.cli.preflight.checks import Found, Subject, fail, in_thread, ok, told, warn, worst
from server.cli.preflight.machine_checks import in_database, of_doctor
from server.hosting.hosted_session import HostError
from server.hosting.session_host import SessionHost
from server.research.studies.checks import unready
from server.research.studies.ready_studies import ready_codes
from server.research.studies.task_choice import tasks_of
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store.identifiers import new_id
from server.store.study_pauses import pause_of

LINKED = ("catalogue", "houses", "tasks", "habitat")
"""Folders of the data directory that a session reads."""
_PLACEHOLDER = re.compile(
    r"CHANGE[- _]?ME|TODO|FIXME|XXX+|LOREM IPSUM|\[(YOUR|NAME|INSERT|DATE)\b[^\]]*\]", re.I
)
"""Text that somebody was to replace."""
_EXAMPLE = re.compile(r"@example\.(org|com|net)$", re.I)


async def check_study(subject: Subject) -> Found:
    """Check that nothing of the study's own keeps it from being open here, and that it is."""
    study, settings = subject.the_study, subject.settings
    problems = await in_thread(
        lambda: list(
            unready(
                study,
                settings.data_dir,
                subject.now().date().isoformat(),
                own=settings.data_dir / settings.dataset,
            )
        )
    )
    if problems:
        texts = [problem.text for problem in problems]
        return fail(
            told(texts), "mend the study's file: `cohabit study check FILE` names each line"
        )
    named = f"{study.name} version {study.version} ({study.mode}, {study.recruiter.kind})"
    if not subject.is_open:
        return warn(
            f"{named} is not open, so its link leads nowhere yet", "cohabit study open FILE"
        )
    pause = await in_database(settings, lambda db: pause_of(db, study.name, study.mode))
    if pause is not None:
        return fail(
            f"{named} has paused its recruiting: {pause.text}",
            "see to the cause, then Resume at /operator",
        )
    warnings = [problem.text for problem in opening_warnings(study)]
    if study.mode != "live":
        warnings.insert(0, f"its mode is {study.mode}: its data count nowhere else")
    if warnings:
        return warn(f"{named} is open. {told(warnings)}", "change what is not meant so")
    return ok(f"{named} is open")


async def check_houses(subject: Subject) -> Found:
    """Check that the houses of the study's tasks can be loaded, in the version of the tasks."""
    return await in_thread(_houses, subject.the_study, subject.settings)


def _houses(study: Study, settings: Settings) -> Found:
    remedy = "cohabit houses build, then cohabit tasks build (or restore them from a backup)"
    try:
        read_catalogue(settings.data_dir)
        tasks = tasks_of(study, settings.data_dir)
        for scene_id in dict.fromkeys(task.scene_id for task in tasks):
            scene = read_scene(settings.data_dir, scene_id)
            if not all(is_of(task, scene) for task in tasks if task.scene_id == scene_id):
                text = f"tasks of {study.tasks.set} were made for another version of {scene_id}"
                return fail(text, rebuild(study.tasks.set))
    except (HouseError, DatasetError) as error:
        return fail(str(error), remedy)
    if not tasks:
        return fail(f"the set {study.tasks.set} has none of the study's tasks", remedy)
    n_houses = len({task.scene_id for task in tasks})
    in_houses = "one house" if n_houses == 1 else f"{n_houses} houses"
    return ok(f"{len(tasks)} tasks of the set {study.tasks.set}, in {in_houses}")


# Simulators


async def check_simulators(subject: Subject) -> Found:
    """Open and close a session of the first task in a worker, for each simulator that is used."""
    study, settings = subject.the_study, subject.settings
    tasks = await in_thread(tasks_of, study, settings.data_dir)
    if not tasks:
        return fail("there is no task to begin", "see the check of the houses")
    cells = {cell.treatment.simulator: cell for cell in study.cells}
    found = []
    for simulator, cell in cells.items():
        if simulator == "habitat":
            lack = await in_thread(
                check_habitat, settings.model_copy(update={"simulator": "habitat"})
            )
            if lack.level != "ok":
                found.append(of_doctor(lack, note="fail"))
                continue
        found.append(await _try_simulator(settings, study, cell, tasks[0]))
    return worst(found)


async def _try_simulator(settings: Settings, study: Study, cell: Cell, task: Task) -> Found:
    """Play nothing of a task in a worker of its own, whose log goes to a folder that is removed."""
    simulator = cell.treatment.simulator
    file = tasks_file(settings.data_dir, study.tasks.set)
    with tempfile.TemporaryDirectory(prefix="cohabit-preflight-") as folder:
        for name in LINKED:
            if (there := settings.data_dir.absolute() / name).exists():
                (Path(folder) / name).symlink_to(there, target_is_directory=True)
        apart = settings.model_copy(
            update={"data_dir": Path(folder), "workers": 1, "simulator": simulator}
        )
        spec = SessionSpec.of(
            new_id("ses"),
            cell.team,
            0,
            simulator=simulator,
            profile=cell.treatment.profile,
            semantics=cell.treatment.semantics,
        )
        episode = EpisodeSpec(new_id("epi"), str(file.relative_to(settings.data_dir)), task.task_id)
        host = SessionHost(apart, _ignore_result, _ignore_end, version=server_version())
        try:
            await host.start()
            await host.open(spec, episode)
            await host.close_session(spec.session_id, "preflight")
        except (HostError, RuntimeError) as error:
            return fail(
                f"{simulator} cannot begin task {task.task_id}: {error}",
                "cohabit habitat doctor" if simulator == "habitat" else "cohabit doctor",
            )
        finally:
            await host.stop()
    return ok(f"{simulator} began task {task.task_id} with {cell.team} and ended it")


async def _ignore_result(_result: EpisodeResult) -> None: ...


async def _ignore_end(_session_id: str, _reason: str) -> None: ...


# Codes


async def check_codes(subject: Subject) -> Found:
    """Check that each ending has the code that its recruiter needs, and none is an example's."""
    study = subject.the_study
    recruiter = study.recruiter
    example = sorted(set(recruiter.codes.values()) & ready_codes())
    if example or any(_PLACEHOLDER.search(code) for code in recruiter.codes.values()):
        shown = ", ".join(example or recruiter.codes.values())
        return Found(
            "fail" if recruiter.kind in CODED else "warn",
            f"{shown} stands in a file that everybody has: whoever reads it needs not take part",
            "give each ending a code of the study's own, as its recruiter made it",
        )
    if recruiter.kind not in CODED:
        n_codes = len(recruiter.codes)
        shown = f"; those of {n_codes} endings are shown" if n_codes else ""
        return ok(f"{recruiter.kind} needs none{shown}")
    if Ending.COMPLETED not in recruiter.codes:
        return fail(
            f"there is none for `completed`, without which nobody is paid at {recruiter.kind}",
            "copy it from the study's page there into `recruiter.codes`",
        )
    lacking = [str(ending) for ending in _paid_endings(study) if ending not in recruiter.codes]
    if lacking:
        return warn(
            f"no code for {', '.join(lacking)}, which are paid: people then go back without one, "
            "and are paid by hand",
            "make one for each at the recruiter, and name it in `recruiter.codes`",
        )
    return ok(f"one for each ending that is paid ({len(recruiter.codes)})")


def _paid_endings(study: Study) -> Iterator[Ending]:
    """Yield the endings that earn something and that visits of a study can come to."""
    inattentive = any(isinstance(p, Survey) and p.ends_inattentive for p in study.pages)
    for ending in Ending:
        payment = study.pay.of(ending)
        if payment.measure is Measure.NONE or (
            payment.measure is Measure.FIXED and not payment.amount
        ):
            continue
        if ending is Ending.ATTENTION_FAILED and not inattentive:
            continue
        yield ending


# Consent


async def check_consent(subject: Subject) -> Found:
    """Check the consent text in each language of the study."""
    study = subject.the_study
    consent = study.consent
    if consent is None:
        return fail("there is no page of consent", "add `- page: consent` before anything is asked")
    found = []
    for language in study.languages:
        text = consent.text.get(language, "").strip()
        read = " ".join([text, *(p.text.get(language, "") for p in _read_pages(study))])
        if not text:
            found.append(fail(f"no text in {language!r}", "write it, or leave the language out"))
        elif (left := _PLACEHOLDER.search(read)) is not None:
            found.append(
                fail(f"{left[0]!r} is left in the text in {language!r}", "put there what is meant")
            )
        else:
            found.append(ok(f"{language}: {len(text.split())} words, version {consent.version}"))
    if _EXAMPLE.search(study.contact):
        found.append(
            fail(f"people are to write to {study.contact}", "name an address that somebody reads")
        )
    return worst(found)


def _read_pages(study: Study) -> Iterator[Instructions]:
    yield from (page for page in study.pages if isinstance(page, Instructions))
