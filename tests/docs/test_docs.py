"""What the documentation says can be done: links lead somewhere, options and commands work."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from waypost.app.main import COMMANDS, main

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NESTED = (
    "scene", "study", "graph", "labels", "metrics", "instructions", "score", "team", "questions",
)  # fmt: skip
"""Commands that have commands of their own."""


def blocks(page: Path) -> list[str]:
    """The code blocks of a page, one command a line."""
    found = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [re.sub(r"( \\)?\n +", " ", block) for block in found]


def commands(page: Path) -> list[list[str]]:
    """The words of each ``waypost …`` in the code blocks of a page."""
    lines = [line for block in blocks(page) for line in block.splitlines()]
    parts = [part.partition("#")[0].strip() for line in lines for part in line.split("&&")]
    return [part.split() for part in parts if part.startswith("waypost ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    inside = [link for link in links if not link.startswith("http")]
    assert [link for link in inside if not (page.parent / link).exists()] == []


def test_the_readme_asks_for_the_pythons_of_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["requires-python"])
    assert bounds is not None, "scripts/pythons.sh reads this form only"
    oldest, newest = int(bounds[1]), int(bounds[2]) - 1
    assert f"need Python 3.{oldest} to 3.{newest}" in (ROOT / "README.md").read_text("utf-8")
    stated = [line for line in project["classifiers"] if line.startswith("Programming Language")]
    assert [line.rpartition(".")[2] for line in stated] == list(map(str, range(oldest, newest + 1)))


def test_files_and_classes_that_pages_name_are_there() -> None:
    """Not on pages that name those of other programs, or some that are to be made."""
    others = {"formats.md", "extending.md", "0008-the-collector-runs-in-the-qt-thread.md"}
    folders = ("waypost", "tools", "tests", "scripts", "benchmarks", "examples")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    names = [path.relative_to(ROOT).parts for path in files]
    known = {"/".join(parts[at:]) for parts in names for at in range(len(parts))}
    words = {word for path in files for word in re.findall(r"\w+", path.read_text("utf-8"))}
    missing = []
    for page in PAGES:
        named = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
        if page.name not in others:
            paths = re.findall(r"[\w/.-]+\.py\b", "\n".join(named))
            classes = [re.match(r"((?:[A-Z][a-z]+){2,})(?!\w)", text) for text in named]
            missing += [(page.name, path) for path in paths if path not in known]
            missing += [(page.name, one[1]) for one in classes if one and one[1] not in words]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_a_page_names_are_there(page: Path) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text(encoding="utf-8"))
    missing = [
        (file, test)
        for file, test in named
        if not re.search(
            rf"^ *def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_in_the_docs_are_known(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unknown = []
    for _, name, *rest in commands(page):
        if name not in COMMANDS:
            continue
        with pytest.raises(SystemExit):
            main([name, *(rest[:1] if name in NESTED else []), "--help"])
        known = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
        used = {option for word in rest for option in re.findall(r"--[a-z][a-z-]*", word)}
        unknown += [f"{name} {option}" for option in sorted(used - known)]
    assert unknown == []


@pytest.mark.conformance
def test_the_commands_of_the_readme_run_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    block = next(b for b in blocks(ROOT / "README.md") if b.startswith("waypost sample"))
    lines = [part.strip() for line in block.splitlines() for part in line.split("&&")]
    monkeypatch.chdir(tmp_path)
    codes = {}
    for line in lines:
        program, *words = shlex.split(line, comments=True)
        if program == "cd":
            monkeypatch.chdir(words[0])
        else:
            assert program == "waypost"
            codes[line] = main(words)
    assert len(codes) == 16
    assert set(codes.values()) == {0}
    assert "error:" not in capsys.readouterr().err
