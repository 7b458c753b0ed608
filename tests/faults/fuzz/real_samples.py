"""Small slices of files that others wrote, as more good files to start from; they are optional."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from faults.fuzz.family import Sample

_MOST_BYTES: Final = 1 << 16
_ITEMS: Final = 3
_PATTERNS: Final[Mapping[str, tuple[str, ...]]] = {
    "gltf": ("*.glb", "*.gltf"),
    "usd-text": ("*.usda",),
    "episodes": ("*.json", "*.jsonl", "*.json.gz"),
    "runs": ("*.json", "*.jsonl", "*.json.gz", "*.log", "*.csv"),
    "graphs": ("*_connectivity.json", "*-graph.json"),
    "pictures": ("*.png", "*.jpg"),
}
"""By family. What none of a family's formats is in is left out by whoever reads them."""

_WITH_FOLDER: Final = {"gltf", "usd-text"}
"""Families whose files name others beside them."""


def real_samples(family: str, folder: Path) -> list[Sample]:
    """Files below a folder that may be of a family, large ones cut to their first items."""
    samples = []
    for pattern in _PATTERNS.get(family, ()):
        for path in sorted(folder.rglob(pattern)):
            content = _slice(path)
            if content is not None and len(content) <= _MOST_BYTES:
                beside = _beside(path) if family in _WITH_FOLDER else {}
                samples.append(Sample(path.name, {**beside, path.name: content}))
    return samples


def _beside(path: Path) -> dict[str, bytes]:
    return {
        other.name: other.read_bytes()
        for other in sorted(path.parent.iterdir())
        if other.is_file() and other.suffix != path.suffix and other.stat().st_size <= _MOST_BYTES
    }


def _slice(path: Path) -> bytes | None:
    if path.stat().st_size <= _MOST_BYTES and path.suffix != ".gz":
        return path.read_bytes()
    if path.name.endswith(".jsonl"):
        with path.open("rb") as stream:
            return b"".join(line for line, _ in zip(stream, range(_ITEMS), strict=False))
    if not path.name.endswith((".json", ".json.gz")):
        return None
    is_packed = path.suffix == ".gz"
    data = path.read_bytes()
    value = json.loads(gzip.decompress(data) if is_packed else data)
    text = json.dumps(_first_items(value)).encode()
    return gzip.compress(text, 1, mtime=0) if is_packed else text


def _first_items(value: Any) -> Any:
    if isinstance(value, list):
        return value[:_ITEMS]
    if isinstance(value, dict) and isinstance(value.get("episodes"), list):
        return {**value, "episodes": value["episodes"][:_ITEMS]}
    if isinstance(value, dict):
        return dict(list(value.items())[:_ITEMS])
    return value
