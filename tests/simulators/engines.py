"""Starts a worker with the real engine or with the fake one, which is only in the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from waypost.simulators.client import SimulatorClient

FAKE_WORKER = Path(__file__).with_name("fake_worker.py")
PYTHON_WITH_FAKE = Path(__file__).with_name("python_with_fake_engine")

# For the worker's own Python, which need not be the first on the PATH.
os.environ["PYTHON_OF_FAKE_ENGINE"] = sys.executable


def start_engine(backend: str) -> SimulatorClient:
    """``physx`` in this Python, or ``fake`` in one that has it too."""
    python = str(PYTHON_WITH_FAKE) if backend == "fake" else None
    return SimulatorClient.start(backend, python)
