"""Services show nothing: without a display they are tested offscreen."""

from __future__ import annotations

import os

if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
