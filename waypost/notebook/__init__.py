"""What ``import waypost`` offers to notebooks: read, score, and make frames (docs/python.md)."""

from waypost.notebook.reading import (
    read_episodes,
    read_graph,
    read_labels,
    read_recording,
    read_runs,
    read_scores,
    read_study,
)
from waypost.notebook.scoring import score

__all__ = [
    "read_episodes",
    "read_graph",
    "read_labels",
    "read_recording",
    "read_runs",
    "read_scores",
    "read_study",
    "score",
]
