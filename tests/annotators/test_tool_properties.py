"""Whatever the hand does, tools never raise and the graph stays whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotators.small_house import PX_PER_M, house_scene, make_player
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.annotators.graph.tool import ToolName, delete_selection, start_tool
from waypost.domain.scene.graph import NavigationGraph
from waypost.geometry.ray_index import RayIndex
from waypost.viewers.scene.pointer import PointerEvent, PointerPhase

RAYS = RayIndex.build(house_scene())
PLACES = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (-4.5, 4.0, 0.0), (3.0, 3.0, 2.72))

coordinate = st.sampled_from([-4.5, -4.25, -2.0, 0.0, 0.05, 1.0, 2.1, 3.0, 4.0, 9.0])
events = st.builds(
    lambda phase, x, y, button, shift, control: PointerEvent(
        phase,
        x * PX_PER_M + 500,
        500 - y * PX_PER_M,
        (x, y, 20.0),
        (0.0, 0.0, -1.0),
        button,
        shift,
        control,
    ),
    st.sampled_from(PointerPhase),
    coordinate,
    coordinate,
    st.sampled_from([0, 1, 1, 1, 2, 3]),
    st.booleans(),
    st.booleans(),
)
actions = st.one_of(
    events,
    events,
    events,
    st.sampled_from(["escape", "delete", "undo", "cut", *ToolName]),
)


def assert_whole(graph):
    pairs = [frozenset((e.from_id, e.to_id)) for e in graph.edges.values()]
    assert all(len(pair) == 2 and pair <= graph.nodes.keys() for pair in pairs)
    assert len(set(pairs)) == len(pairs)
    assert all(key == node.node_id for key, node in graph.nodes.items())
    assert all(key == edge.edge_id for key, edge in graph.edges.items())


def carry_out(player, action, history):
    if isinstance(action, PointerEvent):
        result = player.send(action)
        assert result.edit is None or result.selection is None
        return
    if isinstance(action, ToolName):
        player.tool = start_tool(action)
    elif action == "escape":
        player.tool = player.tool.cancel().tool
        assert not player.tool.is_busy
    elif action == "cut":
        cut = 4.2 if player.context.cut_z_m == 1.5 else 1.5
        player.context = replace(player.context, cut_z_m=cut)
    elif action == "undo":
        player.context = replace(player.context, graph=history[-1])
    else:
        edit = delete_selection(player.context)
        if edit is not None:
            player.context = replace(
                player.context,
                graph=edit.graph,
                selection_nodes=edit.selection_nodes,
                selection_edges=edit.selection_edges,
            )


@settings(max_examples=150, deadline=None)
@given(st.lists(actions, max_size=25), st.sampled_from(ToolName))
def test_any_sequence_of_events_leaves_a_whole_graph(sequence, name):
    player = make_player(RAYS, start_tool(name), *PLACES)
    history = [player.context.graph]
    for action in sequence:
        before = player.context.graph
        carry_out(player, action, history)
        if player.context.graph is not before and action != "undo":
            history.append(before)
        assert_whole(player.context.graph)
    for edit in player.edits:
        assert edit.text
        assert edit.selection_nodes <= edit.graph.nodes.keys() | player.context.selection_nodes


@pytest.mark.parametrize("name", list(ToolName))
def test_tools_live_without_a_scene_and_without_a_graph(name):
    player = make_player(RAYS, start_tool(name))
    player.context = replace(player.context, rays=None, graph=NavigationGraph(), storeys=())
    for phase in PointerPhase:
        event = PointerEvent(phase, 500, 500, (0, 0, 20.0), (0.0, 0.0, -1.0), 1)
        assert player.send(event).edit is None
