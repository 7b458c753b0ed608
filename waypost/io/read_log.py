"""What a reader has to say while it streams: findings, oddities, leftovers; bounded in memory."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from waypost.domain.episode.heading_checks import degrees_finding
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run_source import RunSource

MOST_FINDINGS = 10_000


@dataclass(slots=True)
class ReadLog:
    """Collects what is to be said about a file; a reader writes, the caller reads.

    Every finding is counted; only the first ``MOST_FINDINGS`` are kept.
    """

    findings: list[ImportFinding] = field(default_factory=list)
    counts: Counter[ImportKind] = field(default_factory=Counter)
    """Findings by kind, those left out included."""

    warnings: list[str] = field(default_factory=list)
    """Sentences about the file as a whole."""

    document: dict[str, Any] = field(default_factory=dict)
    """Top-level members beside the items, as they were (``instruction_vocab``), to write back."""

    largest_angles: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Field → largest absolute value in radians as stated, and the item it stands in."""

    has_graphs: bool = False
    """Whether graphs are given apart: then none is missed beside the file."""

    @classmethod
    def about(cls, source: RunSource) -> ReadLog:
        """A log for the episodes of a source."""
        return cls(has_graphs=source.connectivity is not None)

    def add(
        self,
        kind: ImportKind,
        message: str,
        *,
        item_id: str = "",
        step: int | None = None,
        value: object = "",
    ) -> None:
        """Note something about one item."""
        self.counts[kind] += 1
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(ImportFinding(kind, item_id, step, str(value), message))

    def extend(self, findings: list[ImportFinding]) -> None:
        """Note several things that a check found."""
        self.counts.update(finding.kind for finding in findings)
        self.findings += findings[: max(0, MOST_FINDINGS - len(self.findings))]

    def warn(self, sentence: str) -> None:
        """Note something about the file, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def note_angle(self, field_name: str, stated: object, item_id: str) -> None:
        """Remember the largest angle of a field of radians, to notice degrees at the end."""
        if isinstance(stated, int | float) and math.isfinite(stated):
            largest = self.largest_angles.get(field_name, (0.0, ""))
            if abs(stated) > largest[0]:
                self.largest_angles[field_name] = (abs(stated), item_id)

    def finish(self) -> None:
        """Add what only shows at the end of a file; the caller of the reader calls this."""
        for name, (largest, item_id) in self.largest_angles.items():
            finding = degrees_finding(item_id, largest, name)
            if finding is not None:
                self.extend([finding])
        self.largest_angles.clear()

    @property
    def oddities(self) -> tuple[str, ...]:
        """What one has to know of the file as a whole: also that it ends in the middle."""
        cut = (f.message for f in self.findings if f.kind is ImportKind.TRUNCATED)
        return (*self.warnings, *cut)

    def stated_totals(self) -> dict[str, float | None]:
        """The numbers of ``document``, by their names or by member and name (``easy sr``).

        ``None`` for NaN and infinities.
        """
        found = {}
        for name, value in self.document.items():
            inner = value.items() if isinstance(value, dict) else (("", value),)
            for key, number in inner:
                if isinstance(number, int | float) and not isinstance(number, bool):
                    is_finite = isinstance(number, int) or math.isfinite(number)
                    found[f"{name} {key}".strip()] = number if is_finite else None
        return found

    @property
    def left_out(self) -> int:
        """How many findings were counted and not kept."""
        return self.counts.total() - len(self.findings)
