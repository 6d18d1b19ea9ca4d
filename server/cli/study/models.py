"""Models of a study for commands: read at its opening and its end, and told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from server.cli.stop import StopError

if TYPE_CHECKING:
    from matchmaking.study import Study
    from server.robots.serving.served_model import ServedModel
    from server.settings import Settings
    from server.store.study_models import ModelReadingRow


def read_models(study: Study, settings: Settings) -> list[ServedModel]:
    """Read the models that a study's robots ask; none where none of them asks any.

    Raises StopError: their server does not answer.
    """
    from server.research.studies.model_readings import read_models_of, told_error
    from server.robots.models import ModelError

    try:
        return asyncio.run(read_models_of(study, settings))
    except ModelError as error:
        raise StopError(f"the model of its robots cannot be read: {told_error(error)}") from error


def told_model(model: ServedModel) -> str:
    """Return what is known of a model, and what is not, in words."""
    from server.robots.serving.served_model import FACTS

    known = [
        f"{words}: {model.facts[fact]}" for fact, words in FACTS.items() if fact in model.facts
    ]
    unknown = [words for fact, words in FACTS.items() if fact not in model.facts]
    told = f"the model {model.name} ({'; '.join(known) or 'its server says nothing of it'})"
    return f"{told}; not known: {', '.join(unknown)}" if unknown else told


def model_lines(rows: Sequence[ModelReadingRow]) -> Iterator[str]:
    """Yield for each model of a study when it was read, and whether it is what it was."""
    opened = [row for row in rows if row.occasion == "open"]
    later = [row for row in rows if row.occasion != "open"]
    for row in opened:
        yield f"model {row.model}: read at the opening ({row.at:%Y-%m-%d %H:%M} UTC)"
    if not opened:
        return
    if not later:
        yield "models: not read since; the server reads them once a day"
        return
    last = [row for row in later if row.at == later[-1].at]
    read = [row for row in later if row.reading is not None]
    times, other = len({row.at for row in read}), len({row.at for row in read if row.text})
    yield f"models: read {times} times since, {times - other} times the same as at the opening"
    for row in last:
        said = row.text or "the same as at the opening"
        yield f"  last, {row.at:%Y-%m-%d %H:%M} UTC, {row.model or 'all'}: {said}"
