"""The HTML report of a demonstration run: pictures first, then what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from waypost.domain.traverse.traversability import REASON_TITLES, TraversabilityLabel, Verdict
from waypost.io.atomic import write_text_atomic
from waypost.report.templates import page_template


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot in the report."""

    file: str
    """Name relative to the report."""

    title: str
    caption: str


@dataclass(frozen=True, slots=True)
class DriveRow:
    """One passage: what the simulator measured and what was labelled from it."""

    agent: str
    start: str
    end: str
    reached: bool
    travelled_m: float
    highest_step_m: float
    displacement_m: float
    label: TraversabilityLabel

    @property
    def sign(self) -> str:
        """The verdict as a sign, never as colour alone."""
        return {Verdict.TRAVELS: "✓", Verdict.DOES_NOT: "✕", Verdict.UNCERTAIN: "?"}[
            self.label.verdict
        ]

    @property
    def reason(self) -> str:
        """Why not, in the words of the reason list."""
        return REASON_TITLES[self.label.reason] if self.label.reason else ""


@dataclass(frozen=True, slots=True)
class DemoReport:
    """Everything the report shows."""

    scene_line: str
    engine_line: str
    mover_hash: str
    pictures: Sequence[Picture]
    drives: Sequence[DriveRow]
    files: Sequence[str]
    seconds: float

    def summary(self) -> list[tuple[str, int, int]]:
        """Per agent: name, passages travelled, passages driven."""
        agents = list(dict.fromkeys(row.agent for row in self.drives))
        rows = {name: [row for row in self.drives if row.agent == name] for name in agents}
        return [(name, sum(r.reached for r in rows[name]), len(rows[name])) for name in agents]


def write_report(report: DemoReport, path: Path) -> None:
    """Render the report; names from the project are escaped."""
    template = page_template("demo_report.html.j2")
    write_text_atomic(path, template.render(report=report))
