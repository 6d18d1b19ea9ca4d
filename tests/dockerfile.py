"""A reader of Dockerfiles: enough of its language for ours, and strict about the rest."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import NamedTuple


class Instruction(NamedTuple):
    """``words`` are split as a shell would; ``text`` is everything after the name."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text)

    @property
    def command(self) -> list[str]:
        """The words of an instruction in the exec form.

        Raises ValueError for the shell form.
        """
        begin = self.text.index("[")
        parsed = json.loads(self.text[begin:])
        return [str(word) for word in parsed]


class Stage(NamedTuple):
    image: str
    name: str
    instructions: list[Instruction]

    def all(self, name: str) -> list[Instruction]:
        return [i for i in self.instructions if i.name == name]

    def only(self, name: str) -> Instruction:
        (found,) = self.all(name)
        return found

    def environment(self) -> dict[str, str]:
        pairs = (word.partition("=") for i in self.all("ENV") for word in i.words)
        return {name: value for name, _, value in pairs}


# fmt: off
KNOWN = frozenset((
    "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "VOLUME", "HEALTHCHECK", "CMD",
    "ENTRYPOINT", "ARG", "LABEL",
))
# fmt: on


def read_dockerfile(path: Path) -> list[Stage]:
    """Return the stages of a build.

    Raises ValueError for what is no Dockerfile.
    """
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        name, _, text = line.strip().partition(" ")
        if name not in KNOWN:
            raise ValueError(f"{path.name}: unknown instruction {name}")
        if name == "FROM":
            image, _, alias = text.partition(" AS ")
            stages.append(Stage(image.strip(), alias.strip(), []))
        else:
            stages[-1].instructions.append(Instruction(name, text.strip()))
    return stages
