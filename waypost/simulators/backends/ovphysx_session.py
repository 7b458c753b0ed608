"""The one module that talks to ovphysx: its stage, its scene queries and its bindings.

Scene queries, tensor bindings and contact bindings are marked deprecated since ovphysx 0.6; what
replaces them takes 1.2 ms per call instead of 10 µs, a hundred times what one step needs. When they
are gone, only this module changes.
"""

from __future__ import annotations

import math
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import EngineMissingError, Pose, RayHit
from waypost.simulators.backends.omniverse_physx import TouchPoint
from waypost.simulators.protocol import Vec3

VERSION = "0.7.0.74035321"
"""The only version whose behaviour was measured; its interface is an alpha that still changes."""

_INSTALL = f"install it with: pip install ovphysx=={VERSION} physx-usd-schemas numpy"

try:
    import ovphysx
    import ovstage
    from ovphysx.samples.python_samples.schema_support import physx_schema_paths
    from ovphysx.types import SceneQueryMode, TensorType
except (ImportError, OSError) as error:
    raise EngineMissingError(
        f"ovphysx is not installed for this Python ({error}); {_INSTALL}"
    ) from error

_MOST_CONTACTS = 4096
"""Room for the contact points of one body; 64 per pair of shapes is the most that PhysX makes."""


