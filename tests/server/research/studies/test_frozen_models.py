"""Models of open studies: read once a day, and a study whose robots are others pauses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from episodes.teams import Team
from matchmaking.recruiting_limits import Cause, after_pause
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from server.recruiting.open_studies import OpenStudies
from server.recruiting.operator_notices import OperatorNotices
from server.recruiting.recruiting_watch import RecruitingWatch
from server.research.studies.frozen_models import FrozenModels
from server.research.studies.model_readings import keep, read_models_of, told_error
from server.robots.models import RefusedError
from server.settings import Settings
from server.store import Database
from server.store.model_readings import readings_of
from server.store.study_models import ModelReadingRow
from server.store.study_pauses import pause_of, resume_study
from tests.model_double import Asked, ModelDouble, Reply
from tests.server.web.participants.visitors import short_study

MORNING = datetime(2026, 11, 2, 9, tzinfo=UTC)


class Rig:
    """A database, a model server and a clock, with a study that was opened in the morning."""

    def __init__(self, database: Database, double: ModelDouble, policy: str = "react") -> None:
        self.database, self.double, self.now = database, double, MORNING
        cell = Cell(name="llm", team=Team.parse(f"human=person,robot={policy}"), target=10)
        self.study: Study = short_study(cells=(cell,))
        self.settings = Settings(model_url=double.url)
        self.watched = FrozenModels(
            database, lambda: [self.study], self.settings, self._pause, lambda: self.now
        )

    async def _pause(self, study: Study, cause: Cause, text: str) -> None:
        """Pause as the watch over recruiting does."""
        nothing = OperatorNotices(())
        watch = RecruitingWatch(
            self.database,
            OpenStudies([study], ""),
            lambda _: 0.0,
            lambda _: "",
            lambda _: False,
            lambda _: False,
            nothing,
            lambda: self.now,
        )
        await watch.pause(study, cause, text)

    async def opened(self) -> None:
        models = await read_models_of(self.study, self.settings)
        async with self.database.transaction() as db:
            keep(db, self.study.key, "open", models, {}, self.now)

    async def look(self, hours: float) -> list[ModelReadingRow]:
        """Look after so many hours; return the readings since the opening."""
        self.now += timedelta(hours=hours)
        await self.watched.look(self.study)
        async with self.database.transaction() as db:
            return [r for r in await readings_of(db, self.study.key) if r.occasion == "daily"]

    async def cause(self) -> str | None:
        async with self.database.transaction() as db:
            pause = await pause_of(db, self.study.name, self.study.mode)
            return None if pause is None else f"{pause.cause}: {pause.text}"


@pytest.fixture
def double() -> Iterator[ModelDouble]:
    with ModelDouble(lambda asked: Reply(asked.last.split()[-1]), version="0.11.0") as running:
        yield running


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(f"sqlite+aiosqlite:///{tmp_path / 'cohabit.db'}")
    await made.upgrade()
    yield made
    await made.close()


@pytest.fixture
async def rig(database: Database, double: ModelDouble) -> Rig:
    made = Rig(database, double)
    await made.opened()
    return made


async def test_a_model_that_stays_is_read_with_all_questions_once_a_day(rig: Rig) -> None:
    asked = len(rig.double.asked)
    assert await rig.look(23) == []
    assert len(rig.double.asked) == asked, "facts cost the server no answer"
    (row,) = await rig.look(1)
    assert (row.model, row.text) == ("double", "")
    assert len(rig.double.asked) == 2 * asked
    assert len(await rig.look(23)) == 1
    assert len(await rig.look(1)) == 2
    assert await rig.cause() is None


async def test_another_server_is_noticed_within_the_day_and_pauses_the_study(rig: Rig) -> None:
    rig.double.version = "0.12.0"
    (row,) = await rig.look(0.2)
    assert row.text == "the version of the model server: was 0.11.0, is 0.12.0"
    assert await rig.cause() == (
        "model: the model double is not what it was at the opening (the version of the model "
        "server: was 0.11.0, is 0.12.0)"
    )
    assert "once the model is again what it was" in after_pause(Cause.MODEL, rig.study.name)
    assert len(await rig.look(0.2)) == 1, "what was read is read again the next day"
    assert len(await rig.look(24)) == 2
    async with rig.database.transaction() as db:
        await resume_study(db, rig.study.name, rig.now + timedelta(minutes=1))
    assert len(await rig.look(0.2)) == 3, "people were let in again: all is read at once"
    assert await rig.cause() is not None, "nothing was mended"
    rig.double.version = "0.11.0"
    assert (await rig.look(0.2))[-1].text == ""
    async with rig.database.transaction() as db:
        await resume_study(db, rig.study.name, rig.now + timedelta(minutes=1))
    assert (await rig.look(0.2))[-1].text == ""
    assert await rig.cause() is None


async def test_answers_tell_of_weights_that_nobody_can_see(rig: Rig) -> None:
    """A few rounded differently are told; half of them are another robot."""

    def odd(asked: Asked) -> Reply:
        return Reply("otherwise" if "plates" in asked.last else asked.last.split()[-1])

    rig.double.behave = odd
    assert (await rig.look(24))[-1].text == "1 of 8 answers to fixed questions differ"
    assert await rig.cause() is None
    rounds = len(rig.double.asked)
    rig.double.behave = lambda asked: Reply(
        "otherwise" if len(rig.double.asked) <= rounds + 8 else asked.last.split()[-1]
    )
    assert (await rig.look(24))[-1].text == "", "it answered otherwise once"
    rig.double.behave = lambda asked: Reply("otherwise")
    assert (await rig.look(24))[-1].text == "8 of 8 answers to fixed questions differ"
    assert str(await rig.cause()).startswith("model: ")


async def test_a_silent_server_is_noted_once_a_day_and_read_when_it_is_back(rig: Rig) -> None:
    behave = rig.double.behave
    rig.double.behave = lambda asked: Reply("no", status=400)
    (row,) = await rig.look(24)
    assert row.model == ""
    assert row.text.endswith("refused the request (400)"), "nothing that the server said"
    assert len(await rig.look(1)) == 1
    rig.double.behave = behave
    assert [bool(row.reading) for row in await rig.look(1)] == [False, True]
    assert await rig.cause() is None, "who offers robots watches whether their model answers"


async def test_studies_without_a_reading_at_their_opening_are_left_alone(
    database: Database, double: ModelDouble
) -> None:
    before = Rig(database, double)
    assert await before.look(48) == [], "it was opened by an earlier release"
    without = Rig(database, double, "expert")
    assert await read_models_of(without.study, without.settings) == []
    assert await without.look(48) == []
    assert double.asked == []


async def test_another_model_that_answers_nothing_is_known_by_what_it_is(rig: Rig) -> None:
    rig.double.version = "0.12.0"
    rig.double.behave = lambda asked: Reply("no", status=500)
    (row,) = await rig.look(0.2)
    assert row.text == "the version of the model server: was 0.11.0, is 0.12.0"
    assert str(await rig.cause()).startswith("model: the model double is not what it was")


async def test_a_model_that_its_server_has_no_more_pauses_the_study(rig: Rig) -> None:
    rig.settings.model_name = "double"
    rig.double.models = ("other",)
    await rig.look(0.2)
    assert await rig.cause() == "model: the model server has no model double; it has: other"


def test_a_reason_has_no_password_and_no_words_of_the_server() -> None:
    refused = RefusedError("http://ann:secret@host:1/v1 refused the request (401): Bearer sk-1")
    assert told_error(refused) == "http://host:1/v1 refused the request (401)"
