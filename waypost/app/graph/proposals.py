"""Proposed nodes and edges in the Graph workspace: looked for, listed, accepted or rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from waypost.annotators.graph.context import active_range
from waypost.annotators.graph.proposal_drawing import proposal_drawing
from waypost.app.shell.project_edits import edit_project, refuse
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.graph_proposal import (
    GraphProposal,
    PlaceKind,
    is_rejected,
    is_there,
    pending,
    with_proposed,
    with_rejected,
    without_rejected,
)
from waypost.services.open_scene import OpenedScene
from waypost.viewers.scene.drawing import NOTHING
from waypost.widgets.grouped_list import GroupedList, ListRow
from waypost.widgets.parts import button, heading
from waypost.widgets.shared_height import SharesHeight

_LAYER = "proposal"
_TITLES = {
    PlaceKind.ROOM: "Rooms",
    PlaceKind.DOORWAY: "Doorways",
    PlaceKind.JUNCTION: "Junctions",
}
_REJECTED = "Rejected"


class GraphProposals(QObject):
    """Keeps a list and a drawing of what is proposed in step with the graph.

    Args:
        around: What the workspace finds in its window.
        parent: Qt owner.
    """

    shown = Signal()
    """Other things are proposed than before, or nothing any more."""

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._bench = around, around.bench
        self._proposal = GraphProposal()
        self._pending: tuple[str, ...] = ()
        self._is_active, self._is_looking = False, False
        self.list = GroupedList("proposal", "proposals")
        self.panel = _Panel(self.list, self)
        self.list.selection_changed.connect(lambda _: self._show_at_hand())
        self.list.row_activated.connect(self._go_to)
        self._bench.project_changed.connect(self._on_changed)
        self._bench.scene_replaced.connect(self._on_scene)
        around.stage.slider.cut_changed.connect(self._draw)
        self._refresh()

    @property
    def pending(self) -> tuple[str, ...]:
        """Keys of what is neither accepted nor rejected."""
        return self._pending

    def set_active(self, *, is_active: bool) -> None:
        """The workspace takes over the stage, or lets go of it."""
        self._is_active = is_active
        self._draw()

    def look(self) -> None:
        """Look for rooms, doorways and junctions, behind the window."""
        opened = self._bench.opened
        if opened is None or self._bench.document is None:
            self._bench.refused.emit("Open a scene first: rooms are looked for in its triangles.")
            return
        if self._is_looking:
            return
        self._is_looking = True
        job = self._around.jobs.start("Looking for rooms and doorways", _looking(opened))
        job.succeeded.connect(lambda found: self._take(opened, found))
        job.failed.connect(lambda error: refuse(self._bench, error))
        job.state_changed.connect(self._on_state)

    def accept(self) -> None:
        """Put what is at hand into the graph; an edge brings its ends along."""
        keys = self._at_hand()
        self._decide("Accept", keys, lambda graph: with_proposed(graph, self._proposal, keys))

    def accept_all(self) -> None:
        """Put everything that is left into the graph."""
        keys = self.pending
        self._decide("Accept", keys, lambda graph: with_proposed(graph, self._proposal, keys))

    def reject(self) -> None:
        """Reject what is at hand, or offer it again if it is rejected."""
        keys = self._at_hand()
        are_rejected = [is_rejected(self._graph, self._proposal, key) for key in keys]
        if keys and all(are_rejected):
            self._decide(
                "Offer again", keys, lambda graph: without_rejected(graph, self._proposal, keys)
            )
        else:
            self._decide("Reject", keys, lambda graph: with_rejected(graph, self._proposal, keys))

    @property
    def _graph(self) -> NavigationGraph:
        return self._bench.project.graph

    def _at_hand(self) -> tuple[str, ...]:
        """What is selected in the list, or else the first that is left."""
        chosen = tuple(key for key in self._proposal.keys if key in self.list.selected)
        return chosen or self.pending[:1]

    def _decide(
        self,
        verb: str,
        keys: tuple[str, ...],
        change: Callable[[NavigationGraph], NavigationGraph],
    ) -> None:
        if not keys:
            return
        order = self.pending
        after = order.index(keys[-1]) + 1 if keys[-1] in order else 0
        text = f"{verb} {self._title(keys)}"
        edit_project(self._bench, text, lambda now: set_graph(now, change(now.graph)))
        left = self.pending
        following = [key for key in order[after:] if key in left] or list(left)
        self.list.set_selected(following[:1])
        self._show_at_hand()

    def _title(self, keys: tuple[str, ...]) -> str:
        return self._name(keys[0]) if len(keys) == 1 else counted(len(keys), "proposal")

    def _name(self, key: str) -> str:
        found = (self._proposal.node(part) for part in key.split("|"))
        return " – ".join(node.name for node in found if node is not None)

    def _take(self, opened: OpenedScene, found: GraphProposal) -> None:
        if opened is not self._bench.opened:
            return
        self._proposal = found
        self._refresh()
        left = self.pending
        self.list.set_selected(left[:1])
        self._draw()
        nodes = sum(self._proposal.node(key) is not None for key in left)
        told = f"{counted(nodes, 'node')} and {counted(len(left) - nodes, 'edge')} are proposed."
        if not left:
            told = "Nothing is proposed that the graph does not have."
        self._around.say(told)

    def _on_state(self, state: Any) -> None:
        if state.is_final:
            self._is_looking = False

    def _on_scene(self) -> None:
        self._proposal = GraphProposal()
        self._refresh()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph is not new.graph and self._proposal.nodes:
            self._refresh()

    def _refresh(self) -> None:
        self._pending = pending(self._graph, self._proposal)
        self.list.set_rows(self._rows())
        self.panel.setVisible(bool(self._proposal.nodes))
        self._draw()
        self.shown.emit()

    def _rows(self) -> Iterable[ListRow]:
        graph, proposal = self._graph, self._proposal
        shown = [key for key in proposal.keys if not is_there(graph, proposal, key)]
        rows = []
        for key in shown:
            node = proposal.node(key)
            group = "Edges" if node is None else _TITLES[node.kind]
            if is_rejected(graph, proposal, key):
                group = _REJECTED
            rows.append(ListRow(key, self._name(key), group=group))
        return sorted(rows, key=lambda row: row.group == _REJECTED)

    def _go_to(self, key: str) -> None:
        node = self._proposal.node(key.split("|", maxsplit=1)[0])
        if node is not None:
            self._around.stage.go_to(node.position_m)

    def _show_at_hand(self) -> None:
        """Draw what is at hand; nobody accepts what is out of sight."""
        stage = self._around.stage
        low_m, high_m = active_range(self._bench.storeys, stage.view.cut_z)
        for key in self._at_hand()[:1]:
            node = self._proposal.node(key.split("|", maxsplit=1)[0])
            if node is None:
                continue
            x_px, y_px = stage.view.project([node.position_m])[0]
            is_inside = 0 <= x_px < stage.view.width() and 0 <= y_px < stage.view.height()
            if not (is_inside and low_m <= node.position_m[2] <= high_m):
                stage.go_to(node.position_m)
        self._draw()

    def _draw(self, *_: object) -> None:
        view = self._around.stage.view
        if not self._is_active or not self._proposal.nodes:
            view.set_drawing(_LAYER, NOTHING)
            return
        heights = active_range(self._bench.storeys, view.cut_z)
        left = frozenset(self.pending)
        view.set_drawing(_LAYER, proposal_drawing(self._proposal, left, self._at_hand(), heights))


class _Panel(SharesHeight, QWidget):
    """The list of proposals with what can be done with them."""

    def __init__(self, rows: GroupedList, proposals: GraphProposals) -> None:
        super().__init__()
        accept = button("", "Accept the proposal")
        reject = button("", "Reject the proposal, or offer it again")
        every = button("", "Accept every proposal that is left")
        accept.clicked.connect(proposals.accept)
        reject.clicked.connect(proposals.reject)
        every.clicked.connect(proposals.accept_all)
        self._buttons = {
            "accept": (accept, "Accept"),
            "reject": (reject, "Reject"),
            "accept_all": (every, "Accept all"),
        }
        grid = QGridLayout()
        grid.setSpacing(5)
        grid.addWidget(accept, 0, 0)
        grid.addWidget(reject, 0, 1)
        grid.addWidget(every, 1, 0, 1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addWidget(heading("PROPOSED"))
        layout.addWidget(rows, 1)
        layout.addLayout(grid)

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write the keys in force on the buttons."""
        for name, (control, words) in self._buttons.items():
            control.setText(f"{words}  {keys[f'graph.{name}']}".rstrip())


def _looking(opened: OpenedScene) -> Work[GraphProposal]:
    from waypost.geometry.graph_proposals import propose_graph  # noqa: PLC0415 - when wanted

    yield Progress(0.0, 0.0, "Looking for rooms and doorways")
    return (yield from propose_graph(opened.scene, opened.rays))
