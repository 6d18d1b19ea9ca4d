"""Readings of served models: facts, answers to fixed questions, and what became of both."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.robots.models import GarbageError, RefusedError, UnavailableError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.serving.model_reading import QUESTIONS, read_facts, read_models
from server.robots.serving.served_machine import flags_of, hardware, weights_digest
from server.robots.serving.served_model import ServedModel, change_of
from tests.model_double import Asked, ModelDouble, Reply


def last_word(asked: Asked) -> Reply:
    return Reply(asked.last.split()[-1])


async def read(double: ModelDouble, *names: str) -> list[ServedModel]:
    async with ModelClient(ModelServer(double.url)) as client:
        return await read_models(client, names or ("",))


async def test_a_reading_tells_what_the_server_and_this_machine_know(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"w")
    with ModelDouble(last_word, version="0.11.0", root=str(tmp_path)) as double:
        (found,) = await read(double)
        asked = double.asked
    template = found.facts["template"]
    assert "tokens, " in template
    assert found.name == "double"
    # No process of this machine serves it, so nothing is said of this machine.
    assert found.facts == {
        "server": "tests",
        "version": "0.11.0",
        "loaded_from": str(tmp_path),
        "template": template,
    }
    assert found.answers == tuple(text.split()[-1] for text, _ in QUESTIONS)
    assert {(a.body["temperature"], a.body["seed"], a.body["model"]) for a in asked} == {
        (0.0, 0, "double")
    }
    forms = [bool(a.constraint) for a in asked]
    assert forms == [form is not None for _, form in QUESTIONS]


async def test_the_same_server_reads_the_same_and_another_does_not() -> None:
    with ModelDouble(last_word, version="0.11.0") as double:
        (first,), (again,) = await read(double), await read(double)
        assert first.digest == again.digest
        assert change_of(first, again).text == ""
        double.version = "0.12.0"
        (newer,) = await read(double)
    assert newer.digest != first.digest
    change = change_of(first, newer)
    assert change.text == "the version of the model server: was 0.11.0, is 0.12.0"
    assert change.is_another


async def test_a_server_that_tells_little_is_read_all_the_same() -> None:
    with ModelDouble(last_word) as double:
        async with ModelClient(ModelServer(double.url)) as client:
            (facts,) = await read_facts(client, [""])
        assert double.asked == [], "facts cost the server no answer"
        (found,) = await read(double)
    assert facts.facts == {"server": "tests"}
    assert "template" not in found.facts
    assert change_of(found, facts) == ((), 0, 0), "what nobody could tell differs from nothing"


async def test_a_model_that_is_not_there_and_a_server_that_is_silent_are_told() -> None:
    with ModelDouble(models=("big", "small")) as double:
        with pytest.raises(RefusedError, match=r"has no model tiny; it has: big, small"):
            await read(double, "tiny")
        assert [model.name for model in await read(double, "small", "")] == ["small", "big"]
    with pytest.raises(UnavailableError):
        await read(double)
    with ModelDouble(models=()) as nothing, pytest.raises(GarbageError, match="at least one model"):
        await read(nothing)


def made(answers: tuple[str, ...], **facts: str) -> ServedModel:
    return ServedModel(name="m", facts=facts, questions="q", answers=answers)


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_a_robot_is_another_when_half_of_its_answers_differ(differ: list[bool]) -> None:
    before = made(("same",) * len(differ))
    now = made(tuple("other" if d else "same" for d in differ))
    change = change_of(before, now)
    assert (change.same, change.of) == (differ.count(False), len(differ))
    assert change.is_another == (differ.count(True) * 2 >= len(differ))
    assert bool(change.text) == any(differ)


def test_answers_to_other_questions_are_not_compared() -> None:
    before, now = (
        made(("a",)),
        msgspec.structs.replace(made(("b",)), questions="of a later release"),
    )
    assert change_of(before, now) == ((), 0, 0)
    renamed = msgspec.structs.replace(before, name="n")
    assert change_of(before, renamed).text == "the model was m and is n"


def test_flags_are_those_of_the_server_at_the_port_without_its_keys(tmp_path: Path) -> None:
    for pid, words in {
        "7": "python -m vllm.entrypoints.openai.api_server --port 8100 --host 127.0.0.1 --model /m "
        "--api-key s3cret s4cret --dtype float32 --hf-token s5cret --lora_modules a=/a b=/b",
        "8": "python -m vllm.entrypoints.openai.api_server --port=8101 --api_key=s3cret --model /n",
        "9": "python -m http.server --port 8102",
    }.items():
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "cmdline").write_bytes("\0".join(words.split()).encode() + b"\0")
    told = "--model /m --dtype float32 --lora-modules a=/a b=/b"
    assert flags_of(8100, tmp_path) == told
    assert flags_of(8101, tmp_path) == "--model /n"
    assert flags_of(8102, tmp_path) is None


def test_hardware_is_the_processor_where_no_graphics_processor_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    cpus = tmp_path / "cpuinfo"
    cpus.write_text("processor : 0\nmodel name : Some CPU @ 2 GHz\n")
    assert hardware(cpus) == "Some CPU @ 2 GHz"
    assert hardware(tmp_path / "none") is None
    smi = tmp_path / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho 'Some GPU'\n")
    smi.chmod(0o755)
    assert hardware(cpus) == "Some GPU"
    smi.write_text("#!/bin/sh\nexit 9\n")
    assert hardware(cpus) == "Some CPU @ 2 GHz", "a driver that is broken hides no processor"


def test_weights_have_a_digest_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(b"123")
    first = weights_digest(tmp_path)
    (tmp_path / "a.safetensors").write_bytes(b"124")
    second = weights_digest(tmp_path)
    (tmp_path / "a.safetensors").rename(tmp_path / "b.safetensors")
    assert len({first, second, weights_digest(tmp_path)}) == 3
    assert weights_digest(tmp_path / "nowhere") is None
