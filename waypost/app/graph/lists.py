"""The nodes and edges of the graph as lists, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QTabWidget, QVBoxLayout, QWidget

from waypost.app.graph.findings_list import FindingRow, FindingsList
from waypost.app.graph.storey_lists import EdgeList, NodeList, edge_rows, node_rows
from waypost.app.shell.workbench import Workbench
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.geometry.graph_checks import check_graph_steps, lowest_agent_m
from waypost.geometry.standing import put_down
from waypost.services.pieces import Pieces, Steps
from waypost.widgets.grouped_list import GroupedList
from waypost.widgets.shared_height import SharesHeight

_FINDING_TITLES = {
    FindingKind.ISOLATED_PART: "Not connected",
    FindingKind.DUPLICATE_NAME: "Same name twice",
    FindingKind.NO_FLOOR: "No floor under the node",
    FindingKind.ABOVE_FLOOR: "Node above the floor",
    FindingKind.ON_FURNITURE: "Node on furniture",
    FindingKind.NO_ROOM: "No room at the node",
    FindingKind.THROUGH_WALL: "Edge through a wall",
    FindingKind.THROUGH_OBSTACLE: "Edge through furniture or a window",
}
_LISTS_SHARE, _PANEL_SHARE, _PROBLEMS_SHARE = 3, 5, 2
"""Of the height of the panel. What is worked through row by row needs the most."""

_SHARES = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)


class GraphLists(QWidget):
    """The left panel of the Graph workspace; filled, and the graph checked, in pieces.

    Args:
        bench: What is open.
    """

    nodes_chosen = Signal(object)
    """``frozenset`` of the ids the user has selected."""

    edges_chosen = Signal(object)
    """``frozenset`` of the ids the user has selected."""

    item_activated = Signal(str)
    """Id of the node or edge to go to."""

    finding_activated = Signal(object)
    """The `Finding` to go to."""

    put_down_wanted = Signal(object)
    """``frozenset`` of the ids of nodes that are to stand on the floor below them."""

    findings_changed = Signal()
    """Something else is wrong with the graph than before, or nothing any more."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._findings: tuple[Finding, ...] = ()
        self._are_edges_due = False
        self._filling, self._checking = Pieces(self), Pieces(self)
        self._check_soon = QTimer(self)
        self._check_soon.setSingleShot(True)
        self._check_soon.setInterval(0)
        self._check_soon.timeout.connect(lambda: self._checking.start(self._check))
        self._nodes, self._edges = NodeList(), EdgeList()
        self._tabs = _Tabs()
        self._tabs.setAccessibleName("Nodes and edges of the graph")
        self._tabs.tabBar().setAccessibleName("Nodes, edges or questions")
        self._tabs.setDocumentMode(True)
        self._tabs.tabBar().setDrawBase(False)
        self._tabs.addTab(self._nodes, "Nodes")
        self._tabs.addTab(self._edges, "Edges")
        self._problems = FindingsList()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 10, 10, 10)
        self._column.setSpacing(10)
        self._column.addWidget(self._tabs, _LISTS_SHARE)
        self._column.addWidget(self._problems, _PROBLEMS_SHARE)
        self._tabs.setSizePolicy(_SHARES)
        self._tabs.currentChanged.connect(self._fill_edges_if_due)
        self._nodes.selection_changed.connect(self.nodes_chosen)
        self._edges.selection_changed.connect(self.edges_chosen)
        self._nodes.row_activated.connect(self.item_activated)
        self._edges.row_activated.connect(self.item_activated)
        self._problems.finding_activated.connect(self.finding_activated)
        self._problems.remedy_chosen.connect(self._put_down)

    def add_tab(self, part: QWidget, title: str) -> None:
        """Show one more list beside nodes and edges."""
        self._tabs.addTab(part, title)

    def add_panel(self, part: QWidget) -> None:
        """Show something that `SharesHeight` between the lists and what is wrong."""
        part.setSizePolicy(_SHARES)
        self._column.insertWidget(1, part, _PANEL_SHARE)

    def show_tab(self, part: QWidget) -> None:
        """Bring one of the lists to the front."""
        self._tabs.setCurrentWidget(part)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What looks wrong in the graph now."""
        return self._findings

    def show_graph(self) -> None:
        """Show the graph as it is now, and check it soon; a small one is shown at once."""
        self._filling.start(self._fill)
        self._check_soon.start()

    def drop(self) -> None:
        """Another project is open: what is left to do of the one before is of no use."""
        self._filling.cancel()
        self._checking.cancel()

    def set_selected(self, node_ids: Iterable[str], edge_ids: Iterable[str]) -> None:
        """Select rows from outside; emits nothing."""
        self._nodes.set_selected(node_ids)
        self._edges.set_selected(edge_ids)

    def node_beside(self, node_id: str, step: int) -> str:
        """Id of the node so many rows further in the list; empty beyond its ends."""
        return self._nodes.neighbour(node_id, step)

    def focus_search(self) -> None:
        """Put the cursor into the search field of the list that is shown."""
        shown = self._tabs.currentWidget()
        if isinstance(shown, GroupedList):
            shown.focus_search()

    @property
    def _is_at_edges(self) -> bool:
        return self._tabs.currentWidget() is self._edges

    def _fill_edges_if_due(self) -> None:
        if self._are_edges_due and self._is_at_edges:
            self._filling.start(self._fill)

    def _fill(self) -> Steps:
        graph, storeys = self._bench.project.graph, self._bench.storeys
        self._are_edges_due = True
        warnings = self._warnings("node_ids", graph.nodes)
        yield
        rows = node_rows(graph.nodes.values(), storeys, warnings)
        yield
        self._nodes.set_rows(rows)
        if self._is_at_edges:
            yield
            rows = edge_rows(graph, storeys, self._warnings("edge_ids", graph.edges))
            yield
            self._edges.set_rows(rows)
            self._are_edges_due = False

    def _warnings(self, ids: str, items: Mapping[str, Any]) -> dict[str, str]:
        """Id → what is wrong with it, of the items that exist."""
        found: dict[str, str] = {}
        for finding in self._findings:
            found |= dict.fromkeys(getattr(finding, ids), finding.message)
        return {key: message for key, message in found.items() if key in items}

    def _check(self) -> Steps:
        opened, project = self._bench.opened, self._bench.project
        rays, lowest_m = opened.rays if opened else None, lowest_agent_m(project.agents)
        storeys = self._bench.storeys
        findings = yield from check_graph_steps(project.graph, rays, lowest_m, storeys)
        if findings == self._findings:
            return
        self._findings = findings
        counts = Counter(finding.kind for finding in findings)
        self._problems.set_findings(
            tuple(
                FindingRow(_FINDING_TITLES[finding.kind], finding.message, finding)
                for kind in counts
                for finding in findings
                if finding.kind is kind
            )
        )
        count = len(self._nodes_to_put_down())
        what = "the node" if count == 1 else f"{count:,} nodes"
        self._problems.offer_remedy(f"Put {what} down on the floor" if count else "")
        # Without a problem the lists have the whole panel.
        self._column.setStretchFactor(self._problems, _PROBLEMS_SHARE if findings else 0)
        self._filling.start(self._fill)
        self.findings_changed.emit()

    def _nodes_to_put_down(self) -> frozenset[str]:
        opened = self._bench.opened
        if opened is None:
            return frozenset()
        kinds = {FindingKind.ABOVE_FLOOR, FindingKind.NO_FLOOR}
        found = {i for f in self._findings if f.kind in kinds for i in f.node_ids}
        return frozenset(put_down(self._bench.project.graph, found, opened.rays))

    def _put_down(self) -> None:
        self.put_down_wanted.emit(self._nodes_to_put_down())


class _Tabs(SharesHeight, QTabWidget):
    """Nodes, edges and questions."""
