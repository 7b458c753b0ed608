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
    node_ids: tuple[str, ...] = ()
    """The node that each of ``places`` means, where a person said so; an empty entry, or a tuple
    that is not as long as ``places``, leaves it to the name."""

    is_hallucinated: bool = False
    """Whether the question asks about something that the scene does not have. It stays, and counts
    nowhere.

    Source: ``_hallucinatedQuestions`` of makeabilitylab/CapNav:annotator/src/annotation.js."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where it starts, what it passes, where it ends."""
        return (self.start, *self.intermediate, self.end)

    @property
    def chosen_ids(self) -> tuple[str, ...]:
        """For each of ``places`` the node that a person said it means; empty for none."""
        return self.node_ids if len(self.node_ids) == len(self.places) else ("",) * len(self.places)
