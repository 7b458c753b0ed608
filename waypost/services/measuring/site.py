"""One scene with everything that is asked about its passages: triangles, a sweep, an engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

from waypost.domain.base.errors import SimulatorError
from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.graph import EdgeKind, NavigationGraph
from waypost.domain.scene.object_kinds import ObjectKind, object_kind
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import MEASURING_VERSION, AbsentOpinion, PassageMeasure
from waypost.domain.traverse.passage_rule import PassageRule
from waypost.domain.traverse.traversability import Passage, Provenance, Reason, Verdict
from waypost.geometry.measuring.body_ground import let_go_of_others
from waypost.geometry.measuring.geometric_measure import GeometricMeasure
from waypost.geometry.measuring.passage_geometry import measure_geometry
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import SceneGround
from waypost.geometry.ray_index import RayIndex
from waypost.io.graphs.capnav_graph import project_to_floor
from waypost.services.frame_fitting import floor_below
from waypost.services.measuring.body_sweep import BodySweep, SweepFinding, sweep_library
from waypost.services.measuring.combining import PassageFindings, WayFindings, combined
from waypost.services.measuring.engine_drives import DriveFinding, EngineDrives
from waypost.services.measuring.underfoot import Underfoot
from waypost.simulators.engines import EngineChoice

_STRAIGHT_M = 0.01
_STRAIGHT_RAD = 0.03
_LEVEL_M = 0.05


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What is asked beside geometry."""

    uses_sweep: bool = True
    uses_engine: bool = True
    allows_gaps: bool = False
    """Whether a scene that lacks geometry is measured all the same."""

    engine: EngineChoice = field(default_factory=EngineChoice)
    """Which engine drives."""


