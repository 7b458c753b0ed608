"""Imports OpenCV when it is used first, and never lets it redirect Qt to plugins of its own."""

from __future__ import annotations

import os
from typing import Any

_QUIET_FFMPEG = ("OPENCV_FFMPEG_LOGLEVEL", "-8")
"""OpenCV hands it to FFmpeg, which would print a line for each fault of a film."""

_SET_BY_OPENCV = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")


def _import_opencv() -> Any:
    os.environ.setdefault(*_QUIET_FFMPEG)
    before = {name: os.environ.get(name) for name in _SET_BY_OPENCV}
    import cv2  # noqa: PLC0415 - what it does to the environment is undone here

    for name, value in before.items():
        if value is not None and "cv2" not in value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
    # Failures are reported by our own sentence; OpenCV would print several beside it.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2


class _OpenCv:
    """Stands for the module, which takes a while to import and which few commands use."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(_import_opencv(), name)
        setattr(self, name, found)
        return found


cv2: Any = _OpenCv()
