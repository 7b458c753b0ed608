"""How long tests wait for what must happen: a slow, loaded machine needs longer, and no other.

A wait ends as soon as its condition holds; only a test that fails waits to the end.
"""

from __future__ import annotations

PATIENCE_S = 60
PATIENCE_MS = PATIENCE_S * 1000
