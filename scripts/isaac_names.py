"""Check the fakes of Isaac Sim's modules against NVIDIA's published wheels, name by name.

``python scripts/isaac_names.py FOLDER`` reads the wheels of one or more versions in a folder,
without installing them, and writes ``isaac_names.json``; ``tests/simulators/test_isaac_names.py``
holds the fakes to it. Get the wheels with::

    pip download --no-deps --only-binary :all: --python-version 3.12 \
        --platform manylinux_2_35_x86_64 -d FOLDER isaacsim-kernel==6.2.0.0 isaacsim-core==6.2.0.0 \
        isaacsim-extscache-physics==6.2.0.0 isaacsim-sensor==6.2.0.0

Names that these wheels declare are compared by their parameters. Some are in extensions that are
not on the package index; of those the calls in the wheels' own code must fit the fakes.
"""

from __future__ import annotations

import ast
import fnmatch
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
FAKES: Final = ROOT / "tests" / "simulators" / "fake_isaac"
TABLE: Final = Path(__file__).with_suffix(".json")

DECLARED: Final = {
    "isaacsim/__init__.py": ("*/isaacsim/simulation_app/simulation_app.py",),
    "isaacsim/core/simulation_manager/__init__.py": ("*/impl/simulation_manager.py",),
    "exts/carb/__init__.py": ("*/carb/_carb.pyi",),
    "exts/omni/kit/app/__init__.py": (
        "*/kernel/py/omni/kit/app/_app.pyi",
        "*/kernel/py/omni/kit/app/_impl/app_iface.py",
        "*/kernel/py/omni/ext/_extensions.pyi",
    ),
    "exts/omni/physx/__init__.py": ("*/physx/bindings/_physx.pyi", "*/physx/scripts/ifaces.py"),
    "exts/omni/physics/tensors/__init__.py": ("*/omni/physics/tensors/api.py",),
}
"""Fake → files of the wheels that declare the same names."""

CALLED: Final = {
    "exts/omni/usd/__init__.py": "omni.usd",
    "exts/schemas/PhysicsSchemaTools.py": "PhysicsSchemaTools",
    "exts/omni/replicator/core/__init__.py": "omni.replicator.core",
}
"""Fake → word that files of the wheels have where they call it."""

_CONSTRUCTED: Final = frozenset({"SimulationApp", "Float3"})
"""Classes that we make; others are handed out, and how they are made is nobody's business."""


@dataclass(frozen=True)
class Function:
    """A function or property as its source declares it."""

    name: str
    """``Class.function`` or ``function``."""

    parameters: tuple[str, ...]
    """In order, without self."""

    fewest: int
    """How many of them have no default."""


@dataclass
class Calls:
    """Calls of one name in the code of the wheels."""

    fitting: int = 0
    other: int = 0
    example: str = ""
    files: set[str] = field(default_factory=set)


def main(folder: Path) -> int:
    """Check the fakes against all wheels of a folder and write the table.

    Returns:
        0 all names fit, 1 some do not, or there are no wheels.
    """
    versions = sorted({wheel.name.split("-")[1] for wheel in folder.glob("isaacsim_*.whl")})
    table: dict[str, Any] = {}
    for version in versions:
        sources = dict(_sources(folder, version))
        rows = [*_declared_rows(sources), *_called_rows(sources)]
        table[version] = {
            "wheels": sorted(p.name for p in folder.glob(f"isaacsim_*-{version}-*.whl")),
            "names": rows,
        }
    lost = [(v, row) for v, part in table.items() for row in part["names"] if not row["fits"]]
    for version, row in lost:
        print(f"{version}: {row['name']}({', '.join(row['fake'])}): {row['found']}")
    print(f"{sum(len(p['names']) for p in table.values())} names, {len(lost)} do not fit")
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 1 if lost or not versions else 0


def fake_functions(fake: str) -> list[Function]:
    """What one fake declares of what Isaac Sim has.

    Args:
        fake: Its file, relative to the folder of fakes.
    """
    tree = ast.parse((FAKES / fake).read_text(encoding="utf-8"))
    return [f for f in _functions(tree) if _is_public(f.name)]


def _is_public(name: str) -> bool:
    owner, _, own_name = name.rpartition(".")
    if own_name == "__init__":
        return owner in _CONSTRUCTED
    return not own_name.startswith("_")


