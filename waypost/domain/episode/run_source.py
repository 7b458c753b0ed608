"""A run and what belongs to it: one value from the command line, a dialog or a drop to its rows."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from waypost.domain.traverse.judged_graph import JudgedGraph


@dataclass(frozen=True, slots=True)
class RunSource:
    """Where a run is and what it is judged against; what is not given is empty.

    In a project paths are relative to its folder, or absolute: see ``kept_in`` and ``under``.
    """

    results: tuple[Path, ...] = ()
    """Result files, logs or folders: one per run. Only scoring and checking take several or none;
    the others are compared with the first."""

    annotations: tuple[Path, ...] = ()
    """Episode files."""

    connectivity: Path | None = None
    """Folder of ``<scan>_connectivity.json`` or of CapNav's graphs, or a CapNav graph file."""

    pictures: Path | None = None
    """Folder of pictures, or a film."""

    scene: Path | None = None
    """Where the run names one scene only."""

    name: str = ""
    """Tells the run apart in a project; marks are filed under it."""

    profile_key: str = ""
    """Metric profile; chosen by data set without."""

    annotation_format: str = ""
    """Shown by the content without."""

    result_format: str = ""
    """Likewise."""

    nodes: JudgedGraph | None = None
    """Graph and labels of the open project, for runs over its nodes without connectivity."""

    reasons: tuple[str, ...] = ()
    """A sentence for each part that was looked for: why it fits, or that nothing did."""

    navmeshes: Path | None = None
    """Folder of navmeshes or of scenes, for distances over the floor."""

    @property
    def file(self) -> Path:
        """The results of the one run that this is.

        Raises:
            ValueError: If there is none, or there are several.
        """
        (only,) = self.results
        return only

    def under(self, root: Path) -> RunSource:
        """The same with every path that is relative resolved against a folder."""
        return self._with_paths(lambda path: root / path)

    def kept_in(self, root: Path) -> RunSource:
        """The same as a project keeps it: what lies in its folder is relative, to be moved with it.

        Args:
            root: The project's folder; relative paths, this one too, are of the current folder.
        """

        def kept(path: Path) -> Path:
            return Path(kept_path(path, root))

        return replace(self._with_paths(kept), scene=None, nodes=None, reasons=())

    def completed(self, rest: RunSource) -> RunSource:
        """The same with what is empty as another has it."""
        names = [entry.name for entry in fields(self) if not getattr(self, entry.name)]
        return replace(self, **{name: getattr(rest, name) for name in names})

    def _with_paths(self, changed: Callable[[Path], Path]) -> RunSource:
        return replace(
            self,
            results=tuple(map(changed, self.results)),
            annotations=tuple(map(changed, self.annotations)),
            connectivity=self.connectivity and changed(self.connectivity),
            navmeshes=self.navmeshes and changed(self.navmeshes),
            pictures=self.pictures and changed(self.pictures),
            scene=self.scene and changed(self.scene),
        )


def kept_path(path: Path | None, root: Path) -> str:
    """A path as a project keeps it: relative where it lies in the project's folder.

    Args:
        path: Relative ones are of the current folder; ``None`` gives an empty text.
        root: The project's folder.
    """
    if path is None:
        return ""
    absolute, folder = path.absolute(), root.absolute()
    is_inside = absolute.is_relative_to(folder)
    return os.path.relpath(absolute, folder) if is_inside else str(absolute)
