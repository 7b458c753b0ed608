"""Recast and Detour in this process: their published WebAssembly, run by V8."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import re
import threading
import time
from collections import deque
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.errors import InputError

if TYPE_CHECKING:
    from py_mini_racer import MiniRacer

MISSING: Final = "navmeshes need the extra navmesh: pip install 'waypost[navmesh]'"
_MEMORY_BYTES: Final = 3_000_000_000
_START_S: Final = 30.0
_ANSWER_S: Final = 900.0
_EMPTY: Final = "Failed to create Detour navmesh data"
"""What Recast says where no polygon is left."""

_SURROUNDINGS: Final = """
globalThis.libraries = {};
globalThis.performance = { now: () => Date.now() };
globalThis.console = { log() {}, warn() {}, error() {} };
globalThis.self = globalThis.window = globalThis;
globalThis.document = { currentScript: { src: "" } };
globalThis.location = { href: "file:///" };
globalThis.URL = class { constructor(href) { this.href = href; } };
globalThis.TextDecoder = class {
  decode(bytes) { return String.fromCharCode(...bytes); }
};
globalThis.setTimeout = (later) => { Promise.resolve().then(later); return 0; };
globalThis.atob = (text) => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const value = new Uint8Array(128);
  for (let i = 0; i < 64; i++) value[letters.charCodeAt(i)] = i;
  const pieces = [];
  for (let i = 0; i < text.length; i += 4) {
    const four = [0, 1, 2, 3].map((k) => value[text.charCodeAt(i + k)] || 0);
    const bits = (four[0] << 18) | (four[1] << 12) | (four[2] << 6) | four[3];
    const count = text[i + 2] === "=" ? 1 : text[i + 3] === "=" ? 2 : 3;
    for (let k = 0; k < count; k++) pieces.push(String.fromCharCode((bits >> (16 - 8 * k)) & 255));
  }
  return pieces.join("");
};
"""
"""What the libraries expect of a browser and V8 alone does not have."""


class Recast:
    """One V8 with Recast and Detour in it; may be asked from any thread, one at a time.

    Everything here is in Recast's frame (y up), metres. ``shared`` gives the one of the process.

    Raises:
        InputError: If the extra is missing.
    """

    def __init__(self) -> None:
        if not is_installed():
            raise InputError(MISSING)
        from py_mini_racer import MiniRacer  # noqa: PLC0415 - of an extra

        self._lock = threading.Lock()
        self._last = 0
        self._gone: deque[int] = deque()
        """Keys of navmeshes that were let go and are still there."""

        self._v8: MiniRacer = MiniRacer()
        atexit.register(self._end)
        self._v8.set_hard_memory_limit(_MEMORY_BYTES)
        self._v8.eval(_SURROUNDINGS)
        self._load()

    def _end(self) -> None:
        """Let V8 go, which would wait for its own thread for ever where the interpreter does so."""
        v8 = self._v8
        del self._v8
        v8.close()

    def _load(self) -> None:
        wasm = _text("recast-navigation.wasm-compat.js")
        wasm = re.sub(r"export default (\w+);", r"globalThis.compiled = \1;", wasm)
        self._v8.eval(wasm.replace("import.meta.url", '"file:///recast.js"'))
        core = _text("recast-navigation-core.mjs")
        core = core.replace(
            "import('@recast-navigation/wasm')", "Promise.resolve({ default: compiled })"
        )
        self._v8.eval(_as_script("@recast-navigation/core", core))
        generators = _text("recast-navigation-generators.mjs")
        self._v8.eval(_as_script("@recast-navigation/generators", generators))
        self._v8.eval(
            'globalThis.state = ""; libraries["@recast-navigation/core"].init()'
            '.then(() => { state = "ready"; }, (error) => { state = String(error); }); 0'
        )
        end = time.monotonic() + _START_S
        while not (state := str(self._v8.eval("state"))) and time.monotonic() < end:
            time.sleep(0.005)
        if state != "ready":
            raise InputError(f"Recast does not start: {state or 'it took too long'}")
        self._v8.eval(_text("waypost-queries.js") + "\n0")

    def build(
        self, corners_m: NDArray[np.float32], faces: NDArray[np.uint32], config: dict[str, float]
    ) -> int:
        """Build a navmesh of one tile.

        Args:
            corners_m: (V, 3) metres.
            faces: (F, 3) indices, counter-clockwise seen from where one stands.
            config: As Recast's ``rcConfig``, counts in cells.

        Returns:
            Its key for the other methods.

        Raises:
            InputError: If Recast refuses, with its own words.
        """
        with self._lock:
            self._drop_gone()
            self._put("corners", corners_m)
            self._put("faces", faces)
            try:
                return self._opened(f"build(KEY, {json.dumps(config)})")
            finally:
                self._v8.eval('waypost.drop("corners", "faces"); 0')

    def open(self, file: bytes) -> int:
        """Open what ``file`` gave, or any file of Detour's set of tiles, version 1.

        Raises:
            InputError: If Detour refuses it.
        """
        with self._lock:
            self._drop_gone()
            self._put("file", np.frombuffer(file, dtype=np.uint8))
            try:
                return self._opened("open(KEY)")
            finally:
                self._v8.eval('waypost.drop("file"); 0')

    def close(self, key: int) -> None:
        """Let a navmesh go: at once, or with the next one where something else is asked now.

        Never waits: the collector may call it in the midst of a question of the same thread.
        """
        self._gone.append(key)
        if self._lock.acquire(blocking=False):
            try:
                self._drop_gone()
            finally:
                self._lock.release()

    def _drop_gone(self) -> None:
        while self._gone:
            self._v8.eval(f"waypost.close({self._gone.popleft()}); 0")

    def file(self, key: int) -> bytes:
        """The navmesh as Detour's set of tiles, version 1."""
        with self._lock:
            return bytes(self._buffer(f"file({key})"))

    def lengths_m(
        self, key: int, points_m: NDArray[np.float64], goal_m: ArrayLike, half_m: list[float]
    ) -> NDArray[np.float64]:
        """(N,) metres from each of (N, 3) points to the goal; infinite without a way.

        Args:
            key: Of the navmesh.
            points_m: (N, 3) metres.
            goal_m: (3,) metres.
            half_m: Half the sides of the box in which the nearest polygon is searched.
        """
        with self._lock:
            self._put("goal", np.asarray(goal_m, dtype=np.float64))
            self._put("points", np.asarray(points_m, dtype=np.float64))
            found = self._buffer(f"lengths({key}, {json.dumps(half_m)})")
            lengths = np.frombuffer(bytes(found), dtype=np.float64)
            self._v8.eval('waypost.drop("goal", "points"); 0')
        return lengths

    def nearest_m(
        self, key: int, points_m: NDArray[np.float64], half_m: list[float]
    ) -> NDArray[np.float64]:
        """(N, 3) the nearest point of the navmesh to each of (N, 3), NaN where none is in the box.

        Args:
            key: Of the navmesh.
            points_m: (N, 3) metres.
            half_m: Half the sides of the box in which it is searched.
        """
        with self._lock:
            self._put("points", np.asarray(points_m, dtype=np.float64))
            found = self._buffer(f"nearest({key}, {json.dumps(half_m)})")
            nearest = np.frombuffer(bytes(found), dtype=np.float64).reshape(-1, 3)
            self._v8.eval('waypost.drop("points"); 0')
        return nearest

    def _opened(self, call: str) -> int:
        self._last += 1
        refusal = self._ask(call.replace("KEY", str(self._last)))
        if refusal == _EMPTY:
            raise InputError("nothing in the scene can be stood on")
        if refusal:
            raise InputError(f"Recast: {refusal}")
        return self._last

    def _put(self, name: str, values: NDArray[Any]) -> None:
        """Copy an array into V8."""
        flat = np.ascontiguousarray(values).reshape(-1)
        place = self._buffer(f"buffer({json.dumps(name)}, {flat.nbytes})")
        np.frombuffer(place, dtype=flat.dtype)[:] = flat

    def _buffer(self, call: str) -> memoryview:
        found = self._ask(call)
        if not isinstance(found, memoryview):
            raise TypeError(f"waypost.{call} gave no buffer")
        return found

    def _ask(self, call: str) -> Any:
        """Ask V8, which a damaged file may keep busy for ever or stop with an error."""
        from py_mini_racer import JSEvalException, JSTimeoutException  # noqa: PLC0415 - of an extra

        try:
            return self._v8.eval(f"waypost.{call}", timeout_sec=_ANSWER_S)
        except JSTimeoutException as error:
            raise InputError(f"Recast gave no answer within {_ANSWER_S:g} s") from error
        except JSEvalException as error:
            raise InputError(f"Recast: {str(error).splitlines()[0]}") from error


