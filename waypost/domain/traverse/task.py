"""The questions a benchmark asks about a scene: from where, through what, to where."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from waypost.domain.scene.graph import Extra


@dataclass(frozen=True, slots=True)
class Task:
    """One question; places are node names or ids, resolved when used.

    Source:
        makeabilitylab/CapNav:annotator/SAMPLE-QA.json.
    """

    question: str
    start: str
    end: str
    start_detail: str = ""
    end_detail: str = ""
    intermediate: tuple[str, ...] = ()
    extra: Extra = field(default_factory=lambda: MappingProxyType({}))
