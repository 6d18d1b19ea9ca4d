"""Path of the sign of life that a page without a socket gives for its session."""

from __future__ import annotations


def still_here_path(session_id: str, after: str = "") -> str:
    """Return the path at which a page says that it is open.

    ``after`` is an episode that the page is about: it is told once the next one has begun.
    """
    return f"/sessions/{session_id}/here{f'?after={after}' if after else ''}"
