"""Links of a study, as they are printed for its researcher: one to post, and one to try."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from matchmaking.study import Study
from server.recruiting.recruiter import PREVIEW, Recruiter


def link_lines(study: Study, recruiter: Recruiter, address: str) -> Iterator[str]:
    """Yield the links of a study as lines to print; ``address`` is the server's."""
    link = f"{address}/s/{study.name}"
    if recruiter.kind == "lab":
        yield f"Its links are signed, each for a label: `cohabit study links {study.name} LABEL …`"
    elif recruiter.link_template:
        template = "&".join(f"{name}={text}" for name, text in recruiter.link_template.items())
        yield f"Its link, to paste at {recruiter.title}:"
        yield f"  {link}?{template}"
        yield (
            f"{recruiter.title} fills in what stands for ids there; opened as it is printed here, "
            "the link is refused."
        )
    else:
        yield f"Its link is {link}"
    yield f"To look at its first page, where nothing begins: {link}?{PREVIEW}=true"
    if study.mode == "live":
        yield (
            "To go all the way yourself, open a copy with another `name` and `mode: pilot`: who "
            "begins here is a participant."
        )
    elif recruiter.trial_parameters:
        yield f"To go all the way yourself: {link}?{urlencode(recruiter.trial_parameters)}"
