"""What stands beside the map of a shared episode: step, tags and metrics, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line, with_short_ids
from waypost.domain.replay.step import Step
from waypost.domain.replay.tags import TAG_TITLES
from waypost.metrics.value_text import value_text
from waypost.report.wrapping import TextBlock
from waypost.services.appearance import LIGHT
from waypost.services.replay.loading import ReplayedEpisode

_MOST_THOUGHT_LINES: Final = 7
_FIRM: Final = "\u00a0"
"""A blank that keeps a name beside its value."""


def head_blocks(shown: ReplayedEpisode, title: str) -> list[TextBlock]:
    """Episode, run and instruction.

    Args:
        shown: The episode.
        title: Of the run; may be empty.
    """
    episode = shown.replay.episode
    parts = [f"Episode {episode.episode_id}", episode.scene_id, title]
    headline = with_short_ids(" · ".join(filter(None, parts)))
    blocks = [TextBlock(headline, LIGHT.text, 19, True, 1)]
    if episode.instruction.text.strip():
        blocks.append(TextBlock(episode.instruction.text, LIGHT.text, 15, most_lines=4))
    return blocks


def step_blocks(shown: ReplayedEpisode, index: int) -> list[TextBlock]:
    """Where the agent is, what it thought and did, and how far it is."""
    replay = shown.replay
    if not len(replay):
        return [TextBlock(replay.why_no_path, LIGHT.muted)]
    step = replay.step(index)
    blocks = [
        TextBlock(f"Step {index} of {len(replay) - 1}", LIGHT.text, 18, True, 1),
        TextBlock(_state(step), LIGHT.muted),
    ]
    first = replay.first_deviation_step
    if first is not None and first == index:
        blocks.append(TextBlock("⚑ Leaves the reference here.", LIGHT.does_not, is_bold=True))
    elif first is not None and first < index:
        blocks.append(TextBlock(f"⚑ Left the reference at step {first}.", LIGHT.does_not))
    if step.action:
        blocks.append(TextBlock(f"Action: {step.action}", LIGHT.text, most_lines=3))
    if step.thought:
        blocks.append(
            TextBlock(f"Thought: {step.thought}", LIGHT.text, most_lines=_MOST_THOUGHT_LINES)
        )
    return blocks


def run_blocks(shown: ReplayedEpisode) -> list[TextBlock]:
    """The whole run: its length, its end, and its tags with their reasons."""
    replay = shown.replay
    blocks = [
        TextBlock(counted(replay.step_count, "step"), LIGHT.text, 18, True, 1),
        TextBlock(f"ended by: {replay.ended_by}", LIGHT.muted, most_lines=2),
    ]
    if (first := replay.first_deviation_step) is not None:
        blocks.append(TextBlock(f"⚑ First deviation: step {first}", LIGHT.does_not, is_bold=True))
    for tag in shown.tags:
        at = "" if tag.step is None else f" (step {tag.step})"
        blocks.append(TextBlock(f"{TAG_TITLES[tag.kind]}{at}", LIGHT.text, is_bold=True, gap_px=0))
        blocks.append(TextBlock(tag.reason, LIGHT.muted, 14, most_lines=3))
    return blocks


def metric_blocks(shown: ReplayedEpisode) -> list[TextBlock]:
    """The profile and its values, several in a line; of scores only those that are stated, too."""
    scores = shown.scores
    values: Sequence[str] = [
        f"{metric.key}{_FIRM}{'undefined' if value is None else value_text(value, metric.unit)}"
        for metric in scores.profile.metrics
        for value in (scores.values[metric.key],)
    ]
    stated = [
        f"{one_line(name, 40)}{_FIRM}{'unknown' if value is None else format(value, '.3f')}"
        for name, value in shown.replay.run.reported.items()
    ]
    blocks = [
        TextBlock(f"Metrics: {scores.profile.title}", LIGHT.text, is_bold=True, most_lines=3),
        TextBlock(f"{_FIRM}· ".join(values), LIGHT.text, 14, most_lines=8),
    ]
    if stated and shown.replay.run.has_scores_only:
        blocks += [
            TextBlock("As the source states", LIGHT.text, is_bold=True),
            TextBlock(f"{_FIRM}· ".join(stated), LIGHT.text, 14, most_lines=8),
        ]
    return blocks


def _state(step: Step) -> str:
    parts = [step.event.replace("_", " ")]
    if step.visit > 1:
        parts.append(f"visit {step.visit} here")
    if step.on_reference is not None:
        parts.append("on the reference" if step.on_reference else "off the reference")
    if step.to_goal_m is not None:
        parts.append(f"{step.to_goal_m:.2f} m to the goal")
    return " · ".join(parts)
