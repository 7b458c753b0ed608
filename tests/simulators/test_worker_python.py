"""The worker's side must load in the older Pythons that engines bring, without our libraries."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import waypost

PACKAGE = Path(waypost.__file__).parent
SIMULATORS = PACKAGE / "simulators"
WORKER_FILES = sorted(
    {
        PACKAGE / "__init__.py",
        SIMULATORS / "__init__.py",
        *(
            SIMULATORS / f"{n}.py"
            for n in (
                "protocol",
                "footprint",
                "ground_rays",
                "mover",
                "obstacle_probe",
                "stair_guard",
            )
        ),
        *(SIMULATORS / "worker").glob("*.py"),
        *(SIMULATORS / "backends").glob("*.py"),
    }
)
ALLOWED = {"habitat_sim", "numpy", "ovphysx", "ovstage", "sapien", "waypost"}


@pytest.mark.parametrize("path", WORKER_FILES, ids=lambda path: path.name)
def test_the_worker_side_is_python_3_9_with_numpy_only(path):
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            top = name.split(".")[0]
            assert top in ALLOWED or top in sys.stdlib_module_names, name
            assert not name.startswith("waypost.") or name.startswith("waypost.simulators"), name
        if isinstance(node, ast.keyword):
            assert node.arg not in {"slots", "kw_only"}, "unknown before Python 3.10"
            assert not (node.arg == "strict" and path.name != "engine.py"), "zip, Python 3.10"


def test_the_bootstrap_adds_only_the_package_to_the_path():
    script = (
        "import sys, runpy; before = list(sys.path);"
        f"m = runpy.run_path({str(SIMULATORS / 'worker' / 'bootstrap.py')!r});"
        "m['register_package'](); import waypost.simulators.protocol as p;"
        "assert sys.path == before, sys.path;"
        "assert 'waypost.domain' not in sys.modules; print(p.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout.strip() == str(SIMULATORS / "protocol.py")
