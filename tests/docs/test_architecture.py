"""docs/architecture.md names every folder, and only stops of journeys that are in the code."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
JOURNEYS = re.findall(r"^### (.+)\n((?:\d+\. .+\n)+)", PAGE, flags=re.MULTILINE)
STOP = re.compile(r"(\d+)\. `([\w/]+\.py): ([\w.]+)` (.+)")


@cache
def defined(file: str) -> frozenset[str]:
    """The functions, classes and methods of a file, methods with their class."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{m.name}" for m in node.body if isinstance(m, ast.FunctionDef)}
    return frozenset(names)


def test_the_tree_names_every_folder_with_python_files_and_no_other() -> None:
    (tree,) = re.findall(r"### Every folder\n\n```\n(.*?)```", PAGE, flags=re.DOTALL)
    lines = [line.split(maxsplit=1) for line in tree.splitlines()]
    there = {file.parent.relative_to(ROOT).as_posix() for file in ROOT.glob("waypost/**/*.py")}
    assert sorted(folder for folder, _ in lines) == sorted(there)


def test_there_are_five_journeys_and_results_take_at_most_fourteen_stops() -> None:
    lengths = {title: len(stops.splitlines()) for title, stops in JOURNEYS}
    assert len(lengths) == 5
    assert lengths["A result file becomes a row of the table and a step on the map"] <= 14


@pytest.mark.parametrize(("title", "stops"), JOURNEYS, ids=[title for title, _ in JOURNEYS])
def test_every_stop_of_a_journey_is_in_the_code(title: str, stops: str) -> None:
    found = [STOP.fullmatch(line) for line in stops.splitlines()]
    lines = [match.groups() for match in found if match is not None]
    assert [int(number) for number, *_ in lines] == list(range(1, len(found) + 1))
    gone = [
        f"{file}: {name}"
        for _, file, name, _ in lines
        if not (ROOT / file).is_file() or name not in defined(file)
    ]
    assert gone == [], title
    assert [words for *_, words in lines if not 3 <= len(words.split()) <= 8] == []
