"""What an import found, as every command prints it in JSON."""

from __future__ import annotations

from typing import Any

from waypost.domain.episode.import_report import ImportFinding


def finding_object(finding: ImportFinding) -> dict[str, Any]:
    """The JSON object of a finding."""
    return {
        "kind": finding.kind.value,
        "id": finding.item_id,
        "step": finding.step,
        "value": finding.value,
        "message": finding.message,
    }
