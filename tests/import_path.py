"""What programs that tests start have on their path: the tests, and what stands beside them."""

from __future__ import annotations

import os
from pathlib import Path

_TESTS = Path(__file__).resolve().parent
IMPORT_PATH = os.pathsep.join([str(_TESTS), str(_TESTS.parent)])
"""For the environment variable ``PYTHONPATH``."""
