"""`cohabit lobby simulate`: invented arrivals against a study."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from episodes.bounded_files import UnreadableError, read_file
from matchmaking.study import Study, StudyError
from matchmaking.study_file.problems import StudyFileError
from matchmaking.study_file.reading import read_study
from server.cli.terminal import PlainTable, failed, output_console
from server.research.lobby_simulation.arrivals import Arrivals, ArrivalsError
from server.research.lobby_simulation.figures import cells_of, draw, endings_of, waits_of
from server.research.lobby_simulation.simulation import Course, simulate

USUAL = Arrivals()
LARGEST_BYTES = 4 * 1024 * 1024


def simulate_lobby(
    study: Annotated[Path, typer.Argument(help="Study file.", show_default=False)],
    per_hour: Annotated[float, typer.Option(help="People who reach the lobby in an hour.")] = (
        USUAL.per_hour
    ),
    hours: Annotated[float, typer.Option(help="Hours for which people are invited.")] = USUAL.hours,
    leaves_per_hour: Annotated[
        float, typer.Option(help="Rate at which somebody who waits gives up.")
    ] = USUAL.leaves_per_hour,
    unready: Annotated[
        float,
        typer.Option(help="Share of those asked who do not say that they are ready, each time."),
    ] = USUAL.unready,
    breaks_off: Annotated[
        float, typer.Option(help="Share of groups that somebody leaves before the end.")
    ] = USUAL.breaks_off,
    pages_minutes: Annotated[
        float, typer.Option(help="Minutes of the pages before and behind play, in the middle.")
    ] = USUAL.pages_minutes,
    play_minutes: Annotated[
        float, typer.Option(help="Minutes that a group plays, in the middle.")
    ] = USUAL.play_minutes,
    rtt_ms: Annotated[
        float, typer.Option(help="Round trip to the server (ms), in the middle.")
    ] = USUAL.rtt_ms,
    homes: Annotated[int, typer.Option(help="Most sessions at once.")] = USUAL.homes,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = USUAL.seed,
    plot: Annotated[
        Path | None, typer.Option(help="Picture to write (.svg, .png or .pdf).")
    ] = None,
) -> None:
    """Play invented arrivals against a study, with the queue and matchmakers that serve it.

    Nothing of the study is opened, and no robot is asked. The same seed plays the same day. Half of
    the pages come before play, and whoever gets no group sees no others, unless the study goes on
    with its questions. Who was not ready in time joins again at once, and ends the third time.
    """
    if plot is not None and find_spec("matplotlib") is None:
        raise failed("a picture needs matplotlib: install the extra `analysis`")
    arrivals = Arrivals(
        per_hour=per_hour,
        hours=hours,
        leaves_per_hour=leaves_per_hour,
        unready=unready,
        breaks_off=breaks_off,
        pages_minutes=pages_minutes,
        play_minutes=play_minutes,
        rtt_ms=rtt_ms,
        homes=homes,
        seed=seed,
    )
    declared = _read(study)
    try:
        course = simulate(declared, arrivals)
    except (ArrivalsError, StudyError) as error:
        raise failed(error) from error
    _print(declared, course)
    if plot is not None:
        try:
            draw(declared, course, plot)
        except (OSError, ValueError) as error:
            raise failed(f"the picture could not be written: {error}") from error


def _read(path: Path) -> Study:
    """Return the study of a file; end the command where it is none."""
    try:
        found = read_study(read_file(path, LARGEST_BYTES).decode()).study
    except (OSError, UnreadableError, UnicodeDecodeError) as error:
        raise failed(error) from error
    except StudyFileError as error:
        told = (problem.told(path.name) for problem in error.problems)
        raise failed("the study cannot be read\n" + "\n".join(told)) from error
    if found.is_open_play:
        raise failed("expected a study that gives conditions: in open play people choose")
    return found


def _print(study: Study, course: Course) -> None:
    console = output_console()
    pay, total = study.pay, sum(visit.cost for visit in course.visits)
    waits = PlainTable("waits", "people", "middle s", "9 of 10 s", "longest s")
    for name, mine in (
        ("got a group", [v for v in course.visits if v.has_group]),
        ("did not", [v for v in course.visits if not v.has_group]),
    ):
        found = waits_of(mine)
        times = (found.middle_s, found.nine_of_ten_s, found.longest_s)
        waits.add_row(name, str(found.people), *(f"{time:.0f}" for time in times))
    console.print(waits)
    cells = PlainTable("condition", "target", "begun", "completed", "with substitute")
    for cell in cells_of(study, course.groups):
        counts = (cell.target, cell.begun, cell.completed, cell.substituted)
        cells.add_row(cell.name or "(none: alone)", *map(str, counts))
    console.print(cells)
    endings = PlainTable("ending", "people", f"cost {pay.currency}")
    for ending, people, cost in endings_of(course.visits):
        endings.add_row(str(ending), str(people), f"{cost / 100:.2f}")
    endings.add_row("in all", str(len(course.visits)), f"{total / 100:.2f}")
    console.print(endings)
    if course.full_at is not None:
        console.print(f"All conditions were full after {course.full_at / 3600:.1f} h.")
    if course.spent_at is not None:
        cap = "" if pay.cap is None else f" (cap {pay.cap / 100:.2f} {pay.currency})"
        console.print(
            f"After {course.spent_at / 3600:.1f} h people were not let in for want of money{cap}."
        )
    if course.turned_away:
        console.print(f"{course.turned_away} people came and were not let in.")
