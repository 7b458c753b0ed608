from __future__ import annotations

from waypost.demo.report import DemoReport, DriveRow, Picture, write_report
from waypost.domain.traverse.traversability import Passage, Reason, TraversabilityLabel, Verdict


def row(agent: str, end: str, reached: bool) -> DriveRow:
    verdict = Verdict.TRAVELS if reached else Verdict.DOES_NOT
    label = TraversabilityLabel(
        Passage("a", "b", agent), verdict, None if reached else Reason.STAIRS
    )
    return DriveRow(agent, "Hall", end, reached, 1.25, 0.17, 0.5, label)


def report(*rows: DriveRow) -> DemoReport:
    picture = Picture("overview.png", "Overview", "The whole house")
    return DemoReport("home: 12 triangles", "PhysX", "abc", [picture], rows, ["a.json"], 61.4)


def test_the_summary_counts_per_agent_in_order():
    made = report(row("Human", "Attic", True), row("Sweeper", "Attic", False))
    assert made.summary() == [("Human", 1, 1), ("Sweeper", 0, 1)]


def test_the_page_shows_pictures_reasons_and_numbers(tmp_path):
    path = tmp_path / "report.html"
    write_report(report(row("Human", "Attic", False)), path)
    page = path.read_text(encoding="utf-8")
    assert '<img src="overview.png" alt="Overview">' in page
    for text in ("✕", "stairs", "1.25 m", "17.0 cm", "0.50 m", "61 s in all", "1 of 1 passages"):
        assert text in page


def test_names_from_a_project_cannot_become_markup(tmp_path):
    path = tmp_path / "report.html"
    write_report(report(row("Human", "<script>alert(1)</script>", True)), path)
    page = path.read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
