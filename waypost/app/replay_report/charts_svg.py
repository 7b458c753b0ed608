"""Charts of a failure analysis as inline SVG; every bar and band names its episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from waypost.domain.replay_charts import Bar, Flow, FlowChart

_WIDTH_PX: Final = 520
_LABEL_PX: Final = 150
_ROW_PX: Final = 24
_FLOW_HEIGHT_PX: Final = 360
_NODE_PX: Final = 14
_GAP_PX: Final = 7

_COLOURS: Final[Mapping[str, str]] = {
    "Success": "#15703c",
    "Perfect": "#15703c",
    "With a detour": "#4c9a6a",
    "Success with looping": "#8abf9f",
    "Incorrect navigation": "#b4531f",
    "Generation error": "#7c3aed",
    "Unknown": "#8a94a3",
}
_OTHER_COLOURS: Final = (
    "#b4531f",
    "#c9772f",
    "#d99a4e",
    "#a8483f",
    "#8f5a83",
    "#6f6aa8",
    "#5b7fa6",
)


def rate_chart(title: str, bars: Sequence[Bar]) -> str:
    """Success rate per bar with the number of episodes beside it."""
    rows = [bar for bar in bars if bar.episode_ids]
    span = _WIDTH_PX - _LABEL_PX - 130
    parts = []
    for index, bar in enumerate(rows):
        y = index * _ROW_PX
        rate = bar.rate
        told = "—" if rate is None else f"{100 * rate:.1f} %"
        parts.append(
            f'<g class="pick" tabindex="0" data-ids="{_ids(bar.episode_ids)}">'
            f"<title>{escape(bar.label)}: {len(bar.success_ids)} of {len(bar.episode_ids)}</title>"
            f'<rect class="catch" x="0" y="{y}" width="{_WIDTH_PX}" height="{_ROW_PX}"/>'
            f'<text x="{_LABEL_PX - 8}" y="{y + 16}" text-anchor="end">{escape(bar.label)}</text>'
            f'<rect class="rail" x="{_LABEL_PX}" y="{y + 5}" width="{span}" height="14" rx="3"/>'
            f'<rect class="bar" x="{_LABEL_PX}" y="{y + 5}" width="{span * (rate or 0):.1f}"'
            f' height="14" rx="3"/>'
            f'<text x="{_LABEL_PX + span + 8}" y="{y + 16}">{told}</text>'
            f'<text class="soft" x="{_WIDTH_PX}" y="{y + 16}" text-anchor="end">'
            f"n = {len(bar.episode_ids)}</text></g>"
        )
    return _figure(title, parts, len(rows) * _ROW_PX)


def count_chart(title: str, bars: Sequence[Bar], total: int) -> str:
    """How many episodes each bar has, on a scale of the largest."""
    span = _WIDTH_PX - _LABEL_PX - 130
    most = max((len(bar.episode_ids) for bar in bars), default=1)
    parts = []
    for index, bar in enumerate(bars):
        y, count = index * _ROW_PX, len(bar.episode_ids)
        parts.append(
            f'<g class="pick" tabindex="0" data-ids="{_ids(bar.episode_ids)}">'
            f"<title>{escape(bar.label)}: {count} of {total}</title>"
            f'<rect class="catch" x="0" y="{y}" width="{_WIDTH_PX}" height="{_ROW_PX}"/>'
            f'<text x="{_LABEL_PX - 8}" y="{y + 16}" text-anchor="end">{escape(bar.label)}</text>'
            f'<rect class="bar" x="{_LABEL_PX}" y="{y + 5}" width="{span * count / most:.1f}"'
            f' height="14" rx="3"/>'
            f'<text x="{_LABEL_PX + span + 8}" y="{y + 16}">{count}</text>'
            f'<text class="soft" x="{_WIDTH_PX}" y="{y + 16}" text-anchor="end">'
            f"{100 * count / max(total, 1):.1f} %</text></g>"
        )
    return _figure(title, parts, len(bars) * _ROW_PX)


def flow_svg(title: str, chart: FlowChart, total: int) -> str:
    """Bands from outcome to behaviour, and on to causes where people have set some."""
    has_causes = any(bar.label != "No cause set" for bar in chart.causes)
    columns = [chart.outcomes, chart.behaviours] + ([chart.causes] if has_causes else [])
    flows = [chart.outcome_to_behaviour] + ([chart.behaviour_to_cause] if has_causes else [])
    longest = max(len(column) for column in columns)
    height = max(_FLOW_HEIGHT_PX, longest * (_ROW_PX + _GAP_PX))
    unit = (height - (longest - 1) * _GAP_PX) / max(total, 1)
    lefts = [0.0, 300.0, 600.0][: len(columns)]
    parts: list[str] = []
    places = [_column(column, unit) for column in columns]
    for index, bands in enumerate(flows):
        parts += _bands(bands, places[index], places[index + 1], lefts[index : index + 2], unit)
    for left, column, tops in zip(lefts, columns, places, strict=True):
        parts += (_node(bar, left, tops[bar.label], unit) for bar in column)
    deepest = max(
        tops[bar.label] + max(len(bar.episode_ids) * unit, 14.0)
        for column, tops in zip(columns, places, strict=True)
        for bar in column
    )
    return _figure(title, parts, round(deepest) + 4, round(lefts[-1]) + 260)


def _column(bars: Sequence[Bar], unit: float) -> dict[str, float]:
    """Label → top edge; thin ones keep room for their text."""
    tops, y = {}, 0.0
    for bar in bars:
        tops[bar.label] = y
        y += max(len(bar.episode_ids) * unit, 14.0) + _GAP_PX
    return tops


def _bands(
    flows: Sequence[Flow],
    sources: dict[str, float],
    targets: dict[str, float],
    lefts: Sequence[float],
    unit: float,
) -> list[str]:
    used_out, used_in = dict(sources), dict(targets)
    parts = []
    x0, x1 = lefts[0] + _NODE_PX, lefts[1]
    middle = (x0 + x1) / 2
    order = sorted(flows, key=lambda flow: (sources[flow.source], targets[flow.target]))
    for flow in order:
        thick = len(flow.episode_ids) * unit
        a, b = used_out[flow.source], used_in[flow.target]
        used_out[flow.source] += thick
        used_in[flow.target] += thick
        parts.append(
            f'<g class="pick" tabindex="0" data-ids="{_ids(flow.episode_ids)}">'
            f"<title>{escape(flow.source)} → {escape(flow.target)}: {len(flow.episode_ids)}</title>"
            f'<path class="band" fill="{_colour(flow.target)}" d="M{x0} {a:.1f}C{middle} {a:.1f}'
            f" {middle} {b:.1f} {x1} {b:.1f}V{b + thick:.1f}C{middle} {b + thick:.1f} {middle}"
            f' {a + thick:.1f} {x0} {a + thick:.1f}Z"/></g>'
        )
    return parts


def _node(bar: Bar, left: float, top: float, unit: float) -> str:
    high = max(len(bar.episode_ids) * unit, 1.5)
    return (
        f'<g class="pick" tabindex="0" data-ids="{_ids(bar.episode_ids)}">'
        f"<title>{escape(bar.label)}: {len(bar.episode_ids)}</title>"
        f'<rect x="{left}" y="{top:.1f}" width="{_NODE_PX}" height="{high:.1f}"'
        f' fill="{_colour(bar.label)}"/>'
        f'<text class="halo" x="{left + _NODE_PX + 6}" y="{top + min(high / 2 + 5, 16):.1f}">'
        f"{escape(bar.label)} · {len(bar.episode_ids)}</text></g>"
    )


def _colour(label: str) -> str:
    return _COLOURS.get(label) or _OTHER_COLOURS[sum(map(ord, label)) % len(_OTHER_COLOURS)]


def _ids(episode_ids: Sequence[str]) -> str:
    return escape("\n".join(episode_ids))


def _figure(title: str, parts: Sequence[str], height: int, width: int = _WIDTH_PX) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg class="chart"'
        f' viewBox="0 0 {width} {height}" width="{width}" height="{height}">{"".join(parts)}'
        "</svg></figure>"
    )
