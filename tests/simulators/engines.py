"""Starts a worker with the real engine or with the fake one, which is only in the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from waypost.simulators.client import SimulatorClient

FAKE_WORKER = Path(__file__).with_name("fake_worker.py")
PYTHON_WITH_FAKE = Path(__file__).with_name("python_with_fake_engine")
PYTHON_WITH_FAKE_ISAAC = Path(__file__).with_name("python_with_fake_isaac")

# For the worker's own Python, which need not be the first on the PATH.
os.environ["PYTHON_OF_FAKE_ENGINE"] = sys.executable


PYTHON_WITH_FAKE_HABITAT = Path(__file__).with_name("python_with_fake_habitat")
_PYTHONS = {
    "fake": PYTHON_WITH_FAKE,
    "isaac": PYTHON_WITH_FAKE_ISAAC,
    "habitat": PYTHON_WITH_FAKE_HABITAT,
}


def start_engine(backend: str) -> SimulatorClient:
    """``physx`` in this Python, ``fake`` in one that has it, ``isaac`` and ``habitat`` on fakes."""
    python = _PYTHONS.get(backend)
    return SimulatorClient.start(backend, str(python) if python else None)
