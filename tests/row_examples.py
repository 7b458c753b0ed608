"""Rows of runs whose sorting, filtering and export are known by hand."""

from __future__ import annotations

from waypost.domain.replay.run_rows import MetricColumn, RunRow, RunRows
from waypost.domain.replay.tags import Tag, TagKind

COLUMNS = (
    MetricColumn("NE", "Shortest way from the last viewpoint to the goal.", "m", "R2R", False),
    MetricColumn("SR", "1 if NE is below 3 m.", "fraction", "R2R"),
    MetricColumn("SPL", "Success weighted by path length.", "fraction", "Anderson et al. 2018"),
)


def make_row(
    episode_id: str,
    values: tuple[float | None, ...] = (0.0, 1.0, 1.0),
    *,
    attempt: int = 1,
    scene: str = "line",
    instruction: str = "Walk on.",
    success: bool | None = True,
    tags: tuple[TagKind, ...] = (),
    steps: int = 3,
) -> RunRow:
    """A row; every undefined value has the reason ``no way``."""
    return RunRow(
        episode_id=episode_id,
        attempt=attempt,
        scene_id=scene,
        split="val",
        instruction=instruction,
        is_success=success,
        values=values,
        reasons=tuple("no way" if value is None else "" for value in values),
        tags=tuple(Tag(kind, 1, f"because of {kind.value}") for kind in tags),
        step_count=steps,
        ended_by="stop",
        reference_m=4.0,
        turn_count=0,
    )


def make_rows(*rows: RunRow, name: str = "model", is_whole: bool = True) -> RunRows:
    """Rows under the three metrics of ``COLUMNS``."""
    return RunRows(name, f"/data/{name}.json", "r2r", "Room-to-Room", COLUMNS, rows, is_whole)


FOUR = make_rows(
    make_row("100_0", (0.0, 1.0, 0.5), instruction="Go to the red sofa.", steps=9),
    make_row(
        "7_0",
        (4.0, 0.0, 0.0),
        scene="attic",
        success=False,
        tags=(TagKind.LOOPING, TagKind.LATE_STOP),
        instruction="Walk to the SOFA and stop.",
    ),
    make_row(
        "12_1",
        (None, None, None),
        success=None,
        tags=(TagKind.GENERATION_ERROR,),
        instruction="Turn left.",
    ),
    make_row(
        "7_1",
        (6.0, 0.0, 0.0),
        success=False,
        tags=(TagKind.GENERATION_ERROR, TagKind.LATE_STOP),
        instruction="Climb the stairs.",
        steps=20,
    ),
)
"""100_0 succeeds, 7_0 stops late, 12_1 is unknown, 7_1 is a generation error."""
