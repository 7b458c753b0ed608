"""Put an engine through every case and drive, and keep the result in docs/conformance.

    .venv/bin/python -m tools.conformance_report ovphysx [small_house.glb]

It drives beside the reference engine in the sample home, and in the small house where that scene
is, which is not part of Waypost.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.small_house import house_graph
from waypost.domain.base.frames import FRAMES
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.simulators.engines import REFERENCE_ENGINE

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "conformance"
HOUSE = ROOT.parent / "shared" / "data" / "scenes" / "small_house" / "small_house.glb"


def main() -> int:
    """Write ``ENGINE.json`` and ``ENGINE.md``.

    Returns:
        As ``waypost conformance``: 1 if the engine does not conform.
    """
    engine = sys.argv[1]
    house = Path(sys.argv[2]) if len(sys.argv) > 2 else HOUSE
    command = [sys.executable, "-m", "waypost.app.main", "conformance", "--json", "--engine"]
    command += [REFERENCE_ENGINE, engine]
    with tempfile.TemporaryDirectory() as scratch:
        if house.is_file():
            graph = Path(scratch) / "small_house.json"
            write_capnav_graph(graph, house_graph(), FRAMES["scene"])
            command += ["--scene", str(house), "--graph", str(graph), "--frame", "scene"]
        done = subprocess.run(  # noqa: S603 - our own command
            command, cwd=ROOT, stdout=subprocess.PIPE, check=False
        )
    if not done.stdout:
        return done.returncode or 1
    document = json.loads(done.stdout)
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=2, ensure_ascii=False)
    (FOLDER / f"{engine}.json").write_text(text + "\n", encoding="utf-8")
    (FOLDER / f"{engine}.md").write_text(page(engine, document), encoding="utf-8")
    return done.returncode


def page(engine: str, document: dict[str, Any]) -> str:
    """The result as a page of Markdown."""
    lines = [
        f"# Conformance of {engine}",
        "",
        f"Made by `make conformance` from [{engine}.json]({engine}.json).",
        "",
        "| engine | version | cases passed | failed |",
        "|---|---|---|---|",
    ]
    results = document["engines"]
    for name, one in results.items():
        cells = (name, one["version"], one["passed"], one["failed"])
        lines.append(f"| {' | '.join(map(str, cells))} |")
    for name, one in results.items():
        lines += [f"\n{name} fails: {failure}" for failure in one["failures"]]
    lines += [
        "",
        f"The same drives on {engine} and {REFERENCE_ENGINE}:",
        "",
        "| scene | drives | same verdict | same reason | stop distance: median | p90 | worst |",
        "|---|---|---|---|---|---|---|",
    ]
    for scene, agreement in results[engine]["agreement"].items():
        stops = agreement["stop_distance_m"]
        cells = (scene, *(agreement[key] for key in ("drives", "same_verdict", "same_reason")))
        distances = (f"{stops[key] * 1000:.2f} mm" for key in ("median", "p90", "worst"))
        lines.append(f"| {' | '.join((*map(str, cells), *distances))} |")
    for scene, agreement in results[engine]["agreement"].items():
        lines += [f"\n{scene}: {_difference(drive)}" for drive in agreement["different"]]
    return "\n".join(lines) + "\n"


def _difference(drive: dict[str, Any]) -> str:
    ends = " / ".join(
        "arrives" if drive[name]["reached"] else drive[name]["blocked_by"]
        for name in ("reference", "engine")
    )
    drove = f"{drive['agent']}, {drive['from']} → {drive['to']}: {ends} (reference / engine)"
    passage = drive["passage"]
    if passage["uncertain"] is None:
        return f"{drove}; the passage was {passage['words']}."
    if passage["uncertain"]:
        return f"{drove}; the passage is measured as uncertain. {passage['words']}"
    against = " and ".join(passage["contradicted_by"]) or "neither"
    said = f"the passage is measured as certain, contradicted by {against}"
    return f"{drove}; {said}. {passage['words']}"


if __name__ == "__main__":
    sys.exit(main())
