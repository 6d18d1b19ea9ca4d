"""Messages of remote policies: what is a decision, and what is told to whoever sends none."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.robots.models.request import GarbageError
from server.robots.policy import Do, Finished, Pause, SayLine
from server.robots.remote.messages import LARGEST_MESSAGE, Decided, decision_of, read

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def answer(**fields: Any) -> Decided:
    message = read(json.dumps({"type": "decision", "id": "1", **fields}))
    assert isinstance(message, Decided)
    return message


@pytest.mark.parametrize(
    ("fields", "decision"),
    [
        ({"do": "Pick[cup_0]"}, Do("Pick[cup_0]")),
        ({"say": "On my way."}, SayLine("On my way.")),
        ({"pause_s": 0}, Pause(1)),
        ({"pause_s": 2.5}, Pause(75)),
        ({"finished": True}, Finished()),
    ],
)
def test_each_form_of_an_answer_is_a_decision(fields: dict[str, Any], decision: object) -> None:
    assert decision_of(answer(**fields)) == decision


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "expected one of do, say, pause_s, finished, got none"),
        ({"do": "Wait[]", "finished": True}, "got do, finished"),
        ({"do": ""}, "expected do to be a call of 1 to 500 bytes, got ''"),
        ({"do": "x" * 501}, "a call of 1 to 500"),
        ({"do": "💥" * 126}, "a call of 1 to 500 bytes"),
        ({"say": "  "}, "expected say to be a line of 1 to 500 characters"),
        ({"pause_s": -1}, "expected pause_s to be 0 to 60 seconds, got '-1.0'"),
        ({"pause_s": 61}, "0 to 60 seconds"),
        ({"finished": False}, "expected finished to be true, got 'False'"),
    ],
)
def test_what_is_no_decision_says_what_was_expected(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(GarbageError) as error:
        decision_of(answer(**fields))
    assert told in str(error.value)


@given(JSON | st.fixed_dictionaries({"type": st.sampled_from(["hello", "decision"])}, optional={
    "id": JSON, "do": JSON, "say": JSON, "pause_s": JSON, "finished": JSON, "token": JSON,
    "version": JSON}))  # fmt: skip
def test_any_json_is_read_or_refused(value: Any) -> None:
    with contextlib.suppress(ValueError):
        message = read(json.dumps(value))
        if isinstance(message, Decided):
            with contextlib.suppress(GarbageError):
                decision_of(message)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("no json", "expected a hello or a decision"),
        (b"\xff\xfe", "expected a hello or a decision"),
        ('{"type": "decision", "id": "1", "call": "x"}', "unknown field `call`"),
        ("x" * (LARGEST_MESSAGE + 1), f"at most {LARGEST_MESSAGE} bytes in a message, got 16385"),
    ],
)
def test_a_message_that_is_none_is_refused(data: str | bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(data)
