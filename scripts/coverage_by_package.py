"""Prints how much of each package the tests ran, lines and branches, and fails below the floor.

The floor is ``fail_under`` of ``[tool.coverage.report]`` in the project file, for all together.
What child processes ran is not in it.
"""

from __future__ import annotations

import json
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path, PurePosixPath

import coverage

ROOT = Path(__file__).parent.parent
FLOOR_PERCENT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["report"][
    "fail_under"
]


def main() -> int:
    """Print a row for each package and one for all; returns 1 below the floor."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        measured = coverage.Coverage(config_file=str(ROOT / "pyproject.toml"))
        measured.load()
        measured.json_report(outfile=report.name)
        files = json.load(report)["files"]
    packages: dict[str, Counter[str]] = {}
    for name, file in files.items():
        counts = {key: value for key, value in file["summary"].items() if isinstance(value, int)}
        packages.setdefault(_package(PurePosixPath(name)), Counter()).update(counts)
    print(f"{'package':24}{'lines':>8}{'branches':>10}{'both':>8}")
    for package, counts in sorted(packages.items()):
        _print_row(package, counts)
    whole = sum(packages.values(), Counter())
    _print_row("all", whole)
    percent = _percent(whole, "covered_lines", "covered_branches")
    if percent < FLOOR_PERCENT:
        print(f"coverage fell below the floor of {FLOOR_PERCENT} % (pyproject.toml)")
        return 1
    return 0


def _package(file: PurePosixPath) -> str:
    return ".".join(file.parts[:2]) if len(file.parts) > 2 else file.parts[0]


def _percent(counts: Counter[str], *covered: str) -> float:
    of = {"covered_lines": "num_statements", "covered_branches": "num_branches"}
    there = sum(counts[of[name]] for name in covered)
    return 100 * sum(counts[name] for name in covered) / there if there else 100.0


def _print_row(name: str, counts: Counter[str]) -> None:
    lines = _percent(counts, "covered_lines")
    branches = _percent(counts, "covered_branches")
    both = _percent(counts, "covered_lines", "covered_branches")
    print(f"{name:24}{lines:>7.1f}%{branches:>9.1f}%{both:>7.1f}%")


if __name__ == "__main__":
    sys.exit(main())
