"""The workspaces of the window, and when each of them is imported and made."""

from __future__ import annotations

from importlib import import_module
from threading import Thread
from typing import Any, Final, TypeVar, cast

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.app.graph.spec import GRAPH
from waypost.app.record.spec import RECORD
from waypost.app.replay.spec import REPLAY
from waypost.app.score.spec import SCORE
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.exercise import Exercise
from waypost.app.shell.workspace import LazyWorkspace, Surroundings, Workspace, WorkspaceSpec
from waypost.app.traverse.spec import TRAVERSE
from waypost.services.needed_modules import ModuleScan
from waypost.services.pieces import Pieces, Steps

WORKSPACES: Final[tuple[WorkspaceSpec[Any], ...]] = (
    GRAPH,
    TRAVERSE,
    RECORD,
    SCORE,
    REPLAY,
)
"""In the order in which they stand in the bar; the first is shown first."""

_REST_MS: Final = 50
"""Between the first picture of the window and the first import, and between two workspaces made."""

W = TypeVar("W", bound=Workspace)


class Workspaces(QObject):
    """Makes workspaces when they are asked for, and the rest while nobody waits.

    What they need and makes no class of Qt's is imported on a thread, which leaves Python to the
    window most of the time; the window imports the rest and makes them, in pieces.

    Args:
        specs: In order.
        around: What they find.
    """

    made = Signal(object)
    """The ``Workspace`` that is there now."""

    wanted = Signal(str)
    """Scope of the workspace that was chosen, once it can be made without a wait."""

    turned = Signal(object)
    """The ``Workspace`` that is shown now: the one before has let go, it has not taken over."""

    def __init__(self, specs: tuple[WorkspaceSpec[Any], ...], around: Surroundings) -> None:
        super().__init__(around.window)
        self.specs, self._around = specs, around
        self._made: dict[str, Workspace] = {}
        self._making: dict[str, tuple[Workspace, Steps]] = {}
        """Those that are there in part, and what is left to do."""

        self._pieces = Pieces(self)
        self._left_to_import: dict[str, tuple[str, ...]] = {}
        """By scope, what only the window's thread may import; once the other thread is done."""

        self._imported: set[str] = set()
        self._shown: WorkspaceSpec[Any] | None = None
        self._chosen: WorkspaceSpec[Any] | None = None
        self._is_closed = False
        self._thread: Thread | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._go_on)

    @property
    def shown(self) -> WorkspaceSpec[Any]:
        """The one that is shown; before any is, the first."""
        return self._shown or self.specs[0]

    @property
    def current(self) -> Workspace:
        """The one that is shown."""
        shown: WorkspaceSpec[Workspace] = self.shown
        return self.of(shown)

    @property
    def all_made(self) -> tuple[Workspace, ...]:
        """Those that are there."""
        return tuple(self._made.values())

    @property
    def are_all_made(self) -> bool:
        """Whether nothing is left to make."""
        return len(self._made) == len(self.specs)

    def of(self, spec: WorkspaceSpec[W]) -> W:
        """A workspace; imported and made at once if it is not there."""
        if spec.scope not in self._made:
            for _ in self._steps_of(spec):
                pass
        return cast("W", self._made[spec.scope])

    def _steps_of(self, spec: WorkspaceSpec[Any]) -> Steps:
        """Whatever is left to do for a workspace; of several at it the first to end says so."""
        yield from self._import_steps(spec)
        yield from self._or_given_up(spec, self._making_steps(spec))

    def _import_steps(self, spec: WorkspaceSpec[Any]) -> Steps:
        """What is left to import of a workspace."""
        yield from self._or_given_up(spec, self._importing_steps(spec))

    def _or_given_up(self, spec: WorkspaceSpec[Any], steps: Steps) -> Steps:
        """Steps; once one fails, a workspace is begun anew when it is asked for, and not before."""
        try:
            yield from steps
        except Exception:
            self._making.pop(spec.scope, None)
            self._left_to_import.pop(spec.scope, None)
            raise

    def _making_steps(self, spec: WorkspaceSpec[Any]) -> Steps:
        scope = spec.scope
        if scope not in self._making:
            workspace = spec.load()(self._around)
            self._making[scope] = workspace, workspace.make()
        workspace, steps = self._making[scope]
        yield
        # Not ``yield from``, by which who drops this generator would end the steps of all.
        for _ in steps:
            yield
        is_given_up = self._making.get(scope, (None,))[0] is not workspace
        if scope not in self._made and not is_given_up:
            self._made[scope] = workspace
            self.made.emit(workspace)

    def _importing_steps(self, spec: WorkspaceSpec[Any]) -> Steps:
        if spec.scope in self._making:
            return
        for name in self._left_to_import.get(spec.scope, ()):
            import_module(name)
            yield
        self._imported.add(spec.scope)

    def spec_of(self, workspace: Workspace) -> WorkspaceSpec[Any]:
        """What a workspace was made by."""
        scope = next(scope for scope, found in self._made.items() if found is workspace)
        return self.spec(scope)

    def spec(self, scope: str) -> WorkspaceSpec[Any]:
        """The workspace with a scope, as data.

        Raises:
            KeyError: If there is none.
        """
        return {spec.scope: spec for spec in self.specs}[scope]

    def show(self, scope: str) -> bool:
        """Show a workspace, at once; whether it was not shown before."""
        spec = self.spec(scope)
        self._chosen = None
        if spec is self._shown:
            return False
        workspace = self.of(spec)
        if self._shown is not None:
            self.of(self._shown).deactivate()
        self._shown = spec
        self.turned.emit(workspace)
        workspace.activate()
        return True

    def choose(self, scope: str) -> None:
        """Have a workspace ``wanted``: now, or as soon as it is imported if that is under way."""
        spec = self.spec(scope)
        if scope not in self._made and self._is_importing(scope):
            self._chosen = spec
        else:
            self.wanted.emit(scope)

    def exercise(self, spec: WorkspaceSpec[W]) -> Exercise | None:
        """What a newcomer does once in a workspace, if there is anything."""
        make = spec.exercise
        return make(LazyWorkspace(lambda: self.of(spec)), self._around) if make else None

    def actions(self) -> tuple[ActionSpec, ...]:
        """What can be done in all of them; in the order of the specs."""

        def made_later(spec: WorkspaceSpec[W]) -> LazyWorkspace[W]:
            return LazyWorkspace(lambda: self.of(spec))

        return tuple(
            action for spec in self.specs for action in spec.actions(made_later(spec), self._around)
        )

    def start_loading(self) -> None:
        """Begin to import and make those that are not there: the window has shown itself."""
        if self._thread is None and not self._is_closed and not self.are_all_made:
            self._thread = Thread(target=self._load, name="imports of workspaces")
            QTimer.singleShot(_REST_MS, self, self._begin)

    def close(self) -> None:
        """Make and import nothing more."""
        self._is_closed = True
        self._timer.stop()
        if self._thread is not None and self._is_loading():
            self._thread.join()
        self._pieces.cancel()
        for spec in self.specs:
            if spec.scope in self._making:
                # What is there in part is nobody's child yet.
                self.of(spec).close()

    def _begin(self) -> None:
        if self._thread is not None and not self._is_closed:
            self._thread.start()
            self._timer.start()

    def _load(self) -> None:
        scan = ModuleScan()
        for spec in self.specs:
            needed = scan.needed_by(spec.load)
            for name in needed.anywhere:
                if self._is_closed:
                    return
                import_module(name)
            self._left_to_import[spec.scope] = needed.in_qt_thread

    def _go_on(self) -> None:
        chosen = self._chosen
        if chosen is not None and not self._is_importing(chosen.scope):
            self.wanted.emit(chosen.scope)
            return
        if self._pieces.is_busy:
            return
        # Asked first: what comes to its end in between is seen by the next look.
        is_loading = self._is_loading()
        ready = (s for s in self.specs if s.scope in self._left_to_import)
        spec = next((s for s in ready if s.scope not in self._made), None)
        if chosen is not None and chosen.scope in self._left_to_import:
            self._pieces.start(lambda: self._import_steps(chosen))
        elif spec is not None:
            self._pieces.start(lambda: self._steps_of(spec))
        elif not is_loading:
            self._timer.stop()

    def _is_importing(self, scope: str) -> bool:
        """Whether what a workspace needs is still on its way."""
        is_coming = self._is_loading() or scope in self._left_to_import
        return is_coming and scope not in self._imported

    def _is_loading(self) -> bool:
        return self._thread is not None and self._thread.is_alive()
