"""The questions a benchmark asks about a scene: from where, through what, to where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import MappingProxyType

from waypost.domain.base.counted_words import counted
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


def asked_again(before: Iterable[Task], new: Iterable[Task]) -> int:
    """How many new questions have words and places of one that was there before."""
    known = {(task.question, task.places) for task in before}
    return sum((task.question, task.places) in known for task in new)


def asked_again_words(count: int) -> str:
    """That many of new questions are there twice now, as a clause."""
    one, more = "of them was there already, and counts", "of them were there already, and count"
    return f"{counted(count, one, more)} twice"
