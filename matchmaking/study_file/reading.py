"""Reading of study files: from nodes to a `Study`, guided by its types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import inspect as types

from episodes.teams import Team, TeamError
from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.problems import Path, Problem, StudyError, place
from matchmaking.study.study import Study
from matchmaking.study_file import shapes
from matchmaking.study_file.nodes import MappingNode, ScalarNode, SequenceNode, line_of, parse, what
from matchmaking.study_file.problems import FileProblem, StudyFileError

STUDY_TYPE = types.type_info(Study)
MOST_NODES = 100_000
"""Most values of a file, those that aliases repeat among them."""
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NULL = "tag:yaml.org,2002:null"
_CORE = "str int float bool null seq map timestamp merge"
_TAGS = frozenset(f"tag:yaml.org,2002:{word}" for word in _CORE.split())
_NOTHING = object()
"""Value of a node that cannot be; its problem is told."""


class StudyFile(msgspec.Struct, frozen=True):
    """A study, and the line on which each of its parts is written."""

    study: Study
    lines: dict[Path, int]

    def line_of(self, where: Path) -> int:
        """Return the line of a part, or of what it would stand in."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)

    def problem(self, problem: Problem) -> FileProblem:
        """Return a problem of the study as one of the file."""
        return FileProblem(self.line_of(problem.where), str(problem))


def read_study(text: str) -> StudyFile:
    """Read a study file. Raises StudyFileError with everything that is wrong with it."""
    reader = _Reader()
    value = reader.read(parse(text))
    if reader.problems:
        raise StudyFileError(reader.problems)
    try:
        study = msgspec.convert(value, Study)
    except StudyError as error:
        raise StudyFileError(_with_lines(error.problems, reader.lines)) from error
    except msgspec.ValidationError as error:
        # The types were looked at before: here only what the values themselves refuse.
        if isinstance(error.__cause__, StudyError):
            problems = error.__cause__.problems
            raise StudyFileError(_with_lines(problems, reader.lines)) from error
        raise StudyFileError([FileProblem(1, str(error))]) from error
    return StudyFile(study, reader.lines)


def _with_lines(problems: Iterable[Problem], lines: dict[Path, int]) -> list[FileProblem]:
    def line(where: Path) -> int:
        while where and where not in lines:
            where = where[:-1]
        return lines.get(where, 1)

    return [FileProblem(line(problem.where), str(problem)) for problem in problems]


