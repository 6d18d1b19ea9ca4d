"""Model server for `cohabit trial`, made of the doubles that plan well.

Run it with ``COHABIT_DATA_DIR=… python -m tests.model_double tests.robot_doubles.served:answers``.
The doubles know the tasks of the data directory; which of them answers is told from how it is
asked. ``DOUBLE_ERRORS="wrong_goal=0.2 free_text=0.05"`` makes them err (see `errors` beside it).
"""

from __future__ import annotations

import hashlib
import os
import random
import re
from functools import cache
from pathlib import Path

from episodes.dataset import read_dataset
from server.robots.models import Message, ModelRequest
from server.robots.models.call_record import prompt_text
from server.sessions.core import SessionCore
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.model_double import Asked, Reply
from tests.robot_doubles.cohab import CohabDouble
from tests.robot_doubles.errors import Errors, misread, spoil
from tests.robot_doubles.helper import INPUT, HelperDouble
from tests.robot_doubles.llamar import LlamarDouble
from tests.robot_doubles.partnr import PartnrDouble


def answers(asked: Asked) -> Reply:
    """Answer as the double for the asking policy would."""
    request = ModelRequest(
        purpose="",
        prompt=_prompt(asked),
        stop=tuple(asked.body.get("stop") or ()),
    )
    errors = _errors()
    # Of the prompt, not of the order of requests: the same trial meets the same errors again.
    rng = random.Random(f"{errors.seed} {prompt_text(request)}")
    return Reply(spoil(_answer(request), errors, rng))


def owned_by() -> str:
    """Say what answers: a digest of the doubles' programs, and their errors."""
    return owner_with(os.environ.get("DOUBLE_ERRORS", ""))


def owner_with(errors: str) -> str:
    """Say what answers with these errors, in words; of none there are none."""
    return f"doubles served {_programs()} with {errors or 'no errors'}"


@cache
def _programs() -> str:
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _prompt(asked: Asked) -> tuple[Message, ...] | str:
    if "messages" not in asked.body:
        return str(asked.body["prompt"])
    return tuple(Message(m["role"], m["content"]) for m in asked.body["messages"])


def _answer(request: ModelRequest) -> str:
    prompt = prompt_text(request)
    if "What is known of the home:" in prompt:
        wanted = prompt.rpartition("What is wanted:\n<said>")[2].partition("</said>")[0]
        return CohabDouble(next(c for c in _cores() if c.task_text in wanted)).answer(prompt)
    if INPUT.search(prompt):
        return _helper().answer(prompt)
    if re.search(r"\n\nYou (keep|decide|find out|check)", prompt):
        return _llamar().answer(prompt)
    return _planner().answer(request)


@cache
def _errors() -> Errors:
    return Errors.of_environment()


@cache
def _cores() -> list[SessionCore]:
    """Return the sessions in which each task begins."""
    data = Path(os.environ["COHABIT_DATA_DIR"])
    library = HouseLibrary(data)
    return [
        SessionCore(
            SessionSpec.pair("ses_1", 1),
            EpisodeSpec("epi_1", path.name, episode.task_id),
            misread(episode, _errors()),
            HouseholdSimulator(library),
        )
        for path in sorted((data / "tasks").glob("*.json.gz"))
        for episode in read_dataset(path)
    ]


@cache
def _helper() -> HelperDouble:
    return HelperDouble.for_tasks(_cores())


@cache
def _llamar() -> LlamarDouble:
    return LlamarDouble.for_tasks(_cores())


@cache
def _planner() -> PartnrDouble:
    return PartnrDouble.for_tasks(_cores())
