"""Fail when a folder, file, class or function has outgrown its room (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER_FILES = 35
FILE_LINES = 500
CLASS_LINES = 350
FUNCTION_LINES = 50
ROOT = Path(__file__).resolve().parents[1]


def find_oversized(path: Path) -> Iterator[str]:
    """One sentence for everything in a Python file that is too long."""
    text = path.read_text(encoding="utf-8")
    place = path.relative_to(ROOT)
    count = len(text.splitlines())
    if count > FILE_LINES:
        yield f"{place}: {count} lines, at most {FILE_LINES}"
    for item in ast.walk(ast.parse(text)):
        if isinstance(item, ast.ClassDef):
            limit = CLASS_LINES
        elif isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            limit = FUNCTION_LINES
        else:
            continue
        length = (item.end_lineno or item.lineno) - item.lineno + 1
        if length > limit:
            yield f"{place}:{item.lineno}: {item.name} has {length} lines, at most {limit}"


def find_full(paths: Iterable[Path]) -> Iterator[str]:
    """One sentence for every folder with too many Python files, ``__init__.py`` not counted."""
    counts = Counter(path.parent for path in paths if path.name != "__init__.py")
    for folder, count in counts.items():
        if count > FOLDER_FILES:
            yield f"{folder.relative_to(ROOT)}: {count} files, at most {FOLDER_FILES}"


def files_below(*folders: str) -> list[Path]:
    """The Python files of folders beside the package, in order."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def main() -> int:
    """Check the package and what stands beside it; of the tests only how full their folders are."""
    paths = files_below("waypost", "benchmarks", "scripts", "tools")
    problems = [problem for path in paths for problem in find_oversized(path)]
    problems += find_full([*paths, *files_below("tests")])
    print("\n".join(problems) or f"{len(paths)} files within their limits")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
