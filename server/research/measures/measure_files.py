"""Measures of one's own, from files that are named on the command line."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path

from server.research.measures.measure import Measure, is_measure
from server.research.measures.registry import MEASURES


class MeasureFileError(Exception):
    """Error for a file that has no measure; the text says what to do."""


def measures_of(files: Iterable[Path]) -> tuple[Measure, ...]:
    """Return the measures of each export, then those of the files. Raises MeasureFileError.

    A file is a module of Python that is run: it has ``MEASURE``, or several in ``MEASURES``.
    """
    found = list(MEASURES)
    for file in files:
        for measure in _read(file):
            if any(other.name == measure.name for other in found):
                raise MeasureFileError(
                    f"{file}: there is a measure {measure.name!r} already: give it another name"
                )
            found.append(measure)
    return tuple(found)


def _read(file: Path) -> tuple[Measure, ...]:
    spec = importlib.util.spec_from_file_location(f"measure_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise MeasureFileError(f"{file}: expected a file of Python with a measure")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        # Whatever somebody's own file raises, the file is what is wrong.
        raise MeasureFileError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    several = getattr(module, "MEASURES", None)
    measures = (getattr(module, "MEASURE", None),) if several is None else tuple(several)
    if not measures or not all(map(is_measure, measures)):
        raise MeasureFileError(
            f"{file}: expected MEASURE = Measure(…) with name, version, definition, unit, source "
            "and compute (server.research.measures.measure), or several in MEASURES"
        )
    return measures
