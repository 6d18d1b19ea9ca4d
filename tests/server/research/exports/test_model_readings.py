"""Readings of models in exports and releases: what they were, without paths of a lab's machines."""

from __future__ import annotations

import asyncio
import csv
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from server.research.exports.context import ExportContext
from server.research.exports.dataset_description import manifest_json
from server.research.exports.release import Release, released_table
from server.research.exports.tables import models
from server.robots.serving.served_model import ServedModel
from server.store import Database
from server.store.model_readings import add_reading
from tests.server.research.exports.made_data import KEY, OF, at, exported, make, read, url

pytestmark = pytest.mark.processes

FIRST = ServedModel(
    name="/home/ann/tiny",
    facts={
        "server": "vllm",
        "version": "0.11.0",
        "loaded_from": "/home/ann/tiny",
        "machine": "Some GPU",
    },
    questions="q1",
    answers=("yes", "no"),
)


async def _add(file: Path) -> None:
    database = Database(url(file))
    later = msgspec.structs.replace(FIRST, answers=("yes", "perhaps"))
    try:
        async with database.transaction() as db:
            for occasion, minute, model, text in (
                ("open", 0.0, FIRST, ""),
                ("daily", 1.0, later, "1 of 2 answers to fixed questions differ"),
                ("close", 2.0, None, "could not be read: no connection"),
            ):
                add_reading(
                    db,
                    OF.key,
                    occasion,  # type: ignore[arg-type]
                    at(minute) + timedelta(days=1),
                    model="" if model is None else model.name,
                    reading=None if model is None else msgspec.to_builtins(model),
                    text=text,
                )
    finally:
        await database.close()


def test_readings_of_models_are_told_with_what_differs(tmp_path: Path) -> None:
    made = asyncio.run(make(tmp_path / "study"))
    asyncio.run(_add(made.database_file))
    exported(made, tmp_path / "told")
    with (tmp_path / "told/data/description-models_data.csv").open(newline="") as stream:
        opened, daily, close = csv.DictReader(stream)
    assert (opened["model_server"], opened["model_version"]) == ("vllm", "0.11.0")
    assert (opened["model_loaded_from"], opened["model_weights"]) == ("/home/ann/tiny", "")
    assert (daily["n_questions"], daily["n_same"]) == ("2", "1")
    assert daily["difference"] == "1 of 2 answers to fixed questions differ"
    assert (close["occasion"], close["model"], close["n_same"]) == ("close", "", "")


def test_a_release_has_no_path_of_a_labs_machine(tmp_path: Path) -> None:
    made = asyncio.run(make(tmp_path / "study"))
    asyncio.run(_add(made.database_file))
    stored = read(made)
    manifest = msgspec.structs.replace(
        stored.manifest, digests={"study": "1", f"model:{FIRST.name}": FIRST.digest}
    )
    context = ExportContext(stored._replace(manifest=manifest), KEY, is_shared=True)
    table = released_table(models.TABLE)
    assert {"model", "model_server", "model_weights", "n_same"} <= set(table.names)
    told = [{name: row[name] for name in table.names} for row in models.models_rows(context)]
    assert [row["model"] for row in told] == ["tiny", "tiny", ""]
    assert "/home" not in str(told)
    released = manifest_json(context, Release("CC-BY-4.0"))
    assert f'"model:tiny": "{FIRST.digest}"' in released
    assert "/home" not in released
