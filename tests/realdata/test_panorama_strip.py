"""On a real scan, whoever is turned to stands in the middle of the panorama."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.panorama import Side
from waypost.domain.replay.replay import build_replay
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.viewers.strip.content import strip_row

pytestmark = pytest.mark.realdata


def test_every_neighbour_turned_to_is_within_two_degrees(shared_data: Path) -> None:
    folder = shared_data / "r2r" / "connectivity"
    scan = min(folder.glob("*_connectivity.json")).name.removesuffix("_connectivity.json")
    graph = load_graph(folder, scan)
    checked = 0
    for here, neighbours in enumerate(graph.neighbours):
        for there in neighbours:
            gap = graph.positions_m[there] - graph.positions_m[here]
            yaw = math.atan2(gap[1], gap[0])
            names = (graph.viewpoint_ids[here], graph.viewpoint_ids[there])
            run = EpisodeRun("1_0", route(names, yaws_rad=np.full(2, yaw)))
            episode = Episode("r2r", "", "1_0", scan, Instruction("Go."))
            replay = build_replay(episode, run, graph)
            band = strip_row(replay, 0, None, is_whole=True).tiles[0]
            chosen = [o for o in band.options if o.marker.is_chosen]
            assert [o.marker.viewpoint_id for o in chosen] == [names[1]]
            assert abs(chosen[0].x - 0.5) * 360 < 2.0
            front = strip_row(replay, 0, None).tiles[1]
            assert front.name == Side.FRONT
            (ahead,) = (o for o in front.options if o.marker.is_chosen)
            assert front.gaze_x is not None
            # In the nearest of the four views it stands exactly where the agent looks.
            assert ahead.x == pytest.approx(front.gaze_x, abs=1e-6)
            checked += 1
    assert checked > 50
