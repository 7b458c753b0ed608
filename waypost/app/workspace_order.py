"""The workspaces of the window, in the order in which they stand in its bar."""

from __future__ import annotations

from typing import Final

from waypost.app.graph_workspace import GRAPH_SCOPE
from waypost.app.record_workspace import RECORD_SCOPE
from waypost.app.replay_workspace import REPLAY_SCOPE
from waypost.app.traverse_workspace import TRAVERSE_SCOPE

SCOPES: Final = (GRAPH_SCOPE, TRAVERSE_SCOPE, RECORD_SCOPE, REPLAY_SCOPE)
"""Scopes of their actions; where one stands here is the number of its workspace."""
