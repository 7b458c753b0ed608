"""What is said of takes in words: which there are, their scores with definitions, and flags."""

from __future__ import annotations

from waypost.app.record.review.score_table import ScoreLine
from waypost.app.record.review.take_panel import OfferedTake, TakeReport
from waypost.domain.base.sentences import capitalised
from waypost.domain.record.recording import LATE_NS, late_count
from waypost.domain.record.study import Take
from waypost.domain.record.take_quality import DEFAULT_LIMITS, quality_flags
from waypost.metrics.profile import Metric, Profile
from waypost.metrics.registry import PROFILES
from waypost.metrics.value_text import value_text
from waypost.services.study.take_loading import LoadedTake
from waypost.services.study.take_scoring import score_of
from waypost.tables.study_tables import NOT_SCORED
from waypost.widgets.facts_table import Fact


def score_lines(take: Take) -> tuple[ScoreLine, ...]:
    """One line per score in the profile of the episode's data set; time and pauses come last."""
    profile, summary = PROFILES.get(take.profile), take.summary
    metrics = () if profile is None else profile.metrics
    lines = [] if profile is None else [_score_line(take, profile, each) for each in metrics]
    return (
        *lines,
        ScoreLine(
            "time", f"{summary.duration_ns / 1e9:.2f} s", "Simulated time from start to stop."
        ),
        ScoreLine("pauses", f"{summary.pause_ns / 1e9:.1f} s", "Wall time spent in pauses."),
    )


def offered_takes(takes: tuple[Take, ...]) -> tuple[OfferedTake, ...]:
    """Every take with its sign and number."""
    return tuple(
        OfferedTake(
            take.key.number,
            f"{'✓' if take.summary.is_complete else '✕'} take {take.key.number} of {len(takes)}",
        )
        for take in takes
    )


def take_report(take: Take, loaded: LoadedTake | None = None, scene_hash: str = "") -> TakeReport:
    """What there is to say about a take.

    Args:
        take: As the study lists it.
        loaded: Its file, once it is read.
        scene_hash: Of the scene that is shown; empty without one.
    """
    summary = take.summary
    flags = quality_flags(summary, DEFAULT_LIMITS)
    warnings = [f"{capitalised(flag.message)}." for flag in flags]
    if take.excluded_reason:
        warnings.append(f"Kept out of exports: {take.excluded_reason}")
    rate = summary.achieved_rate_hz
    facts = [
        Fact("samples", f"{summary.rows:,}"),
        Fact("rate", "–" if rate is None else f"{rate:.2f} Hz"),
        Fact("touches", f"{summary.collision_count:,}", f"{summary.strict_collision_count} strict"),
        Fact("active", f"{summary.active_ns / 1e9:.1f} s"),
    ]
    if loaded is None:
        return TakeReport(tuple(warnings), score_lines(take), tuple(facts))
    recorded_in = str(loaded.recording.header.get("scene_hash") or "")
    if recorded_in and scene_hash and recorded_in != scene_hash:
        warnings.append("It was recorded in another scene than the one that is shown.")
    late = late_count(loaded.recording)
    facts.append(Fact("late", f"{late:,}", f"over {LATE_NS / 1e6:g} ms"))
    return TakeReport(tuple(warnings), score_lines(take), tuple(facts), loaded.notes)


def _score_line(take: Take, profile: Profile, metric: Metric) -> ScoreLine:
    value = score_of(take, metric.key)
    title = f"{metric.key}  ({profile.key})"
    tip = f"{metric.definition}\nProfile {profile.title}; source {metric.source}"
    if value is None:
        reason = take.score_notes.get(f"{profile.key}.{metric.key}", NOT_SCORED)
        return ScoreLine(title, "–", f"{tip}\nUndefined: {reason}")
    return ScoreLine(title, value_text(value, metric.unit), tip)
