"""Recruiter of a study: where its people come from, and the codes that they go back with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from matchmaking.study.endings import Ending
from matchmaking.study.problems import Path, Problem

OPEN = "open"
"""Kind of open play: people come to the start page by themselves and nobody is asked anything."""

_KIND = re.compile(r"[a-z][a-z0-9_]*")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Recruiter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Recruiter by its kind (``direct``, ``prolific`` …), which is a class of the server."""

    kind: str = OPEN
    codes: Mapping[Ending, str] = {}
    """Code by ending, as the recruiter knows it."""
    is_approved: Mapping[Ending, bool] = {}
    """Endings that the recruiter approves by itself (true) or by hand (false)."""
    return_url: str = ""
    """Address to which people go back where the study has one there; ``{id}`` stands for theirs."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if _KIND.fullmatch(self.kind) is None:
            yield Problem((*where, "kind"), f"expected a word such as 'direct', got {self.kind!r}")
        if self.return_url and not self.return_url.startswith("https://"):
            yield Problem(
                (*where, "return_url"),
                f"expected an address that begins with https://, got {self.return_url!r}",
            )
        first: dict[str, Ending] = {}
        for ending, code in self.codes.items():
            here = (*where, "codes", str(ending))
            if _CODE.fullmatch(code) is None:
                yield Problem(
                    here, f"expected up to 64 letters, digits, - or _ for a code, got {code!r}"
                )
            if (other := first.setdefault(code, ending)) is not ending:
                yield Problem(
                    here,
                    f"{code!r} is the code of {other} already: endings are kept apart by their "
                    "codes, so give each its own",
                )
