"""How commands say what was found: as JSON, and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from waypost.domain.episode.import_report import ImportFinding

_MOST_SHOWN = 10


def finding_object(finding: ImportFinding) -> dict[str, Any]:
    """The JSON object of a finding."""
    return {
        "kind": finding.kind.value,
        "id": finding.item_id,
        "step": finding.step,
        "value": finding.value,
        "message": finding.message,
    }


def finding_lines(findings: Sequence[ImportFinding]) -> list[str]:
    """The first findings, a line each, and how many more there are."""
    lines = [f"  {finding.message}" for finding in findings[:_MOST_SHOWN]]
    if len(findings) > _MOST_SHOWN:
        lines.append(f"  … and {len(findings) - _MOST_SHOWN} more findings")
    return lines
