"""CONTEXT.md has every word that the names of classes use, and none that the code does not."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(ROOT.glob("waypost/**/*.py"))
TEXTS = [file.read_text(encoding="utf-8") for file in SOURCES]
HEADINGS = re.findall(
    r"^\*\*(.+?)\.\*\*", (ROOT / "CONTEXT.md").read_text(encoding="utf-8"), flags=re.MULTILINE
)
"""As in ``**Range (of a metric).**`` and ``**Width, depth.**``."""

OFTEN = 4
"""A word in so many names of classes has a meaning of its own in Waypost, or is plain."""

PLAIN = frozenset(
    re.findall(
        r"\w+",
        # Of the language, of Qt and of programs at large; plain English; a benchmark's name.
        """
        bar button camera card chart check column dialog end entry error event export fact field
        file form input key kind layer left line list loaded look material mesh message object
        outcome page panel path pose progress question ray record report request rule settings
        source start state stop strip table text tool view window word write
        capnav
        """,
    )
)

TWINS = frozenset({"Message", "Recording", "Study"})
"""A worker's message, and the values that a notebook gets, have their names in other worlds."""


def public_classes() -> dict[str, list[str]]:
    """Name → the files that define a class of that name."""
    found = defaultdict(list)
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(file.relative_to(ROOT).as_posix())
    return found


def words_of(name: str) -> set[str]:
    """``ProtocolError`` → protocol, error."""
    return {word.lower() for word in re.findall(r"[A-Z][a-z0-9]+|[A-Z]+(?![a-z])", name)}


def singular(word: str) -> str:
    """Good enough for the words of the glossary: ``queries`` is none of them."""
    return word.removesuffix("s") if not word.endswith("ss") else word


def test_a_word_of_many_classes_is_in_the_glossary_or_plain() -> None:
    often = Counter(singular(word) for name in public_classes() for word in words_of(name))
    words = {word for heading in HEADINGS for word in re.findall(r"\w+", heading.lower())}
    known = {singular(word) for word in words | PLAIN}
    assert (
        sorted(word for word, count in often.items() if count >= OFTEN and word not in known) == []
    )


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_word_of_the_glossary_is_in_the_code(heading: str) -> None:
    for term in re.sub(r"\(.*?\)", "", heading).lower().split(","):
        words = term.split()
        there = re.compile(rf"(?<![a-z]){'[ _]?'.join(map(re.escape, words))}", re.IGNORECASE)
        assert any(there.search(text) for text in TEXTS), term.strip()


def test_no_heading_stands_twice() -> None:
    assert [heading for heading, count in Counter(HEADINGS).items() if count > 1] == []


def test_no_two_classes_have_one_name() -> None:
    twins = {name for name, files in public_classes().items() if len(files) > 1}
    assert twins == TWINS


def test_no_text_of_the_window_names_a_key_that_can_be_changed() -> None:
    """Such as ``…: Ctrl+4.``, which stays when somebody gives the workspace another key."""
    key = re.compile(r"\b(Ctrl|Alt|Shift)\+(Shift\+)?([A-Z0-9]|F\d+)\b")
    shown = [file for file in SOURCES if "waypost/app/commands" not in file.as_posix()]
    found = []
    for file, tree in ((file, ast.parse(file.read_text(encoding="utf-8"))) for file in shown):
        plain = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        found += [
            (file.name, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if id(node) not in plain and " " in node.value and key.search(node.value)
        ]
    assert found == []