class _Reader:
    """Nodes turned into plain values, with the lines of all parts and all problems."""

    def __init__(self) -> None:
        self.problems: list[FileProblem] = []
        self.lines: dict[Path, int] = {(): 1}
        self._language = "en"
        self._visited = 0

    def read(self, node: Any) -> Any:
        """Return the whole study as a plain value."""
        self._language = _first_language(node)
        value = self._value(node, STUDY_TYPE, ())
        if isinstance(value, dict):
            common = value.pop("treatment", None)
            cells = value.get("cells")
            if isinstance(common, dict) and isinstance(cells, list):
                for cell in cells:
                    if isinstance(cell, dict) and isinstance(cell.get("treatment", {}), dict):
                        cell["treatment"] = {**common, **cell.get("treatment", {})}
        return value

    def _value(self, node: Any, of: types.Type, where: Path) -> Any:
        self.lines.setdefault(where, line_of(node))
        self._visited += 1
        if self._visited > MOST_NODES:
            raise StudyFileError([FileProblem(line_of(node), "it has too many values")])
        if str(node.tag) not in _TAGS:
            return self._refused(node, where, f"expected no tag, got {str(node.tag)[:60]!r}")
        if shapes.is_text(of):
            if isinstance(node, ScalarNode):
                return {self._language: node.value}
            return self._value(node, of.type, where)
        if shapes.is_team(of):
            return self._team(node, where)
        match of:
            case types.Metadata():
                return self._value(node, of.type, where)
            case types.UnionType():
                return self._union(node, of, where)
            case types.StructType():
                return self._struct(node, of, where)
            case types.DictType():
                return self._dict(node, of, where)
            case types.VarTupleType() | types.TupleType():
                return self._list(node, of, where)
            case types.LiteralType():
                return self._word(node, list(of.values), where)
            case types.EnumType():
                return self._word(node, [member.value for member in of.cls], where)
            case _:
                return self._scalar(node, of, where)

    def _refused(self, node: Any, where: Path, text: str) -> Any:
        told = f"{place(where)}: {text}" if where else text
        self.problems.append(FileProblem(line_of(node), told))
        return _NOTHING

    # Mappings

    def _union(self, node: Any, of: types.UnionType, where: Path) -> Any:
        if of.includes_none and isinstance(node, ScalarNode) and node.tag == _NULL:
            return None
        members = [member for member in of.types if not isinstance(member, types.NoneType)]
        if len(members) == 1:
            return self._value(node, members[0], where)
        by_tag = shapes.struct_by_tag(members)
        if by_tag:
            return self._tagged(node, by_tag, where)
        return self._plain(node, where)

    def _tagged(self, node: Any, by_tag: Any, where: Path) -> Any:
        field = next(iter(by_tag.values())).tag_field
        if not isinstance(node, MappingNode):
            return self._refused(node, where, f"expected `{field}:` and its keys, got {what(node)}")
        for key, value in node.value:
            if key.value == field:
                tag = self._word(value, list(by_tag), (*where, field))
                if tag is _NOTHING:
                    return _NOTHING
                return {**self._struct(node, by_tag[tag], where, skipped=field), field: tag}
        return self._refused(node, where, f"expected `{field}:` with one of {list(by_tag)}")

    def _struct(self, node: Any, of: types.StructType, where: Path, skipped: str = "") -> Any:
        if not isinstance(node, MappingNode):
            return self._refused(node, where, f"expected keys with values, got {what(node)}")
        keys = shapes.keys_of(of)
        value: dict[str, Any] = {}
        for key_node, value_node in self._pairs(node, where):
            name = key_node.value
            if name == skipped or (name == of.tag_field and value_node.value == of.tag):
                continue
            if name not in keys:
                self._refused(key_node, where, _unknown(name, keys))
                continue
            self.lines[*where, name] = line_of(key_node)
            value[name] = self._value(value_node, keys[name].type, (*where, name))
        for name, key in keys.items():
            if key.is_required and name not in value:
                self._refused(node, where, f"expected the key {name!r}, and it is not there")
        if shapes.is_survey(of):
            self._add_instruments(node, value, where)
        return value

    def _add_instruments(self, node: Any, survey: dict[str, Any], where: Path) -> None:
        names = survey.pop("instruments", ())
        questions = list(survey.get("questions") or ())
        for name in names if names is not _NOTHING else ():
            if name not in INSTRUMENTS:
                known = dict.fromkeys(INSTRUMENTS)
                self._refused(node, (*where, "instruments"), _unknown(name, known, "instrument"))
                continue
            questions += [msgspec.to_builtins(q) for q in INSTRUMENTS[name].questions]
        survey["questions"] = questions

    def _dict(self, node: Any, of: types.DictType, where: Path) -> Any:
        if not isinstance(node, MappingNode):
            return self._refused(node, where, f"expected keys with values, got {what(node)}")
        value: dict[str, Any] = {}
        for key_node, value_node in self._pairs(node, where):
            here = (*where, str(key_node.value))
            self.lines[here] = line_of(key_node)
            key = self._value(key_node, of.key_type, here)
            if key is not _NOTHING:
                value[key] = self._value(value_node, of.value_type, here)
        return value

    def _pairs(self, node: Any, where: Path) -> Iterable[tuple[Any, Any]]:
        seen: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self._refused(key, where, f"expected a word as key, got {what(key)}")
            elif key.value in seen:
                first = seen[key.value]
                self._refused(key, where, f"{key.value!r} is there already, on line {first}")
            else:
                seen[key.value] = line_of(key)
                yield key, value

    # Lists and scalars

    def _list(self, node: Any, of: types.VarTupleType | types.TupleType, where: Path) -> Any:
        if not isinstance(node, SequenceNode):
            return self._refused(node, where, f"expected a list, got {what(node)}")
        if isinstance(of, types.TupleType):
            if len(node.value) != len(of.item_types):
                return self._refused(
                    node,
                    where,
                    f"expected {len(of.item_types)} values, got {len(node.value)}",
                )
            item_types = of.item_types
        else:
            item_types = (of.item_type,) * len(node.value)
        return [
            self._value(item, item_type, (*where, number))
            for number, (item, item_type) in enumerate(zip(node.value, item_types, strict=True))
        ]

    def _team(self, node: Any, where: Path) -> Any:
        if not isinstance(node, ScalarNode):
            return self._refused(node, where, f"expected a team such as pair, got {what(node)}")
        try:
            return msgspec.to_builtins(Team.parse(node.value))
        except TeamError as error:
            return self._refused(node, where, str(error))

    def _word(self, node: Any, words: list[Any], where: Path) -> Any:
        if isinstance(node, ScalarNode) and node.value in words:
            return node.value
        near = _nearest(str(node.value), words) if isinstance(node, ScalarNode) else ""
        hint = f"; the nearest is {near!r}" if near else ""
        told = f"expected one of {', '.join(map(str, words))}, got {what(node)}{hint}"
        return self._refused(node, where, told)

    def _scalar(self, node: Any, of: types.Type, where: Path) -> Any:
        if not isinstance(node, ScalarNode) or node.tag == _NULL:
            return self._refused(node, where, f"expected {_named(of)}, got {what(node)}")
        text = node.value
        match of:
            case types.StrType():
                return text
            case types.BoolType() if text in ("true", "false"):
                return text == "true"
            case types.IntType() if _INTEGER.fullmatch(text):
                return int(text)
            case types.FloatType():
                try:
                    return float(text)
                except ValueError:
                    pass
        return self._refused(node, where, f"expected {_named(of)}, got {what(node)}")

    def _plain(self, node: Any, where: Path) -> Any:
        """Return a value that may be a number, a word, or yes or no, as YAML reads it."""
        if not isinstance(node, ScalarNode) or node.tag == _NULL:
            return self._refused(node, where, f"expected a number or a word, got {what(node)}")
        match str(node.tag).rpartition(":")[2]:
            case "bool":
                return node.value == "true"
            case "int" | "float":
                return self._scalar(node, types.FloatType(), where)
            case _:
                return node.value


def _unknown(name: str, known: Any, kind: str = "key") -> str:
    near = _nearest(name, known)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(known)}"
    return f"there is no {kind} {name!r}: {hint}"


def _nearest(word: str, known: Iterable[Any]) -> str:
    near = get_close_matches(word, [str(k) for k in known], n=1, cutoff=0.55)
    return near[0] if near else ""


def _named(of: types.Type) -> str:
    match of:
        case types.StrType():
            return "a text"
        case types.BoolType():
            return "true or false"
        case types.IntType():
            return "a whole number"
        case _:
            return "a number"


def _first_language(node: Any) -> str:
    """Return the language of texts that are written alone: the first of the study."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            is_list = isinstance(value, SequenceNode) and value.value
            if key.value == "languages" and is_list and isinstance(value.value[0], ScalarNode):
                return str(value.value[0].value)
    return "en"
