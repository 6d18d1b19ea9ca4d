"""Nodes of a YAML text, with their lines. Nothing in a text is executed or constructed."""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from matchmaking.study_file.problems import FileProblem, StudyFileError

LONGEST = 1_000_000
"""Most characters of a study file."""

__all__ = ["MappingNode", "Node", "ScalarNode", "SequenceNode", "line_of", "parse", "what"]


def parse(text: str) -> Any:
    """Return the root node of a YAML 1.2 text with one document.

    Raises StudyFileError for a text that is no YAML, empty, or too long.
    """
    if len(text) > LONGEST:
        raise StudyFileError(
            [FileProblem(1, f"expected at most {LONGEST} characters, got {len(text)}")]
        )
    yaml: Any = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        told = " ".join(part for part in (error.context, error.problem) if part)
        raise StudyFileError([FileProblem(line, f"it is no YAML: {told}")]) from error
    except (YAMLError, ValueError) as error:
        raise StudyFileError([FileProblem(1, f"it is no YAML: {error}")]) from error
    except RecursionError as error:
        raise StudyFileError([FileProblem(1, "it is nested too deeply")]) from error
    if node is None:
        raise StudyFileError([FileProblem(1, "the file is empty: `cohabit study new` writes one")])
    return node


def line_of(node: Any) -> int:
    """Return the line of a node, from 1."""
    return int(node.start_mark.line) + 1


def what(node: Any) -> str:
    """Return what a node is, for a message."""
    match node:
        case MappingNode():
            return "keys with values"
        case SequenceNode():
            return "a list"
        case _:
            text = str(node.value)
            return repr(text if len(text) <= 60 else f"{text[:57]}…")
