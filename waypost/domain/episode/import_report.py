"""What an import found, missed and doubted, so that no number is shown without its coverage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ImportKind(StrEnum):
    """What an import says about one item."""

    MISSING = "missing"
    """An expected episode has no run."""

    DUPLICATED_IDENTICAL = "duplicated_identical"
    """A second run of the episode that says the same."""

    DUPLICATED_CONFLICTING = "duplicated_conflicting"
    """A second run of the episode that says otherwise."""

    FOREIGN = "foreign"
    """A run of an episode that is not asked for."""

    UNREADABLE = "unreadable"
    """An item that cannot be used; the others can."""

    AMBIGUOUS_ID = "ambiguous_id"
    """Ids that differ only in leading zeros or spaces."""

    NO_EDGE = "no_edge"
    """Two viewpoints in a row that no edge joins."""

    UNKNOWN_VIEWPOINT = "unknown_viewpoint"
    TELEPORT = "teleport"
    """Two poses in a row further apart than any action carries."""

    LONG_STEP = "long_step"
    """Two poses in a row further apart than a forward step, by little."""

    WRONG_START = "wrong_start"
    EMPTY_PATH = "empty_path"
    SINGLE_POSE = "single_pose"
    """One pose: the agent did not move."""

    REVISITED = "revisited"
    """The path comes back to a viewpoint it had left."""

    ASYMMETRIC_EDGE = "asymmetric_edge"
    SELF_EDGE = "self_edge"
    EXCLUDED_VIEWPOINT = "excluded_viewpoint"
    NO_HEIGHT = "no_height"
    HEADING_MISMATCH = "heading_mismatch"
    """Heading and first step disagree by more than 90° but agree in another convention."""

    DEGREES_FOR_RADIANS = "degrees_for_radians"
    BAD_QUATERNION = "bad_quaternion"
    """Of length zero or not one."""

    NO_MOVE = "no_move"
    """Model text that names no valid move."""

    UNMATCHED_TEXT = "unmatched_text"
    """Logged text that belongs to no pose."""

    NOT_FINITE = "not_finite"
    """NaN or Infinity stands for a number."""

    TRUNCATED = "truncated"
    """The file ends in the middle; the complete items before were read."""

    WRONG_TOTAL = "wrong_total"
    """A total that a file states and that its own runs do not give."""

    WRONG_DISTANCE = "wrong_distance"
    """A stated shortest way that cannot be one."""

    NO_GROUND_TRUTH = "no_ground_truth"
    """Only the start is published; nothing can be scored."""

    UNKNOWN_VALUE = "unknown_value"
    """A placeholder such as a distance of −1."""

    NOTE = "note"


HARMLESS = frozenset(
    {
        ImportKind.SINGLE_POSE,
        ImportKind.REVISITED,
        ImportKind.LONG_STEP,
        ImportKind.EXCLUDED_VIEWPOINT,
        ImportKind.NO_HEIGHT,
        ImportKind.NO_MOVE,
        ImportKind.UNMATCHED_TEXT,
        ImportKind.NO_GROUND_TRUTH,
        ImportKind.UNKNOWN_VALUE,
        ImportKind.NOTE,
    }
)
"""Kinds that are worth knowing and need no repair."""


@dataclass(frozen=True, slots=True)
class ImportFinding:
    """One thing to know about one item."""

    kind: ImportKind
    item_id: str
    """Episode, scan or file."""

    step: int | None
    """Index of the pose, entry or line concerned; ``None`` for the whole item."""

    value: str
    """The value concerned as text, e.g. ``a → b``."""

    message: str
    """One sentence for the user."""

    @property
    def is_problem(self) -> bool:
        """Whether the data should be looked at before it is used."""
        return self.kind not in HARMLESS


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of items and what was found about them."""

    expected: int | None = None
    """Episodes asked for; ``None`` where nothing tells."""

    found: int = 0
    """Expected episodes that have a run; all items read where nothing tells what to expect."""

    missing: int = 0
    duplicated_identical: int = 0
    duplicated_conflicting: int = 0
    foreign: int = 0
    unreadable: int = 0
    findings: tuple[ImportFinding, ...] = ()
    """In the order they were met; at most the first 10,000."""

    findings_left_out: int = 0
    conventions: str = ""
    """Frame, headings and units that were assumed."""

    warnings: tuple[str, ...] = ()
    """Sentences about the files as a whole."""
