"""Run every benchmark in a process of its own and print one table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
HEADER = ("measured", "value", "limit", "compared with")


def run_all(names: list[str]) -> list[dict[str, Any]]:
    """Rows of every benchmark; one that fails becomes a row that says so."""
    rows: list[dict[str, Any]] = []
    for name in names:
        sys.stderr.write(f"running {name} …\n")
        code = f"import json, benchmarks.{name} as b; print('ROWS ' + json.dumps(b.run()))"
        result = subprocess.run(
            [sys.executable, "-c", code],
            cwd=FOLDER.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = [line for line in result.stdout.splitlines() if line.startswith("ROWS ")]
        if result.returncode == 0 and lines:
            rows += json.loads(lines[-1].removeprefix("ROWS "))
        else:
            reason = (result.stderr.strip().splitlines() or ["no output"])[-1]
            rows.append({"name": name, "value": None, "unit": "", "note": f"failed: {reason}"})
    return rows


def format_table(rows: list[dict[str, Any]]) -> str:
    """A plain-text table: name, value with unit, limit, note."""
    cells = [HEADER]
    for row in rows:
        value = row.get("value")
        shown = "—" if value is None else f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
        limit = row.get("limit")
        cells.append(
            (
                str(row["name"]),
                f"{shown} {row.get('unit', '')}".strip(),
                "" if limit is None else str(limit),
                "; ".join(str(row[key]) for key in ("ratio_to", "note") if row.get(key)),
            )
        )
    widths = [max(len(line[i]) for line in cells) for i in range(4)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def main() -> int:
    """Command line: ``python -m benchmarks [NAME …] [--json]``."""
    available = sorted(path.stem for path in FOLDER.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(available)}; all if none")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    options = parser.parse_args()
    rows = run_all(options.names or available)
    print(json.dumps(rows, indent=2) if options.json else format_table(rows))
    return 1 if any(row.get("value") is None for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
