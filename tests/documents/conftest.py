"""Documents need no window: without a display Qt runs off screen."""

from __future__ import annotations

import os
import sys

if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
