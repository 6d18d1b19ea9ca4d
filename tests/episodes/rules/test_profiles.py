"""Profiles: found by their exact names, whole, and never changed under a version."""

from __future__ import annotations

import msgspec
import pytest

from episodes.rules import (
    BODIES_BLOCK,
    COHABIT,
    COHABIT_1,
    COHABIT_2,
    PARTNR,
    PRECONDITIONS,
    VERBS,
    RuleProfile,
    as_recorded,
    profile_named,
)


@pytest.mark.parametrize("profile", [COHABIT_1, COHABIT_2, PARTNR], ids=lambda p: p.exact_name)
def test_profiles_are_whole(profile: RuleProfile) -> None:
    assert set(profile.verbs) == set(VERBS)
    for names in profile.verbs.values():
        assert set(names) <= set(PRECONDITIONS)
    assert profile_named(profile.exact_name) is profile


def test_a_bare_name_means_the_version_that_is_played() -> None:
    assert profile_named("cohabit") is COHABIT
    assert profile_named("partnr") is PARTNR


def test_bodies_block_is_all_that_the_second_version_adds() -> None:
    features = tuple(f for f in COHABIT_2.features if f != BODIES_BLOCK)
    assert msgspec.structs.replace(COHABIT_2, version="1", features=features) == COHABIT_1
    assert COHABIT_2.allows(BODIES_BLOCK)
    assert not COHABIT_1.allows(BODIES_BLOCK)
    assert not PARTNR.allows(BODIES_BLOCK)


def test_rules_that_recordings_name_never_change() -> None:
    """A log of before goes on, and is told apart, by these."""
    assert profile_named("cohabit@1").digest.startswith("128454c827db")
    assert profile_named("partnr@2").digest.startswith("07b70c40a494")


def test_names_without_a_version_are_older_than_versions() -> None:
    assert [as_recorded(name) for name in ("cohabit", "partnr", "cohabit@2", "chess")] == [
        "cohabit@1",
        "partnr@2",
        "cohabit@2",
        "chess",
    ]


def test_digest_changes_with_any_rule() -> None:
    assert COHABIT.digest != PARTNR.digest
    other = msgspec.structs.replace(COHABIT, reach_m=2.1)
    assert other.digest != COHABIT.digest
    same = msgspec.structs.replace(COHABIT)
    assert same.digest == COHABIT.digest


def test_unknown_profile() -> None:
    known = "there are: cohabit, cohabit@1, cohabit@2, partnr, partnr@2"
    with pytest.raises(ValueError, match=known):
        profile_named("house_rules")
