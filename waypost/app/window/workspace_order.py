"""The workspaces of the window, in the order in which they stand in its bar."""

from __future__ import annotations

from typing import Final

from waypost.app.graph.workspace import GRAPH_SCOPE
from waypost.app.record.workspace import RECORD_SCOPE
from waypost.app.replay.workspace import REPLAY_SCOPE
from waypost.app.traverse.workspace import TRAVERSE_SCOPE

SCOPES: Final = (GRAPH_SCOPE, TRAVERSE_SCOPE, RECORD_SCOPE, REPLAY_SCOPE)
"""Scopes of their actions; where one stands here is the number of its workspace."""
