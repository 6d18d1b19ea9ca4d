"""Players of a study: whether its robots and simulators can play here, before it opens."""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.study import Problem, Study
from server.cli.doctor_checks import Finding, check_habitat, check_model_server
from server.research.studies.model_users import model_users, untold_operator
from server.settings import Settings


def missing_players(study: Study, settings: Settings) -> Iterator[Problem]:
    """Yield what keeps the robots and simulators of a study from playing on this machine now."""
    needing = list(model_users(study))
    if (untold := untold_operator(study, settings.model_url)) is not None:
        yield untold
    if needing and (lack := _lack_of_model(settings)):
        for where, name in needing:
            yield Problem(where, f"the policy {name!r} needs a model server, and {lack}")
    on_habitat = [n for n, c in enumerate(study.cells) if c.treatment.simulator == "habitat"]
    if on_habitat:
        # Of the data set that is played there the session itself says what it lacks.
        found = check_habitat(settings.model_copy(update={"simulator": "habitat"}))
        if found.level != "ok":
            for number in on_habitat:
                yield Problem(
                    ("cells", number, "treatment", "simulator"),
                    f"this condition plays on Habitat, and {_told(found)}",
                )


def _lack_of_model(settings: Settings) -> str:
    """Return what is wrong with the model server; empty: it answers."""
    if not settings.model_url:
        return (
            "COHABIT_MODEL_URL names none: `cohabit robots serve MODEL` starts one, and says what "
            "to set"
        )
    found = check_model_server(settings)
    return "" if found.level == "ok" else _told(found)


def _told(found: Finding) -> str:
    return f"{found.text}: {found.remedy}" if found.remedy else found.text
