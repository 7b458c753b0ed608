"""Measure Waypost against released scorers, for the table in docs/metrics.md.

``python scripts/public_scorers.py FOLDER`` compares every number of every ``expected*.json`` below
a folder, as ``tests/peers`` does, and writes what it found to ``public_scorers.json`` and the page.
"""

from __future__ import annotations

import importlib
import json
import runpy
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = Path(__file__).with_suffix(".json")


def main(folder: Path) -> int:
    """Measure all folders in a folder and write the table.

    Returns:
        0 every number is equal, 1 some differ.
    """
    # What compares is the tests' own.
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]
    comparison = importlib.import_module("peers.comparison")
    rows: list[dict[str, Any]] = []
    unequal = 0
    for expected in comparison.find_expected(folder):
        row, numbers = comparison.measured_row(expected)
        lost = [number for number in numbers if not number.is_equal]
        unequal += len(lost)
        rows.append(row)
        print(
            f"{row['folder']}: {row['numbers']} numbers, {len(lost)} differ", *lost[:3], sep="\n  "
        )
    if unequal or not rows:
        print("nothing is written")
        return 1
    TABLE.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page = runpy.run_path(str(ROOT / "scripts" / "metrics_page.py"))
    page["PAGE"].write_text(page["page_text"](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
