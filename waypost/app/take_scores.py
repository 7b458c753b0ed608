"""The scores of a take as lines to read: per name the profile that fits, with its definition."""

from __future__ import annotations

from waypost.domain.study import Take
from waypost.metrics.registry import PROFILES
from waypost.widgets.participant_card import ScoreLine

_NAMES = ("TL", "NE", "SR", "OSR", "SPL", "nDTW", "CR")
_ORDER = ("vlnverse-human", "vlnverse", "vlnce", "open-nav", "vln-pe")


def score_lines(take: Take) -> tuple[ScoreLine, ...]:
    """One line per score in the profile of the episode's data set, else the first that has it.

    Time and pauses come last.
    """
    lines = [line for name in _NAMES if (line := _score_line(take, name)) is not None]
    summary = take.summary
    return (
        *lines,
        ScoreLine(
            "time", f"{summary.duration_ns / 1e9:.2f} s", "Simulated time from start to stop."
        ),
        ScoreLine("pauses", f"{summary.pause_ns / 1e9:.1f} s", "Wall time spent in pauses."),
    )


def _score_line(take: Take, name: str) -> ScoreLine | None:
    own = _ORDER if take.key.dataset.startswith("vlnverse") else (*_ORDER[2:], *_ORDER[:2])
    listed = [f"{key}.{name}" for key in own if f"{key}.{name}" in take.scores]
    if not listed:
        return None
    best = next((found for found in listed if take.scores[found] is not None), listed[0])
    key = best.removesuffix(f".{name}")
    metric = next(m for m in PROFILES[key].metrics if m.key == name)
    value = take.scores[best]
    tip = f"{metric.definition}\nProfile {PROFILES[key].title}; source {metric.source}"
    if value is None:
        return ScoreLine(name, "–", f"{tip}\nUndefined: {take.score_notes.get(best, '')}")
    text = f"{value:.2f} m" if metric.unit == "m" else f"{value:.3f}"
    return ScoreLine(f"{name}  ({key})", text, tip)
