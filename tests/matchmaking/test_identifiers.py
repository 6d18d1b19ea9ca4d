import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.identifiers import is_code, is_id, made_at, make_code, make_id

times = st.floats(0, 2**38, allow_nan=False)
tens = st.binary(min_size=10, max_size=10)


@given(times, times, tens, tens)
def test_ids_sort_by_time(a: float, b: float, random_a: bytes, random_b: bytes) -> None:
    first, second = make_id("epi", a, random_a), make_id("epi", b, random_b)
    if int(a * 1000) < int(b * 1000):
        assert first < second


@given(times, tens)
def test_an_id_is_opaque_prefixed_and_tells_its_time(now: float, random: bytes) -> None:
    identifier = make_id("ses", now, random)
    assert is_id("ses", identifier)
    assert not is_id("epi", identifier)
    assert len(identifier) == 30
    assert made_at(identifier) == pytest.approx(now, abs=0.0011)


@given(st.binary(min_size=7, max_size=12))
def test_a_code_has_ten_letters_that_cannot_be_mistaken(random: bytes) -> None:
    code = make_code(random)
    assert is_code(code)
    assert not set(code) & set("ilou")


@pytest.mark.parametrize("text", ["", "ses_", "ses_x", "ses_" + "u" * 26, "../../etc/passwd"])
def test_other_texts_are_no_ids(text: str) -> None:
    assert not is_id("ses", text)
    with pytest.raises(ValueError, match="expected an id"):
        made_at(text)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="expected 10 random bytes, got 3"):
        make_id("par", 0.0, b"abc")
    with pytest.raises(ValueError, match="48 bits"):
        make_id("par", -1.0, bytes(10))
    with pytest.raises(ValueError, match="at least 7"):
        make_code(b"")
