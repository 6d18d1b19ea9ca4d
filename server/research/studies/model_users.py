"""Model server of a study: which of its robots ask it, and whether people are told who runs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from matchmaking.study import Problem, Study
from matchmaking.study.problems import Path
from server.host_names import read_authority
from server.robots.policy_spec import RobotError
from server.robots.registry.models_named import models_of
from server.robots.registry.registry import spec_of


class ModelUser(NamedTuple):
    """A place of a study whose robot asks a model server."""

    where: Path
    policy: str


def model_users(study: Study) -> Iterator[ModelUser]:
    """Yield the robots of a study that ask a model server, each once in a condition."""
    for number, cell in enumerate(study.cells):
        for name in dict.fromkeys(cell.team.policies.values()):
            if _asks_model(name):
                yield ModelUser(("cells", number, "team"), name)
    if study.substitute and _asks_model(study.substitute):
        yield ModelUser(("substitute",), study.substitute)


def models_asked(study: Study) -> tuple[str, ...]:
    """Return the models that a study's robots ask for; an empty name: the server's setting."""
    names: dict[str, None] = {}
    for user in model_users(study):
        named = tuple(models_of(user.policy)) or ("",)
        names |= dict.fromkeys(named)
    return tuple(names)


def untold_operator(study: Study, model_url: str) -> Problem | None:
    """Return the problem of a study whose words go to a server that its people are not told of.

    A server on this machine or in a private network counts as the researchers' own. What
    ``models_run_by`` says stands in the consent text and on the privacy page.
    """
    host = read_authority(urlsplit(model_url).netloc.rpartition("@")[2])
    if study.models_run_by or host is None or host.is_private or not any(model_users(study)):
        return None
    return Problem(
        ("models_run_by",),
        f"its robots ask the model server at {host.name}, outside this machine and private "
        "networks: name who runs it, here and in the consent text",
    )


def _asks_model(name: str) -> bool:
    try:
        return spec_of(name).needs_model
    except RobotError:
        # Told among the problems of teams.
        return False
