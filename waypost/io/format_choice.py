"""Which format of a registry a file is in: the first that knows its content, or the one named."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from waypost.domain.base.errors import ReadError
from waypost.io.file_head import FileHead, read_head
from waypost.io.foreign_errors import reading
from waypost.io.format_hints import unknown_content, unknown_name
from waypost.io.item_format import ItemFormat

F = TypeVar("F", bound=ItemFormat[Any])


def choose_format(formats: tuple[F, ...], path: Path, name: str, what: str) -> F:
    """The format that a file or folder shows by its content, or the one named.

    Args:
        formats: In the order in which they are asked.
        path: A file or folder.
        name: Key of a format; empty asks the content.
        what: What these formats hold, for the refusal: ``episodes``.

    Raises:
        ReadError: If no format knows the content, or the name is unknown.
    """
    if name:
        named = next((entry for entry in formats if entry.name == name), None)
        if named is None:
            known = [entry.name for entry in formats]
            raise ReadError(str(path), "format", unknown_name(name, known, what))
        return named
    with reading(path):
        return _known_by_content(formats, path, what)


def _known_by_content(formats: tuple[F, ...], path: Path, what: str) -> F:
    head = read_head(path)
    found = next((entry for entry in formats if entry.can_read(head)), None)
    if found is None and "".join(head.text.split()) in {"[]", "{}"}:
        raise ReadError(str(path), "file", f"holds no {what}: the list in it is empty")
    if found is None:
        other = _kind_of(head)
        reason = f"holds {other}, no {what}" if other else unknown_content(head, what)
        raise ReadError(str(path), "file", reason)
    return found


def _kind_of(head: FileHead) -> str:
    """What a file holds by its content; empty if that is neither episodes nor runs."""
    # Both registries are made of formats that are chosen here.
    from waypost.io.datasets import episode_registry  # noqa: PLC0415
    from waypost.io.logs import run_registry  # noqa: PLC0415

    kinds: dict[str, tuple[ItemFormat[Any], ...]] = {
        "runs": run_registry.FORMATS,
        "episodes": episode_registry.FORMATS,
    }
    return next(
        (kind for kind, formats in kinds.items() if any(entry.can_read(head) for entry in formats)),
        "",
    )
