"""Write docs/metrics.md: every definition, and one episode scored by every profile side by side."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, EpisodeRun, RunEnd
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph
from waypost.metrics.profile import Profile, Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.metrics.space_case import straight_line

TABLE: Final = Path(__file__).with_name("public_scorers.json")
PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "metrics.md"
NAMES: Final = "ABCDE"
AT_M: Final = (0.0, 2.0, 4.0, 6.0, 9.0)
REFERENCE: Final = "ABCBCD"
SHARED: Final = ("TL", "NE", "OSR", "SR", "SPL", "nDTW", "nearness")
RUNS: Final = {
    "A-B-C-D-E, STOP exactly 3 m past the goal": ("ABCDE", True),
    "A-B-A-B-C-D, at the goal when time runs out, no STOP": ("ABABCD", False),
    "A, STOP at once": ("A", True),
}

HEAD: Final = """# Metrics

Written by `python scripts/metrics_page.py`; a test keeps it current.

A number means nothing without its definition: "success" has at least eight public ones. Waypost
therefore scores by named **profiles**, each as its benchmark's public code computes it, and every
report carries the definitions. `waypost metrics list` prints what stands below.

- **Undefined is not zero.** Where a definition gives no number (0/0, no ground truth, no
  navmesh), the score is null with a reason, counted, and in no mean.
- **Coverage is shown with every mean**: expected, found, missing, duplicated (identical or
  conflicting; the first counts), foreign, invalid. A run is *invalid* when it breaks a rule of
  the profile, such as a jump where moves need an edge; the public scorers refuse the whole file
  then.
- **Intervals** are 95 % percentile bootstrap intervals of the mean over episodes (1,000
  resamples, seeded; above 5,000 episodes their normal limit). Two runs are compared on the
  episodes that both have, by the mean of their differences.
- Fractions, never percentages; nothing is rounded in files.

## Scoring a run

```
waypost validate --annotations val_unseen.json --results a.json --connectivity connectivity
waypost evaluate --profile r2r --annotations val_unseen.json --results a.json b.json \\
        --connectivity connectivity --per-episode scores.parquet --json
waypost evaluate --results stats_ep_ckpt_0.json
```

Files of any [format](formats.md) are known by their content. Profiles over viewpoints need
`--connectivity`; VLN-CE's and Open-Nav's measure over a [navmesh](navmesh.md) (`--navmesh`), or
along straight lines with `--goal-distance straight-line`, which is said. Several results are
several runs; each is compared with the first. Without `--profile` stand the scores that the files
state themselves. Exit code 0: every expected episode was scored once; 1: something is missing,
doubled, foreign or invalid; 2: bad input. `--per-episode` has a row per run and episode and two
columns per score: `NE` and, where it is null, the reason in `NE_undefined`. In Python the same is
`waypost.score` ([python.md](python.md)), in the window the workspace Replay
([replay.md](replay.md)). `--json` prints

| key | what |
|---|---|
| `profile`, `title`, `notes` | what was computed |
| `definitions`, `sources`, `units` | of each score |
| `annotations` | `conventions` (how they were read), doubled ones, `findings`, `warnings` |
| `run`, `results`, `format`, `conventions` | of the run; several are a list `runs` of these |
| `coverage` | counts of episodes: `expected`, `found`, `missing`, … |
| `metrics` | by score: `value` (mean), `n`, `undefined` (reason → episodes), `ci95` |
| `of_the_whole_run` | the same of scores that a run has as a whole, such as CapNav's Feas_F1 |
| `stated_by_source` | what the file itself states |
| `compared_with_first` | `difference`, `n`, `ci95`; in how many `higher`, `lower`, `equal` |
| `findings`, `warnings` | what is odd about the results |

## One episode, every profile

Viewpoints A, B, C, D, E stand in a row at 0, 2, 4, 6 and 9 m. The reference path is A-B-C-B-C-D:
10 m long, although the goal D is 6 m away. The target object of REVERIE and SOON is seen from E
only; the end viewpoints of CVDN are D and E. In continuous space the same points lie on the
floor, the expert's dense positions every 0.25 m; straight lines stand in for VLN-CE's navmesh.
"–" is not part of the profile. CapNav's answers are no runs and stand below only.
"""


def page_text() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, (path, has_stopped) in RUNS.items():
        parts.append(f"### {title}\n\n{_table(path, has_stopped=has_stopped)}")
    parts.append(READING)
    parts.append(f"{SCORERS}\n{_scorers()}")
    parts.append("## Definitions\n")
    parts += [_definitions(profile) for profile in PROFILES.values()]
    return "\n".join(parts)


READING: Final = """What to see here:

- **Three metres**: strictly less in R2R, DUET and VLN-CE, at most in R4R, Open-Nav and VLNVerse's
  human demo, 1.5 m in NavBench, no distance at all in REVERIE.
- **STOP** is needed in VLN-CE only; elsewhere where the run ends is what counts.
- **SPL** compares with the shortest way (R2R, CVDN), with the reference path (DUET, REVERIE,
  VLNVerse), or with the goal that the run itself chose (SOON).