def _sources(folder: Path, version: str) -> Iterator[tuple[str, str]]:
    for wheel in sorted(folder.glob(f"isaacsim_*-{version}-*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith((".py", ".pyi")):
                    yield name, archive.read(name).decode(errors="replace")


def _functions(tree: ast.Module) -> Iterator[Function]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield _function(node, "", skip=0)
        elif isinstance(node, ast.ClassDef):
            # A fake class that the real module makes under another name begins with a line.
            owner = node.name.removeprefix("_")
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    is_static = any(
                        isinstance(d, ast.Name) and d.id == "staticmethod"
                        for d in part.decorator_list
                    )
                    yield _function(part, f"{owner}.", skip=0 if is_static else 1)
                    if part.name == "__init__":
                        yield from _attributes(part, owner)


def _function(node: ast.FunctionDef, owner: str, skip: int) -> Function:
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][skip:]
    fewest = len(names) - len(arguments.defaults)
    names += [a.arg for a in arguments.kwonlyargs]
    return Function(owner + node.name, tuple(names), fewest)


def _attributes(init: ast.FunctionDef, owner: str) -> Iterator[Function]:
    """Public attributes that a fake sets stand for properties of the real class."""
    for node in ast.walk(init):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            yield Function(f"{owner}.{node.attr}", (), 0)


def _declared_rows(sources: dict[str, str]) -> Iterator[dict[str, Any]]:
    for fake, patterns in DECLARED.items():
        files = [n for n in sources if any(fnmatch.fnmatch(n, p) for p in patterns)]
        real: dict[str, list[tuple[Function, str]]] = {}
        for file in files:
            for found in _real_functions(sources[file]):
                real.setdefault(found.name, []).append((found, file))
        for function in fake_functions(fake):
            fits, said, file = _comparison(function, real.get(function.name, []))
            yield _row(fake, function, said, file, fits=fits)


def _real_functions(text: str) -> Iterator[Function]:
    tree = ast.parse(text)
    yield from _functions(tree)
    for node in tree.body:
        # ``get_x = Interface(...)`` at the level of a module, and attributes of classes.
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield Function(target.id, (), 0)


def _comparison(function: Function, real: list[tuple[Function, str]]) -> tuple[bool, str, str]:
    said, file = "not declared", ""
    for found, where in real:
        said, file = f"({', '.join(found.parameters)})", where
        own = function.parameters
        # Bindings of pybind11 call parameters arg0, arg1; only their number can be compared.
        is_nameless = all(re.fullmatch(r"arg\d+", name) for name in found.parameters)
        same = (
            len(own) <= len(found.parameters)
            if is_nameless
            else own == found.parameters[: len(own)]
        )
        if same and found.fewest <= len(own):
            return True, said, file
    return False, said, file


def _called_rows(sources: dict[str, str]) -> Iterator[dict[str, Any]]:
    for fake, word in CALLED.items():
        functions = {f.name.split(".")[-1]: f for f in fake_functions(fake)}
        functions.pop("__init__", None)
        calls = {name: Calls() for name in functions}
        attributes = {n for n, f in functions.items() if not f.parameters}
        for file, text in sources.items():
            if word in text and file.endswith(".py"):
                _count_calls(text, file, functions, calls, attributes)
        for name, function in functions.items():
            found = calls[name]
            said = f"{found.fitting} calls fit in {len(found.files)} files, {found.other} are more"
            yield _row(fake, function, f"{said}: {found.example}", "", fits=found.fitting > 0)


def _count_calls(
    text: str,
    file: str,
    functions: dict[str, Function],
    calls: dict[str, Calls],
    attributes: set[str],
) -> None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in attributes & {"path"}:
            _note(calls[node.attr], node, file)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        # A coroutine takes the same arguments as what it does not wait for.
        name = node.func.attr.removesuffix("_async")
        function = functions.get(name)
        if function is None:
            continue
        keywords = {keyword.arg for keyword in node.keywords}
        given = len(node.args) + len(keywords)
        fits = keywords <= set(function.parameters) and (
            function.fewest <= given <= len(function.parameters)
        )
        if fits:
            _note(calls[name], node, file)
        else:
            calls[name].other += 1


def _note(calls: Calls, node: ast.expr, file: str) -> None:
    calls.fitting += 1
    calls.files.add(file)
    calls.example = calls.example or f"{ast.unparse(node)} in {file}"


def _row(fake: str, function: Function, found: str, file: str, *, fits: bool) -> dict[str, Any]:
    return {
        "name": function.name,
        "fake": list(function.parameters),
        "module": fake,
        "found": found,
        "file": file,
        "fits": fits,
    }


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
