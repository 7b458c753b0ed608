"""Opens every project where it was left: the workspace, its place in it, and the camera."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from PySide6.QtCore import QObject, QSettings, QTimer

from waypost.app.shell.project_address import place_name, project_place
from waypost.app.shell.stage import Stage
from waypost.app.shell.stage_look import look_again, look_from, look_of
from waypost.app.shell.workbench import Workbench
from waypost.app.window.workspaces import Workspaces

_GROUP: Final = "places"
_MOST_PLACES: Final = 40


class LeftPlaces(QObject):
    """Keeps where somebody is in a project, and goes there when it is opened again.

    Whatever shows something else meanwhile, such as a run that is opened with its project, wins.

    Args:
        settings: Where places are kept, by project.
        bench: Tells which project is open.
        workspaces: Know their own places.
        stage: Has the camera.
        show: Shows the workspace of a scope.
    """

    def __init__(
        self,
        settings: QSettings,
        bench: Workbench,
        workspaces: Workspaces,
        stage: Stage,
        show: Callable[[str], None],
    ) -> None:
        super().__init__(workspaces)
        self._settings, self._bench, self._workspaces = settings, bench, workspaces
        self._stage, self._show = stage, show
        self._kept = ""
        self._place: dict[str, Any] = {}
        """Of the open project, as it was kept last."""

        self._is_going = self._owes_look = False
        workspaces.turned.connect(lambda _: self.keep())
        bench.document_left.connect(self.keep)
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(lambda: QTimer.singleShot(0, self, self._on_scene))

    def keep(self) -> None:
        """Remember where somebody is now; nothing happens where that is remembered already."""
        key = self._key()
        if not key or self._is_going:
            return
        workspaces, place = self._workspaces, dict(self._place)
        place["workspace"] = workspaces.shown.scope
        parts = dict(place.get("parts") or {})
        for workspace in workspaces.all_made:
            parts[workspaces.spec_of(workspace).scope] = workspace.place()
        place["parts"] = parts
        has_own_scene = self._bench.scene is not None and self._bench.is_own_scene
        if has_own_scene and not self._owes_look:
            place["look"] = look_of(self._stage).values() or place.get("look")
        text = json.dumps(place)
        if text != self._kept:
            self._kept, self._place = text, place
            self._settings.setValue(f"{_GROUP}/{key}", text)

    def words(self, recent: Sequence[str]) -> str:
        """Where somebody was in the newest of some projects: ``home, Wheelchair, 13 of 56``."""
        if not recent:
            return ""
        words = [PurePath(place_name(project_place(recent[0]))).stem]
        place = self._kept_place(_key_of(recent[0]))
        scope, parts = place.get("workspace"), place.get("parts")
        part = parts.get(scope) if isinstance(parts, dict) else None
        found = [part.get(name) for name in ("title", "progress")] if isinstance(part, dict) else []
        words += [str(said) for said in found if said]
        if len(words) == 1:
            titles = {spec.scope: spec.title for spec in self._workspaces.specs}
            words += [titles[scope]] if scope in titles else []
        return ", ".join(words)

    def drop(self) -> None:
        """Go nowhere: something was shown since the project came."""
        self._is_going = False

    def _on_document(self) -> None:
        self._kept, self._place = "", {}
        key = self._key()
        if not key:
            return
        self._place = self._kept_place(key)
        self._owes_look = look_from(self._place.get("look")) is not None
        self._prune()
        if self._place:
            self._is_going = True
            # After everybody has heard of the project.
            QTimer.singleShot(0, self, self._go)

    def _go(self) -> None:
        if not self._is_going:
            return
        self._is_going = False
        scope, parts = self._place.get("workspace"), self._place.get("parts")
        scopes = {spec.scope for spec in self._workspaces.specs}
        if scope in scopes:
            self._show(str(scope))
            part = parts.get(scope) if isinstance(parts, dict) else None
            if isinstance(part, dict):
                self._workspaces.current.go_to_place(part)

    def _on_scene(self) -> None:
        look = look_from(self._place.get("look"))
        if self._owes_look and look is not None and self._bench.scene is not None:
            self._owes_look = False
            look_again(self._stage, look)

    def _kept_place(self, key: str) -> dict[str, Any]:
        with contextlib.suppress(ValueError, TypeError):
            found = json.loads(str(self._settings.value(f"{_GROUP}/{key}", "")))
            return found if isinstance(found, dict) else {}
        return {}

    def _key(self) -> str:
        document = self._bench.document
        return "" if document is None else _key_of(document.store.location)

    def _prune(self) -> None:
        self._settings.beginGroup(_GROUP)
        for old in self._settings.childKeys()[:-_MOST_PLACES]:
            self._settings.remove(old)
        self._settings.endGroup()


def _key_of(location: Path | str) -> str:
    return hashlib.sha256(os.fsencode(location)).hexdigest()[:16]