- **SPL has two public readings** in REVERIE, and a placeholder for a distance in VLN-PE: what the
  released code gives stands beside ours under its name, such as `SPL_DUET`, `SPL_REVERIE` or
  `SPL_InternNav`.
- **OSR** leaves out the start in VLN-PE and VLNVerse and needs the object in REVERIE.
- **Turns in place** repeat a viewpoint. They cost nothing in the nDTW of R2R and R4R, where they
  are dropped; the released code of DUET and HAMT counts every repeat, and so do the profile `duet`
  and `nDTW_DUET` beside R2R's.
- **nDTW** is normalised by reference viewpoints, dense positions or reference points; and the
  "ndtw" of VLN-PE, here *nearness*, gives a run that never moved the full score.
"""


SCORERS: Final = """## Beside released scorers

Released code and Waypost scored the same small files: every mean and every number per episode that
the code gives, under its own names, is a test (`tests/peers`). The largest difference is what
`python scripts/public_scorers.py FOLDER` measured, rounded up; below 1e-9 counts as equal. Commits
are those of the scorers. Without a profile stand scores that a source states without any path.
"""


def _scorers() -> str:
    lines = [
        "| released scorer | profile | files | episodes | numbers | largest difference | commit |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in json.loads(TABLE.read_text(encoding="utf-8")):
        profile = f"`{row['profile']}`" if row["profile"] else "–"
        difference = f"{row['largest_difference']:.0e}" if row["largest_difference"] else "0"
        cells = (row["scorer"], profile, row["folder"], row["episodes"], row["numbers"], difference)
        lines.append("| " + " | ".join(map(str, cells)) + f" | {row['commit']} |")
    return "\n".join(lines) + "\n"


def _table(path: str, *, has_stopped: bool) -> str:
    rows = ["| profile | " + " | ".join(SHARED) + " |", "|---|" + "---|" * len(SHARED)]
    graph = _graph()
    for profile in PROFILES.values():
        if profile.needs_labels:
            continue
        episode, run = _episode(), _run(path, has_stopped=has_stopped)
        scores = score_episode(profile, episode, run, Scenery(graph, straight_line))
        keys = [metric.key for metric in profile.metrics]
        found = dict(zip(keys, scores.values, strict=True))
        cells = [_cell(found, key) for key in SHARED]
        rows.append(f"| `{profile.key}` | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _cell(found: dict[str, float | None], key: str) -> str:
    if key not in found:
        return "–"
    value = found[key]
    return "undefined" if value is None else f"{value:.4g}"


def _definitions(profile: Profile) -> str:
    lines = [f"### `{profile.key}`: {profile.title}\n"]
    if profile.notes:
        lines.append(f"{profile.notes}\n")
    lines += ["| score | unit | definition | source |", "|---|---|---|---|"]
    for metric in profile.metrics:
        # A bar would end the cell.
        text = metric.definition.replace("|", "\\|")
        lines.append(f"| {metric.key} | {metric.unit} | {text} | {metric.source} |")
    if profile.summaries:
        lines += ["", "Of a whole run:", "", "| score | unit | definition | source |"]
        lines.append("|---|---|---|---|")
    for summary in profile.summaries:
        lines.append(
            f"| {summary.key} | {summary.unit} | {summary.definition} | {summary.source} |"
        )
    return "\n".join(lines) + "\n"


def _graph() -> ViewpointGraph:
    positions = np.array([(x, 0.0, 1.5) for x in AT_M])
    joined = np.eye(len(NAMES), k=1, dtype=bool)
    return build_viewpoint_graph("row", tuple(NAMES), positions, joined)


def _points(path: str) -> list[tuple[float, float, float]]:
    return [(AT_M[NAMES.index(name)], 0.0, 0.0) for name in path]


def _dense() -> list[tuple[float, float, float]]:
    xs = [x for x, _, _ in _points(REFERENCE)]
    corners = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(xs)))))
    along = np.interp(np.arange(0.0, corners[-1] + 0.125, 0.25), corners, xs)
    return [(float(x), 0.0, 0.0) for x in along]


def _episode() -> Episode:
    target = GoalObject(
        "7",
        visible_from=frozenset("E"),
        polygons_rad=MappingProxyType({"E": ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))}),
    )
    goal = Goal("D", (AT_M[3], 0.0, 0.0), target=target)
    return Episode(
        dataset="example",
        split="",
        episode_id="1",
        scene_id="row",
        instruction=Instruction("Go to D."),
        reference=route(REFERENCE, positions_m=_points(REFERENCE)),
        goals=(goal, Goal("E", (AT_M[4], 0.0, 0.0))),
        start_viewpoint_id="A",
        geodesic_m=None,
        dense_reference_m=route(positions_m=_dense()),
    )


def _run(path: str, *, has_stopped: bool) -> EpisodeRun:
    return EpisodeRun(
        "1",
        route(path, positions_m=_points(path)),
        end=RunEnd(called_stop=has_stopped),
        answer=Answer("7", 0.5, 0.5),
    )


def main() -> int:
    """Write the page."""
    PAGE.write_text(page_text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