class OvphysxSession:
    """One instance of ovphysx with at most one scene and one body.

    Everything is given as the text of USD stages; meshes of a scene are ``/World/m`` and a number.
    """

    def __init__(self) -> None:
        if ovphysx.__version__ != VERSION:
            found = f"ovphysx {ovphysx.__version__} is installed, but only {VERSION} was tested"
            raise EngineMissingError(f"{found}; {_INSTALL}")
        warnings.filterwarnings("ignore", "ovphysx .* deprecated", DeprecationWarning)
        # Both are for the whole process, and it has no other use of ovphysx.
        ovphysx.set_global_config(ovphysx.GlobalConfigKey.CPU_ONLY, value=True)
        ovphysx.set_global_config(ovphysx.GlobalConfigKey.NUM_THREADS, 0)
        try:
            schemas = [str(path) for path in physx_schema_paths()]
        except FileNotFoundError as error:
            raise EngineMissingError(
                f"physx-usd-schemas is missing ({error}); {_INSTALL}"
            ) from error
        ovstage.population.register_usd_schemas(schemas)
        self._physx = ovphysx.PhysX()
        self._stage: Any = None
        self._ordinal = 0
        self._reference: Any = None
        self._bodies = 0
        self._bindings: tuple[Any, ...] = ()
        self._meshes: dict[int, int] = {}
        self._pose = np.zeros((1, 7), np.float32)
        self._velocity = np.zeros((1, 6), np.float32)
        self._contacts = _ContactArrays.empty(_MOST_CONTACTS)
        self._folder = tempfile.TemporaryDirectory(prefix="waypost-ovphysx-")

    def write_layer(self, text: str) -> str:
        """Keep the text of a layer below the next scene as a file, instead of an earlier one.

        Returns:
            Its path.
        """
        path = Path(self._folder.name) / "looks.usda"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def open_scene(self, text: str) -> None:
        """Replace scene and body."""
        self._close_scene()
        stage = ovstage.Stage("waypost")
        self._stage, self._ordinal = stage, 1
        # Only this domain composes the place of a part with that of its body.
        domains = ovstage.PopulationDomain.ALL
        ovstage.population.open_usd_from_string(stage, text, ordinal=1, domains=domains)
        stage.advance_write_floor(ordinal=1).wait()
        self._physx.wait_task(self._physx.attach_ovstage(stage, read_ordinal=1))
        # Until the first step, rays meet nothing.
        self._physx.warmup()
        self._physx.wait_all()

    def close(self) -> None:
        """End the instance; nothing can be asked afterwards."""
        self._close_scene()
        self._physx.destroy()
        self._folder.cleanup()

    def put_body(self, text: str) -> None:
        """Replace the body; the scene stays as it is."""
        self.drop_body()
        self._bodies += 1
        path = f"/Body{self._bodies}"
        population = ovstage.population
        self._reference = population.add_usd_reference_from_string(self._stage, text, path)
        self._apply()
        create = self._physx.create_tensor_binding
        self._bindings = (
            create(path, tensor_type=TensorType.RIGID_BODY_POSE, raise_if_empty=True),
            create(path, tensor_type=TensorType.RIGID_BODY_VELOCITY, raise_if_empty=True),
            self._physx.create_contact_binding([path], max_contact_data_count=_MOST_CONTACTS),
        )

    def drop_body(self) -> None:
        """Take the body away, if there is one."""
        for binding in self._bindings:
            binding.destroy()
        self._bindings = ()
        if self._reference is not None:
            ovstage.population.remove_usd(self._stage, self._reference)
            self._reference = None
            self._apply()

    def place(self, pose: Pose) -> None:
        """Put the body there at once."""
        half = pose.yaw_rad / 2
        turn = (0.0, 0.0, math.sin(half), math.cos(half))
        self._pose[0] = (pose.x_m, pose.y_m, pose.z_m, *turn)
        self._bindings[0].write(self._pose)

    def pose(self) -> Pose:
        """Where the body is."""
        self._bindings[0].read(self._pose)
        x, y, z, _, _, k, w = self._pose[0].tolist()
        return Pose(x, y, z, 2 * math.atan2(k, w))

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Of the body, about its origin."""
        self._velocity[0] = (x_mps, y_mps, z_mps, 0.0, 0.0, turn_radps)
        self._bindings[1].write(self._velocity)

    def step(self, timestep_s: float) -> None:
        """Advance by one solve of this length."""
        self._physx.step_sync(timestep_s)

    def raycast(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along a ray, from whichever side."""
        hits = self._physx.raycast(origin, direction, length_m, SceneQueryMode.CLOSEST, True)
        if not hits:
            return None
        normal: Vec3 = hits[0]["normal"]
        if sum(a * b for a, b in zip(normal, direction)) > 0:
            normal = (-normal[0], -normal[1], -normal[2])
        return RayHit(hits[0]["distance"], normal)

    def touch_points(self) -> list[TouchPoint]:
        """Where the body was close to something in the latest step; normals of unknown sense."""
        arrays = self._contacts
        found = self._bindings[2].read_raw_contact_data(*arrays)
        if found > _MOST_CONTACTS:
            raise RuntimeError(f"{found} contact points at once, more than {_MOST_CONTACTS}")
        meshes = [self._mesh_of(token) for token in arrays.actors[:found, 1].tolist()]
        rows = zip(
            meshes,
            arrays.points[:found].tolist(),
            arrays.normals[:found].tolist(),
            arrays.forces[:found, 0].tolist(),
            arrays.separations[:found, 0].tolist(),
        )
        return [TouchPoint(m, tuple(p), tuple(n), abs(f), s) for m, p, n, f, s in rows]

    def _mesh_of(self, token: int) -> int:
        if token not in self._meshes:
            tokens = np.array([token], np.uint64)
            (path,) = self._bindings[2].get_other_actor_paths_from_ids(tokens)
            self._meshes[token] = int(path.rsplit("/m", 1)[1])
        return self._meshes[token]

    def _apply(self) -> None:
        """Have the simulation take over what changed in the stage."""
        self._ordinal += 1
        ovstage.population.apply_usd_changes(self._stage, ordinal=self._ordinal)
        self._stage.advance_write_floor(ordinal=self._ordinal).wait()
        self._physx.wait_task(self._physx.update_from_ovstage(self._ordinal, self._ordinal))

    def _close_scene(self) -> None:
        for binding in self._bindings:
            binding.destroy()
        self._bindings, self._reference = (), None
        self._meshes = {}
        if self._stage is not None:
            self._physx.wait_task(self._physx.detach_ovstage())
            self._stage.destroy()
            self._stage = None


class _ContactArrays(NamedTuple):
    """What ovphysx fills, in the order of its arguments."""

    forces: NDArray[np.float32]
    points: NDArray[np.float32]
    normals: NDArray[np.float32]
    separations: NDArray[np.float32]
    layout: NDArray[np.uint32]
    actors: NDArray[np.uint64]

    @classmethod
    def empty(cls, count: int) -> _ContactArrays:
        """Room for so many points."""
        return cls(
            np.zeros((count, 1), np.float32),
            np.zeros((count, 3), np.float32),
            np.zeros((count, 3), np.float32),
            np.zeros((count, 1), np.float32),
            np.zeros((1, 2), np.uint32),
            np.zeros((count, 2), np.uint64),
        )
