"""Pages for links that lead nowhere, each in words that say what to do."""

from __future__ import annotations

from server.recruiting.recruiter import LinkError, Recruiter
from server.recruiting.recruiting_watch import Closure
from server.web.errors import PageError
from server.web.participants.texts import Texts


def page_of(texts: Texts, status: int, message: str, **values: str) -> PageError:
    """Return an error page: heading and text of a message of the catalogue.

    It does not lead to the start page: whoever came to take part would play there for nothing.
    """
    heading, text = texts(f"{message}-heading", **values), texts(f"{message}-text", **values)
    return PageError(status, heading, text, leads_home=False)


def link_fault(error: LinkError, recruiter: Recruiter, texts: Texts) -> PageError:
    """Return the page for a link with a fault. It repeats nothing of what the link said."""
    name = str(error.fault).replace("_", "-")
    return page_of(texts, 400, f"link-{name}", recruiter=recruiter.title, parameter=error.parameter)


def no_such_study(texts: Texts) -> PageError:
    return page_of(texts, 404, "no-study")


def prefetched(texts: Texts) -> PageError:
    # Browsers throw away what they fetched ahead when it is an error, and ask anew on the click.
    return page_of(texts, 503, "prefetched")


def not_now(closure: Closure, texts: Texts) -> PageError:
    """Return the page for a study that takes nobody now."""
    return page_of(texts, 503, f"not-now-{closure}")
