"""Check the fakes of habitat-sim's modules against its published source, name by name.

``python scripts/habitat_names.py REPOSITORY`` reads several releases in a git directory of
facebookresearch/habitat-sim, without building them, and writes ``habitat_names.json``;
``tests/simulators/test_habitat_names.py`` holds the fakes to it.

Classes in Python are compared by the parameters of their methods and their attributes, bound
classes of C++ by the names and parameters that their bindings declare.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
FAKES: Final = ROOT / "tests" / "simulators" / "fake_habitat" / "habitat_sim"
TABLE: Final = Path(__file__).with_suffix(".json")

RELEASES: Final = ("v0.2.2", "v0.2.5", "v0.3.0", "v0.3.3", "v0.3.4")

SOURCES: Final = {
    "__init__.py": "src_python/habitat_sim/__init__.py",
    "agent.py": "src_python/habitat_sim/agent/agent.py",
    "nav.py": "src/esp/bindings/ShortestPathBindings.cpp",
    "sensor.py": "src/esp/bindings/SensorBindings.cpp",
    "sim.py": "src/esp/bindings/SimBindings.cpp",
    "simulator.py": "src_python/habitat_sim/simulator.py",
}
"""Fake → the file that declares the same names."""

Members = dict[str, tuple[str, ...]]
"""``Class.member`` → its parameters; none for attributes."""

_BASES: Final = {"CameraSensorSpec": ("VisualSensorSpec", "SensorSpec")}
"""What a bound class inherits."""

_HANDED_OUT: Final = frozenset({"Agent"})
"""Classes that we do not make, so that nobody cares how they are made."""


def main(repository: Path) -> int:
    """Check the fakes against all releases and write the table.

    Returns:
        0 all names fit, 1 some do not.
    """
    table: dict[str, Any] = {}
    for release in RELEASES:
        rows = []
        for fake, source in SOURCES.items():
            real = real_members(source, _shown(repository, release, source))
            for name, parameters in fake_members(fake).items():
                found = real.get(name)
                rows.append(
                    {
                        "name": name,
                        "fake": list(parameters),
                        "module": fake,
                        "found": None if found is None else list(found),
                        "file": source,
                        "fits": found is not None and found[: len(parameters)] == parameters,
                    }
                )
        table[release] = rows
    lost = [(v, row) for v, rows in table.items() for row in rows if not row["fits"]]
    for release, row in lost:
        print(f"{release}: {row['name']}({', '.join(row['fake'])}): {row['found']}")
    print(f"{sum(map(len, table.values()))} names, {len(lost)} do not fit")
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 1 if lost else 0


def fake_members(fake: str) -> Members:
    """What one fake declares of what habitat-sim has.

    Args:
        fake: Its file, relative to the folder of fakes.
    """
    tree = ast.parse((FAKES / fake).read_text(encoding="utf-8"))
    members = dict(_python_members(tree))
    return {
        name: parameters
        for name, parameters in members.items()
        if not (name.endswith(".__init__") and name.split(".")[0] in _HANDED_OUT)
    }


def real_members(source: str, text: str) -> Members:
    """What a file of habitat-sim declares.

    Args:
        source: Its path.
        text: What is in it.
    """
    if source.endswith(".py"):
        return dict(_python_members(ast.parse(text)))
    return _bound_members(text)


def _shown(repository: Path, release: str, source: str) -> str:
    command = ["git", "-C", str(repository), "show", f"{release}:{source}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _python_members(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    is_package = not any(isinstance(node, ast.ClassDef) for node in tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and is_package:
            # What a package hands on.
            yield from ((alias.name, ()) for alias in node.names if alias.name != "annotations")
        elif isinstance(node, ast.ClassDef):
            yield node.name, ()
            yield from _class_members(node)


def _class_members(node: ast.ClassDef) -> Iterator[tuple[str, tuple[str, ...]]]:
    fields = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            fields.append(part.target.id)
        elif isinstance(part, ast.Assign):
            names = [target.id for target in part.targets if isinstance(target, ast.Name)]
            yield from ((f"{node.name}.{name}", ()) for name in names)
        elif isinstance(part, ast.FunctionDef):
            is_own = part.name.startswith("_") and part.name != "__init__"
            arguments = tuple(a.arg for a in part.args.args[1:])
            if part.name == "__init__":
                yield from _set_attributes(node.name, part)
            if not is_own and not _is_overload(part):
                yield f"{node.name}.{part.name}", arguments
    if fields:
        # Fields of an attrs class are parameters of its constructor, in their order.
        yield f"{node.name}.__init__", tuple(fields)
        yield from ((f"{node.name}.{name}", ()) for name in fields)


def _set_attributes(owner: str, init: ast.FunctionDef) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.walk(init):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        if is_own and not node.attr.startswith("_"):
            yield f"{owner}.{node.attr}", ()


def _is_overload(part: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in part.decorator_list)


def _bound_members(text: str) -> Members:
    members: Members = {}
    for head in re.finditer(r'py::(?:class_|enum_)<[^;]*?\(\s*m,\s*"(\w+)"', text):
        name = head.group(1)
        body = text[head.end() : text.find(";\n\n", head.end())]
        members[name] = ()
        if ".def(py::init" in body:
            members[f"{name}.__init__"] = ()
        for part in re.split(r"\.(?=def|value)", body)[1:]:
            declared = re.match(r'(?:def\w*|value)\(\s*"(\w+)"', part)
            if declared:
                parameters = tuple(re.findall(r'"(\w+)"_a', part))
                members.setdefault(f"{name}.{declared.group(1)}", parameters)
    for owner, bases in _BASES.items():
        for base in bases:
            for member, parameters in list(members.items()):
                if member.startswith(f"{base}."):
                    members.setdefault(f"{owner}.{member.partition('.')[2]}", parameters)
    return members


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
