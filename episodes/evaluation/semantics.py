"""Semantics of PARTNR's evaluators: the one that was documented and the one released.

Each switch is one oddity of section 10 of the evaluator specification; true means "as released".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Semantics:
    """Choice for each oddity of PARTNR's evaluation.

    ``last_pair`` (10.1): a count that is not reached gives the result of the last pair tried.
    ``pair_count`` (10.2): ``number`` counts (a, b) pairs, not distinct members of the first
    list. ``single_number`` (10.3): with one a and one b, ``number`` is ignored.
    ``char_overlap`` (10.4): tied names match as soon as they share a character.
    ``unroll_dep_index`` (10.5): unrolling adds the loop counter to dependencies, not the copy.
    ``unroll_dag_stale`` (10.6): steps after an unrolled proposition do not wait for its copies.
    ``star_arg_error`` (10.7): a tie on a group of ``is_clustered`` raises. ``cluster_number``
    (10.8): ``is_clustered`` without a list for ``number`` raises. ``cluster_overlap`` (10.10):
    one thing may fill the places of several groups. The documents do not speak of it, so it is
    on in both named semantics.
    """

    name: str = "documented"
    last_pair: bool = False
    pair_count: bool = False
    single_number: bool = False
    char_overlap: bool = False
    unroll_dep_index: bool = False
    unroll_dag_stale: bool = False
    star_arg_error: bool = False
    cluster_number: bool = False
    cluster_overlap: bool = True


DOCUMENTED: Final = Semantics()
RELEASED: Final = replace(
    DOCUMENTED,
    name="released",
    last_pair=True,
    pair_count=True,
    single_number=True,
    char_overlap=True,
    unroll_dep_index=True,
    unroll_dag_stale=True,
    star_arg_error=True,
    cluster_number=True,
)


def semantics_named(name: str) -> Semantics:
    """Look up semantics by name. Raises ValueError for any other than the two."""
    if name == DOCUMENTED.name:
        return DOCUMENTED
    if name == RELEASED.name:
        return RELEASED
    raise ValueError(f"expected 'documented' or 'released', got {name!r}")
