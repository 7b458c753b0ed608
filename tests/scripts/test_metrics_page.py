"""The page of metrics is what the script would write now."""

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_current():
    script = runpy.run_path(str(ROOT / "scripts" / "metrics_page.py"))
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert page == script["page_text"](), "run: python scripts/metrics_page.py"


def test_profiles_that_differ_are_seen_to_differ():
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert "| `r2r` | 9 | 3 | 1 | 0 | 0 |" in page
    assert "| `r4r` | 9 | 3 | – | 1 |" in page
    assert "| `r2r` | 10 | 0 | 1 | 1 | 0.6 |" in page
    assert "| `duet` | 10 | 0 | 1 | 1 | 1 |" in page
