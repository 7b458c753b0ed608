"""Single parts of the window with much in them: charts, tables, lists, cards, timeline, plan."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QTableView, QWidget

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from waypost.app.graph.storey_lists import NodeList
from waypost.app.replay.cards.fold import Fold
from waypost.app.replay.cards.step_card import StepCard
from waypost.app.replay.table.episode_model import ColumnKind
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.window.startup import keep_turns_short, make_application
from waypost.demo.performance import wait_until
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun
from waypost.domain.replay.charts import EpisodeOutcome
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.run_rows import MetricColumn, RunRow, RunRows
from waypost.domain.replay.tags import Tag, TagKind
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.io.scenes.open_scene import read_scene
from waypost.services.jobs import JobRunner
from waypost.viewers.charts.chart_chips import ChartChips
from waypost.viewers.charts.outcome_charts import ChartKind, OutcomeCharts
from waypost.viewers.map.view import MapView
from waypost.viewers.scene.prepared_scene import prepare_scene
from waypost.widgets.grouped_list import ListRow
from waypost.widgets.timeline import Timeline, TimelineContent, TimelineMark, TimelineSpan

W = TypeVar("W", bound=QWidget)

EPISODES = 2349
MANY_EPISODES = 20_000
ROWS = 100_000
STEPS = 10_000
PROMPT_CHARACTERS = 60_000
_FRAME_MS = 16.0
_STALL_MS = 100.0
_REPEATS = 5


def run() -> list[dict[str, Any]]:
    """A row for what each part does most; values are medians unless the note says otherwise."""
    make_application()
    keep_turns_short()
    return [*_charts(), *_tables(), *_node_list(), *_cards(), _timeline(), *_plans()]


def _show_chart(charts: OutcomeCharts, kind: ChartKind) -> None:
    chips = charts.findChildren(ChartChips)[0].findChildren(QPushButton)
    chips[list(ChartKind).index(kind)].click()


def _charts() -> list[dict[str, Any]]:
    charts = _shown(OutcomeCharts(), 640, 420)
    run, other = _outcomes(EPISODES), _outcomes(EPISODES)[100:]
    charts.set_others({"other": other})
    slowest: list[tuple[float, str]] = []
    for kind in ChartKind:
        _show_chart(charts, kind)

        def change() -> None:
            charts.set_outcomes(run, "run")
            QApplication.processEvents()
            charts.view.grab()

        slowest.append((statistics.median(_times_ms([change] * _REPEATS)), kind.name.lower()))
    charts.close()
    value, name = max(slowest)
    rows = [_row(f"charts of {EPISODES:,} episodes changed", value, _STALL_MS, f"slowest: {name}")]
    jobs = JobRunner()
    charts = _shown(OutcomeCharts(jobs), 640, 420)
    many = _outcomes(MANY_EPISODES)
    _show_chart(charts, ChartKind.SCENES)
    times_ms = _times_ms([partial(charts.set_outcomes, many, "run"), QApplication.processEvents])
    rows.append(_row(f"charts of {MANY_EPISODES:,} episodes asked for", sum(times_ms), _STALL_MS))
    jobs.shutdown(10)
    charts.close()
    return rows


def _tables() -> list[dict[str, Any]]:
    table = _shown(EpisodeTable(), 1200, 400)
    table.set_rows(_rows())
    search = cast("QLineEdit", table.findChild(QLineEdit))
    view = cast("QTableView", table.findChild(QTableView))
    search.setText("k")
    texts = ("ki", "kitchen", "kitchen r", "77", "")
    searches_ms = _times_ms(partial(search.setText, text) for text in texts)
    places = [(column.kind, column.metric) for column in table.model.columns]
    wanted = ((ColumnKind.ID, ""), (ColumnKind.METRIC, "SPL"), (ColumnKind.TAGS, ""))
    sorts_ms = _times_ms(
        partial(view.sortByColumn, places.index(one), Qt.SortOrder.DescendingOrder)
        for one in wanted
    )
    table.close()
    return [
        _row(f"table of {ROWS:,} rows searched", max(searches_ms), 2 * _STALL_MS, "slowest of 5"),
        _row(f"table of {ROWS:,} rows sorted", max(sorts_ms), 2 * _STALL_MS, "slowest of 3"),
    ]


def _node_list() -> list[dict[str, Any]]:
    nodes = _shown(NodeList(), 320, 600)
    rows = tuple(
        ListRow(f"n{i}", f"Place {i}", f"n{i}", f"Storey {i // 1000}") for i in range(3000)
    )
    acts = (
        partial(nodes.set_rows, rows),
        partial(nodes.set_selected, {f"n{i}" for i in range(0, 3000, 2)}),
        partial(nodes.set_query, "place 29"),
    )
    total_ms = sum(_times_ms(acts))
    nodes.close()
    return [_row("list of 3,000 nodes filled, selected, searched", total_ms, 5 * _STALL_MS)]


def _cards() -> list[dict[str, Any]]:
    card = _shown(StepCard(), 420, 700)
    replay = _talkative()

    def show(shown: Replay, step: int) -> None:
        card.show_step(shown, step)
        QApplication.processEvents()

    for step in range(len(replay)):
        show(replay, step)
    steps = [partial(show, replay, step) for step in (*range(len(replay)), 0)]
    name = f"step card, prompt of {PROMPT_CHARACTERS:,} characters"
    rows = [_row(f"{name}, folded", statistics.median(_times_ms(steps)), _FRAME_MS)]
    for fold in card.findChildren(Fold):
        if not fold.is_open:
            fold.header.click()
    _times_ms(steps)
    rows.append(_row(f"{name}, open", statistics.median(_times_ms(steps)), _FRAME_MS))
    long = _walk(["a", "b"] * (STEPS // 2), ())
    far = [partial(show, long, step) for step in (0, STEPS // 2, STEPS - 1)]
    rows.append(
        _row(f"step card, run of {STEPS:,} places", max(_times_ms(far)), None, "slowest of 3")
    )
    card.close()
    return rows


def _timeline() -> dict[str, Any]:
    timeline = _shown(Timeline(), 1000, 80)
    timeline.set_content(
        TimelineContent(
            STEPS,
            spans=tuple(TimelineSpan(i * 100, i * 100 + 40, "off_reference") for i in range(100)),
            marks=tuple(TimelineMark(i * 7, "collision") for i in range(1400)),
        )
    )
    timeline.strip.repaint()

    def move(index: int) -> None:
        timeline.set_position(index)
        timeline.strip.repaint()

    times_ms = _times_ms(partial(move, number * 977 % STEPS) for number in range(100))
    timeline.close()
    return _row(f"timeline of {STEPS:,} steps moved", statistics.median(times_ms), _FRAME_MS)


def _plans() -> list[dict[str, Any]]:
    """Scrubbing, and painting the whole plan anew: the ground of a house under a long way."""
    scene = read_scene(SMALL_HOUSE) if SMALL_HOUSE.exists() else bumpy_room(100_000)
    view = _shown(MapView(), 640, 480)
    angle, reach = np.linspace(0, 60, STEPS), np.linspace(1, 8, STEPS)
    points = np.stack((reach * np.cos(angle), reach * np.sin(angle), 0 * angle), axis=1)
    end = (float(points[-1, 0]), float(points[-1, 1]), 0.0)
    episode = Episode(
        "vlnverse-fine",
        "",
        "long",
        "s",
        Instruction("Go."),
        reference=route(positions_m=points[::400]),
        goals=(Goal(position_m=end),),
    )
    replay = build_replay(episode, EpisodeRun("long", route(positions_m=points)))
    view.set_replay(replay, exhaust(prepare_scene(scene)))

    def zoom(factor: float) -> None:
        view.zoom_by(factor)
        view.repaint()

    def move(step: int) -> None:
        view.set_step(step)
        view.repaint()

    move(STEPS - 1)
    steps = (*range(0, STEPS, 331), *range(STEPS - 10, 0, -487))
    times_ms = _times_ms(partial(move, step) for step in steps)
    move(STEPS - 1)
    zoomed_ms = _times_ms(partial(zoom, factor) for factor in (1.3, 0.8, 1.3, 0.7, 1.2))
    view.close()
    return [
        _row(f"plan of {STEPS:,} steps scrubbed", statistics.median(times_ms), _FRAME_MS),
        _row(f"plan of {STEPS:,} steps over {scene.name}, zoomed", max(zoomed_ms), _STALL_MS),
    ]


def _outcomes(count: int) -> tuple[EpisodeOutcome, ...]:
    kinds = list(TagKind)
    return tuple(
        EpisodeOutcome(
            str(i),
            f"scene{i % 60:03}",
            i % 3 == 0,
            5.0 + i % 20,
            i % 9,
            (Tag(kinds[i % 13], 0, ""), Tag(kinds[i * 7 % 13], 0, "")),
        )
        for i in range(count)
    )


def _rows() -> RunRows:
    words = ("walk past the kitchen", "and stop near", "the red sofa", "by the stairs")
    columns = tuple(MetricColumn(key, key, "fraction", "R2R") for key in ("NE", "SR", "SPL"))
    rows = []
    for n in range(ROWS):
        values = (n % 97 / 7, float(n % 2), None if n % 11 == 0 else n % 101 / 100)
        reasons = tuple("no way" if value is None else "" for value in values)
        tags = (Tag(TagKind.LATE_STOP, 1, "passed the goal"),) if n % 5 == 0 else ()
        rows.append(
            RunRow(
                f"{n * 7919 % 100_003}_{n % 3}",
                1,
                f"scan{n % 90}",
                "val",
                " ".join(words[n % 4 :] + words[: n % 4]),
                n % 2 == 0,
                values,
                reasons,
                tags,
                3,
                "stop",
                4.0,
                0,
            )
        )
    return RunRows("many", "many.json", "r2r", "Room-to-Room", columns, tuple(rows))


def _talkative() -> Replay:
    names = [f"v{number}" for number in range(13)]
    prompt = "History: I walked past a table and a lamp. " * (PROMPT_CHARACTERS // 43)
    thought = "The sofa is ahead of me, and the instruction says to pass it. " * 6
    decisions = tuple(
        Decision(
            move + 1,
            move + 2,
            at_viewpoint_id=names[move],
            action=names[move + 1],
            raw_text=f"Thought: {move} {thought}\nAction: {names[move + 1]}",
            prompt=prompt,
            observation=f"{move}: a hall with a door on the left. " * 20,
            thought=thought,
            plan="1. leave the room\n2. pass the sofa",
        )
        for move in range(12)
    )
    return _walk(names, decisions)


def _walk(walked: list[str], decisions: tuple[Decision, ...]) -> Replay:
    names = tuple(dict.fromkeys(walked))
    points = np.array([[2.0 * number, float(number % 2), 1.5] for number in range(len(names))])
    joined = np.eye(len(names), k=1, dtype=bool)
    graph = build_viewpoint_graph("s", names, points, joined | joined.T)
    episode = Episode("r2r", "", "1_0", "s", Instruction("Go."), route(names), (Goal(names[-1]),))
    return build_replay(episode, EpisodeRun("1_0", route(walked), decisions=decisions), graph)


def _shown(widget: W, width_px: int, height_px: int) -> W:
    widget.resize(width_px, height_px)
    widget.show()
    # What no one sees is not painted, and costs nothing.
    wait_until(widget.windowHandle().isExposed, 60, "the window")
    QApplication.processEvents()
    return widget


def _times_ms(acts: Iterable[Callable[[], object]]) -> list[float]:
    found = []
    for act in acts:
        started = time.perf_counter()
        act()
        found.append((time.perf_counter() - started) * 1000)
    return found


def _row(name: str, value: float, limit_ms: float | None, note: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "value": value, "unit": "ms", "note": note}
    if limit_ms is not None:
        row["limit"] = f"< {limit_ms:.0f} ms"
        row["ratio_to"] = f"{value / limit_ms:.2f} of the limit"
    return row


if __name__ == "__main__":
    for line in run():
        print(line)
