"""Looks of operators at episodes: logged once for a sign-in, not for each part of a film."""

from __future__ import annotations

from collections import OrderedDict

_MOST = 4096


class Looks:
    """Looks that were logged by this process; the oldest are forgotten, and logged again."""

    def __init__(self) -> None:
        self._logged: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    def is_logged(self, who: str, sign_in: str, target: str) -> bool:
        """Tell whether a look of this sign-in is in the log."""
        return (who, sign_in, target) in self._logged

    def note(self, who: str, sign_in: str, target: str) -> None:
        """Note that a look is in the log by now."""
        self._logged[who, sign_in, target] = None
        if len(self._logged) > _MOST:
            self._logged.popitem(last=False)
