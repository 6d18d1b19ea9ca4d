"""Write the tables of `docs/privacy.md` anew, from the classes of data in `server/privacy`."""

from __future__ import annotations

from pathlib import Path

from server.privacy.privacy_tables import with_tables

PAGE = Path(__file__).parents[1] / "docs" / "privacy.md"


def main() -> None:
    PAGE.write_text(with_tables(PAGE.read_text()))


if __name__ == "__main__":
    main()
