"""Batches of instructions, dealt out to raters: each in an order of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import NamedTuple

from waypost.domain.base.dealing import deal_names, seeded
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import RubricKey


class BatchItemKey(NamedTuple):
    """One instruction of a batch."""

    batch: str
    item: str


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One instruction as it is scored in a batch."""

    key: BatchItemKey
    instruction: InstructionText
    expected: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Criterion → scores that an attentive rater gives; such an item is an attention check."""

    @property
    def is_attention_check(self) -> bool:
        """Whether it tells how attentive raters are; it then counts in no result."""
        return bool(self.expected)


@dataclass(frozen=True, slots=True)
class ScoreBatch:
    """Instructions that some raters score by one rubric, or compare in pairs."""

    name: str
    rubric: RubricKey
    """The version that is scored by now; sheets keep the one that they were scored by."""

    seed: int
    """Of the dealing and the orders."""

    overlap_share: float
    """Share of the items, in [0, 1], that all raters score."""

    assigned: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Rater → items, or pairs, in the order of that rater."""

    pairs: Mapping[str, tuple[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Pair → its two items; a batch with pairs is compared, not scored."""

    graphs_path: str = ""
    """Folder of connectivity files of the scans that its paths lie in; relative ones against the
    folder of the project. Empty for none."""

    eye_height_m: float | None = None
    """Over the floor, from where its paths are seen; ``None`` for the eye of a person."""

    @property
    def raters(self) -> tuple[str, ...]:
        """Who has something to do in it."""
        return tuple(self.assigned)


def without_machine_paths(batch: ScoreBatch) -> ScoreBatch:
    """The batch as others may have it: without a folder that only one machine has.

    A folder is kept where it is relative, and so in the folder of the project.
    """
    path = batch.graphs_path
    is_absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor
    return replace(batch, graphs_path="") if is_absolute else batch


def deal(
    items: Sequence[BatchItem], raters: Sequence[str], overlap_share: float, seed: int
) -> Mapping[str, tuple[str, ...]]:
    """Deal items out: a share to all raters, attention checks too, every other to one of them.

    Which ones overlap, who gets which, and each rater's order are random by the seed, and the
    same again for the same seed, items and raters.

    Raises:
        InputError: If the share is not in [0, 1], or a rater is missing, nameless or named twice.
    """
    checks = [entry.key.item for entry in items if entry.is_attention_check]
    others = [entry.key.item for entry in items if not entry.is_attention_check]
    return deal_names(others, raters, overlap_share, seed, checks)


def has_sides_swapped(batch: ScoreBatch, rater: str, pair: str) -> bool:
    """Whether a rater sees the second of a pair on the left."""
    return seeded(f"{batch.seed} sides of {pair} for {rater}").random() < 0.5
