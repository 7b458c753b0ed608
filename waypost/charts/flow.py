"""How a flow chart is laid out: columns of bars with bands between them, no label on another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from waypost.charts.picture import (
    TONE_SIGNS,
    Band,
    Box,
    ChartPicture,
    ChartTarget,
    ChartTone,
    Measure,
    Words,
    share_text,
)
from waypost.domain.replay.charts import NO_CAUSE, Bar, Flow, FlowChart

NODE_PX: Final = 14.0
_GAP_PX: Final = 8.0
_LABEL_GAP_PX: Final = 8.0
_LEAST_PX: Final = 1.5
_MOST_TEXT: Final = 0.6
"""Of the height, that the labels of one column may need before the chart grows."""


_OUTCOME_TONES: Final[Mapping[str, ChartTone]] = {
    "Success": ChartTone.SUCCESS,
    "Incorrect navigation": ChartTone.FAILURE,
    "Generation error": ChartTone.ERROR,
    "Unknown": ChartTone.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class _Node:
    bar: Bar
    tone: ChartTone
    left_px: float
    top_px: float
    height_px: float
    slot_px: float
    """Height kept free for the node and its label."""


def flow_picture(
    chart: FlowChart, total: int, width_px: float, height_px: float, measure: Measure
) -> ChartPicture:
    """Bands from outcome to behaviour, and on to causes where people have set some.

    Args:
        chart: What to draw.
        total: Episodes in all.
        width_px: Room for the columns.
        height_px: Room wanted; more is taken if the labels need it.
        measure: Size of text.
    """
    has_causes = any(bar.label != NO_CAUSE for bar in chart.causes)
    bars = [chart.outcomes, chart.behaviours] + ([chart.causes] if has_causes else [])
    flows = [chart.outcome_to_behaviour] + ([chart.behaviour_to_cause] if has_causes else [])
    tones = _tones(chart)
    pitch = width_px / len(bars)
    room = pitch - NODE_PX - 2 * _LABEL_GAP_PX
    slots = [
        [measure(node_label(bar, tones[i][bar.label]), room)[1] for bar in column]
        for i, column in enumerate(bars)
    ]
    unit = _unit(bars, slots, height_px)
    columns = [
        _column(column, tones[i], slots[i], i * pitch, unit) for i, column in enumerate(bars)
    ]
    boxes: list[Box] = []
    bands: list[Band] = []
    targets: list[ChartTarget] = []
    words: list[Words] = []
    for i, column in enumerate(columns):
        for node in column.values():
            boxes.append(_box(node, len(targets)))
            targets.append(_target(node.bar.label, node.bar.episode_ids, total))
            words.append(_label(node, room, measure))
        if i < len(flows):
            bands += _bands(flows[i], column, columns[i + 1], unit, len(targets))
            targets += [
                _target(f"{flow.source} → {flow.target}", flow.episode_ids, total)
                for flow in _in_order(flows[i], column, columns[i + 1])
            ]
    # A bar stands in the middle of the room that it and its label have.
    ends = (n.top_px + (n.height_px + n.slot_px) / 2 for c in columns for n in c.values())
    deepest = max(ends, default=0.0)
    return ChartPicture(width_px, deepest, tuple(targets), tuple(boxes), tuple(bands), tuple(words))


def node_label(bar: Bar, tone: ChartTone) -> str:
    """Sign, name and number of episodes."""
    sign = TONE_SIGNS.get(tone, "")
    # Sign and number do not stand on a line of their own.
    return f"{sign}\u00a0{bar.label} ·\u00a0{len(bar.episode_ids):,}".strip()


def _tones(chart: FlowChart) -> list[dict[str, ChartTone]]:
    """Label → tone, per column: a behaviour is as most of its episodes came about."""
    outcomes = {bar.label: _OUTCOME_TONES.get(bar.label, ChartTone.PLAIN) for bar in chart.outcomes}
    behaviours: dict[str, ChartTone] = {}
    for flow in chart.outcome_to_behaviour:
        behaviours.setdefault(flow.target, outcomes[flow.source])
    causes = {
        bar.label: ChartTone.UNKNOWN if bar.label == NO_CAUSE else ChartTone.FAILURE
        for bar in chart.causes
    }
    return [outcomes, behaviours, causes]


def _unit(bars: Sequence[Sequence[Bar]], slots: Sequence[Sequence[float]], room: float) -> float:
    """Pixels per episode at which the fullest column just fits its room, or what labels need."""
    floor = max((sum(heights) + _GAP_PX * len(heights) for heights in slots), default=0.0)
    # Large text must not leave bars without any height.
    room = max(room, floor / _MOST_TEXT)
    low, high = 0.0, room
    for _ in range(40):
        middle = (low + high) / 2
        highest = max(
            (
                sum(
                    max(len(bar.episode_ids) * middle, slot)
                    for bar, slot in zip(column, heights, strict=True)
                )
                + _GAP_PX * (len(column) - 1)
                for column, heights in zip(bars, slots, strict=True)
            ),
            default=0.0,
        )
        low, high = (middle, high) if highest <= room else (low, middle)
    return low


def _column(
    bars: Sequence[Bar],
    tones: Mapping[str, ChartTone],
    slots: Sequence[float],
    left: float,
    unit: float,
) -> dict[str, _Node]:
    nodes, y = {}, 0.0
    for bar, slot in zip(bars, slots, strict=True):
        height = max(len(bar.episode_ids) * unit, _LEAST_PX)
        taken = max(height, slot)
        nodes[bar.label] = _Node(
            bar, tones[bar.label], left, y + (taken - height) / 2, height, taken
        )
        y += taken + _GAP_PX
    return nodes


def _box(node: _Node, target: int) -> Box:
    return Box((node.left_px, node.top_px, NODE_PX, node.height_px), node.tone, target)


def _label(node: _Node, room: float, measure: Measure) -> Words:
    text = node_label(node.bar, node.tone)
    wide, high = measure(text, room)
    middle = node.top_px + node.height_px / 2
    rect = (node.left_px + NODE_PX + _LABEL_GAP_PX, middle - high / 2, min(wide, room), high)
    return Words(text, rect, is_over_shapes=True)


def _target(title: str, episode_ids: tuple[str, ...], total: int) -> ChartTarget:
    return ChartTarget(title, share_text(len(episode_ids), total), episode_ids)


def _in_order(
    flows: Sequence[Flow], sources: Mapping[str, _Node], targets: Mapping[str, _Node]
) -> list[Flow]:
    """From top to bottom, so that bands cross as little as they can."""
    return sorted(
        flows, key=lambda flow: (sources[flow.source].top_px, targets[flow.target].top_px)
    )


def _bands(
    flows: Sequence[Flow],
    sources: Mapping[str, _Node],
    targets: Mapping[str, _Node],
    unit: float,
    first_target: int,
) -> list[Band]:
    """A band per flow; those that leave a bar share its height even if episodes have several."""
    leaving: dict[str, int] = {}
    for flow in flows:
        leaving[flow.source] = leaving.get(flow.source, 0) + len(flow.episode_ids)
    used_out = {label: node.top_px for label, node in sources.items()}
    used_in = {label: node.top_px for label, node in targets.items()}
    bands = []
    for index, flow in enumerate(_in_order(flows, sources, targets)):
        source, target = sources[flow.source], targets[flow.target]
        count = len(flow.episode_ids)
        scale = min(1.0, len(source.bar.episode_ids) / leaving[flow.source])
        out, into = max(count * unit * scale, 0.5), max(count * unit, 0.5)
        bands.append(
            Band(
                source.left_px + NODE_PX,
                target.left_px,
                used_out[flow.source],
                used_in[flow.target],
                out,
                into,
                source.tone,
                first_target + index,
            )
        )
        used_out[flow.source] += out
        used_in[flow.target] += into
    return bands