def is_installed() -> bool:
    """Whether the extra that navmeshes need is there."""
    return importlib.util.find_spec("py_mini_racer") is not None


@functools.cache
def shared() -> Recast:
    """The one of this process, started when first asked for (0.2 s).

    Raises:
        InputError: If the extra is missing.
    """
    return Recast()


def _text(name: str) -> str:
    return (resources.files("waypost.resources") / "recast" / name).read_text(encoding="utf-8")


def _as_script(name: str, module: str) -> str:
    """A module as a script that V8 runs alone, its exports under ``libraries``."""
    module = re.sub(
        r"import\s*\{([^}]*)\}\s*from\s*['\"]([^'\"]+)['\"];?",
        lambda found: (
            f"const {{{found[1].replace(' as ', ': ')}}} = libraries[{json.dumps(found[2])}];"
        ),
        module,
    )
    names = [
        part.split(" as ")
        for exported in re.findall(r"export\s*\{([^}]*)\}", module)
        for part in (piece.strip() for piece in exported.split(","))
        if part
    ]
    module = re.sub(r"export\s*\{[^}]*\};?", "", module)
    listed = ", ".join(f"{pair[-1]}: {pair[0]}" for pair in names)
    return (
        f"libraries[{json.dumps(name)}] = (function () {{ {module}\nreturn {{ {listed} }}; }})(); 0"
    )