class Site:
    """One scene, ready to be asked about passages of one graph; belongs to one process."""

    def __init__(
        self,
        scene: Scene,
        graph: NavigationGraph,
        rule: PassageRule,
        settings: SiteSettings | None = None,
    ) -> None:
        self._scene = colliders_of(scene)
        self._unplaced = graph
        self._rule = rule
        self._settings = settings or SiteSettings()
        self._limits = MeasuringRule(rule)
        self._drives = EngineDrives(self._scene, self._settings.engine)
        self._engine_fault = "" if self._settings.uses_engine else "not asked"
        self._open: Site | None = None
        self._edge: frozenset[str] = frozenset()

    def measure(self, passage: Passage, profile: AgentProfile) -> PassageMeasure:
        """Everything about one passage, by the rule of the project.

        Raises:
            KeyError: If the graph has no such node.
        """
        self._edge = frozenset(passage[:2])
        if self._open is not None:
            self._open.let_go_but_of(passage, profile)
        edge = self._graph.edge_between(passage.from_id, passage.to_id)
        if edge is not None and edge.kind is EdgeKind.ELEVATOR:
            return self._by_elevator(passage, profile)
        measure = self._by_itself(passage, profile)
        leaves = [n for n in measure.contacts if object_kind(n) is ObjectKind.DOOR_LEAF]
        if measure.answer is Verdict.TRAVELS or not leaves:
            return measure
        doors = ", ".join(leaves)
        if not profile.opens_doors:
            if measure.answer is Verdict.UNCERTAIN:
                return measure
            words = f"{measure.words} It opens no doors: {doors}."
            return replace(measure, reason=Reason.DOOR, words=words)
        opened = self._with_open_doors().measure(passage, profile)
        return replace(
            opened,
            words=f"{opened.words} Measured with {doors} out of the way, which it opens.",
            provenance=measure.provenance,
        )

    def let_go_but_of(self, passage: Passage, profile: AgentProfile) -> None:
        """Keep nothing that was found beside other edges, or of bodies of other heights."""
        if frozenset(passage[:2]) != self._edge:
            self._ground.let_go()
        let_go_of_others(self._ground.windows, profile.height_m)

    def close(self) -> None:
        """End the engines."""
        self._drives.close()
        if self._open is not None:
            self._open.close()

    @cached_property
    def _ground(self) -> SceneGround:
        return SceneGround.of(self._scene)

    @cached_property
    def _rays(self) -> RayIndex:
        return RayIndex.build(self._scene, in_one_tree=True)

    @cached_property
    def _graph(self) -> NavigationGraph:
        """With each node on the floor below it, as agents are put there."""
        return project_to_floor(self._unplaced, floor_below(self._rays)).graph

    @cached_property
    def _underfoot(self) -> Underfoot:
        return Underfoot(self._scene, self._rays)

    @cached_property
    def _sweep(self) -> BodySweep | None:
        library = sweep_library() if self._settings.uses_sweep else None
        return None if library is None else BodySweep(self._scene, self._rays, library)

    def _with_open_doors(self) -> Site:
        if self._open is None:
            kept = [
                m for m in self._scene.meshes if object_kind(m.name) is not ObjectKind.DOOR_LEAF
            ]
            scene = replace(self._scene, meshes=tuple(kept))
            self._open = Site(scene, self._unplaced, self._rule, self._settings)
        return self._open

    def _by_itself(self, passage: Passage, profile: AgentProfile) -> PassageMeasure:
        start, end = (self._graph.nodes[n].position_m for n in (passage.from_id, passage.to_id))
        geometry = measure_geometry(self._ground, self._graph, passage, profile, self._limits)
        yaw = bearing_rad(start, end)
        is_level = abs(start[2] - end[2]) < _LEVEL_M
        storey_z = start[2] if is_level else None
        straight = WayFindings(
            geometry.straight,
            self._swept(profile, [(*start, yaw), (*end, yaw)], (start, end)),
            self._driven(profile, start, end, storey_z),
            self._furniture(_between(start, end), storey_z),
        )
        is_straight = _is_straight(geometry, start, end)
        path = replace(straight, geometry=geometry.any_path)
        if not is_straight:
            path = WayFindings(
                geometry.any_path,
                self._swept(profile, list(geometry.path), (start, end)),
                self._driven_along(profile, geometry, storey_z),
                self._furniture([pose[:3] for pose in geometry.path], storey_z),
            )
        known = self._provenance(passage, profile)
        findings = PassageFindings(geometry, straight, path, is_straight, self._absent(), known)
        return combined(findings, self._rule)

    def _furniture(self, way: list[Vec3], storey_z_m: float | None) -> tuple[str, ...]:
        return self._underfoot.furniture(way, storey_z_m)

    def _swept(
        self,
        profile: AgentProfile,
        way: list[tuple[float, float, float, float]],
        edge: tuple[Vec3, Vec3],
    ) -> SweepFinding | None:
        return None if self._sweep is None else self._sweep.along(profile, way, edge)

    def _driven(
        self, profile: AgentProfile, start: Vec3, end: Vec3, storey_z_m: float | None
    ) -> DriveFinding | None:
        if self._engine_fault:
            return None
        try:
            found = self._drives.straight(profile, start, end)
        except SimulatorError as error:
            self._engine_fault = str(error)
            return None
        return self._with_furniture(found, storey_z_m)

    def _driven_along(
        self, profile: AgentProfile, geometry: GeometricMeasure, storey_z_m: float | None
    ) -> DriveFinding | None:
        if self._engine_fault:
            return None
        try:
            found = self._drives.along(profile, geometry.path)
        except SimulatorError as error:
            self._engine_fault = str(error)
            return None
        return self._with_furniture(found, storey_z_m)

    def _with_furniture(self, found: DriveFinding, storey_z_m: float | None) -> DriveFinding:
        if found.outcome is None:
            return found
        return replace(found, underfoot=self._furniture(list(found.outcome.path_m), storey_z_m))

    def _by_elevator(self, passage: Passage, profile: AgentProfile) -> PassageMeasure:
        """By its abilities, and whether it stands free at both ends; a cabin is not measured."""
        places = [self._graph.nodes[n].position_m for n in (passage.from_id, passage.to_id)]
        measure = PassageMeasure(
            passage,
            Verdict.TRAVELS,
            Verdict.TRAVELS,
            None,
            "Rides the elevator and stands free at both ends; the cabin is not measured.",
            provenance=self._provenance(passage, profile),
            rule=self._rule,
            measuring_version=MEASURING_VERSION,
            is_of_elevator=True,
        )
        if not profile.operates_elevators:
            return replace(
                measure,
                answer=Verdict.DOES_NOT,
                straight=Verdict.DOES_NOT,
                reason=Reason.ELEVATOR,
                words="It operates no elevators.",
            )
        for place, name in zip(places, ("where it starts", "where it arrives"), strict=True):
            fault = self._fault_of_standing(profile, place)
            if fault:
                words = f"Rides the elevator, but {name} {fault}."
                return replace(
                    measure, answer=Verdict.UNCERTAIN, straight=Verdict.UNCERTAIN, words=words,
                    at_m=place,
                )  # fmt: skip
        return replace(measure, absent_opinions=self._absent())

    def _fault_of_standing(self, profile: AgentProfile, place: Vec3) -> str:
        if self._engine_fault:
            return "nothing tells whether it stands free"
        try:
            return self._drives.stands(profile, place, 0.0)
        except SimulatorError as error:
            self._engine_fault = str(error)
            return "nothing tells whether it stands free"

    def _absent(self) -> tuple[AbsentOpinion, ...]:
        absent = []
        if self._sweep is None:
            why = "coal is not installed" if self._settings.uses_sweep else "not asked"
            absent.append(AbsentOpinion("sweep", why))
        if self._engine_fault:
            absent.append(AbsentOpinion(self._settings.engine.name, self._engine_fault))
        return tuple(absent)

    def _provenance(self, passage: Passage, profile: AgentProfile) -> Provenance:
        # Where the project has its nodes, not where they were put down on the floor.
        nodes = self._unplaced.nodes
        known = Provenance(
            self._scene.content_hash,
            profile.profile_hash,
            from_m=nodes[passage.from_id].position_m,
            to_m=nodes[passage.to_id].position_m,
        )
        if self._engine_fault:
            return known
        try:
            client = self._drives.client
        except SimulatorError as error:
            self._engine_fault = str(error)
            return known
        engine = client.engine
        return replace(
            known,
            engine=engine.name,
            engine_version=engine.version,
            mover_hash=client.settings_hash,
            engine_parameters=engine.parameter_text,
        )


def colliders_of(scene: Scene) -> Scene:
    """A scene without what only the eye sees: no pictures, no objects that stop nobody."""
    meshes = tuple(
        replace(mesh, uvs=None, material_index=None) for mesh in scene.meshes if mesh.is_collider
    )
    return replace(scene, meshes=meshes, materials=(), textures=())


def _is_straight(geometry: GeometricMeasure, start: Vec3, end: Vec3) -> bool:
    """Whether the path is the edge itself, or there is none."""
    if len(geometry.path) < 2:
        return True
    yaw = bearing_rad(start, end)
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return all(
        abs(cosine * (y - start[1]) - sine * (x - start[0])) < _STRAIGHT_M
        and abs(math.remainder(heading - yaw, math.tau)) < _STRAIGHT_RAD
        for x, y, _, heading in geometry.path
    )


def _between(start: Vec3, end: Vec3) -> list[Vec3]:
    steps = max(1, math.ceil(math.dist(start, end) / 0.05))
    return [
        tuple(a + (b - a) * n / steps for a, b in zip(start, end, strict=True))  # type: ignore[misc]
        for n in range(steps + 1)
    ]
