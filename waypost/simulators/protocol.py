"""What client and worker say to each other: frozen messages and their bytes.

A message on the wire is an 8-byte prefix (magic, header length), a JSON header, then the raw
little-endian arrays that the header lists. Runs on Python 3.9 with numpy only, because
engines bring their own Python; therefore no domain imports.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

PROTOCOL_VERSION = 3
"""Raised whenever an old worker could misunderstand a new client."""

SPOKEN_PROTOCOLS = (2, PROTOCOL_VERSION)
"""Oldest and newest version that this program can speak: a worker in a copied folder may be older
or newer. Version 3 added the parameters of an engine and the progress of its start."""

Vec3 = tuple[float, float, float]
"""x, y, z; metres in the scene frame unless said otherwise."""

MAGIC = b"WPT\x01"
"""First bytes of every message."""

_PREFIX = struct.Struct("<4sI")
_MAX_HEADER_BYTES = 64 * 1024 * 1024
_MAX_ARRAY_BYTES = 1 << 36
_MAX_ARRAYS = 1_000_000
_PIECE_BYTES = 64 * 1024 * 1024
"""So much is read at once: memory is only taken for bytes that are there."""

_DTYPES = frozenset({"<f4", "<f8", "<i4", "<i8", "|u1"})


class ProtocolError(ValueError):
    """Bytes that are not a message of this protocol."""


class CutOffError(ProtocolError):
    """The other side ended in the middle of a message."""


@dataclass(frozen=True)
class Message:
    """One message: a kind, JSON values and arrays."""

    kind: str
    """Verb of a request (``load_scene``), or ``reply``, ``error``, ``hello``."""

    request_id: int = 0
    """Number of the request; a reply repeats it, so that stale replies can be dropped."""

    values: dict[str, Any] = field(default_factory=dict)
    """JSON values; NaN and infinities are refused."""

    arrays: tuple[NDArray[Any], ...] = ()
    """float32, float64, int32, int64 or uint8; any shape."""


@dataclass(frozen=True)
class EngineParameters:
    """Numbers of an engine that change where an agent gets through; ``None`` where it has none."""

    position_iterations: int | None
    """Of the solver, per step."""

    friction: float
    """Between agent and scene; 0 slides along walls."""

    hull_sides: int | None
    """Of the prism that stands for a round body."""

    skin_m: float
    """Outermost layer of the hull that is soft: bodies overlap by so much before they push."""

    friction_mode: str = ""
    """How the friction of two materials is combined, in the words of the engine."""


@dataclass(frozen=True)
class EngineInfo:
    """Which engine answers; recorded with everything it produces."""

    name: str
    """Backend key, e.g. ``physx``."""

    version: str
    title: str
    """For people, e.g. ``SAPIEN 3.0.3 (PhysX 5)``."""

    parameters: EngineParameters | None = None
    """What else decides where an agent gets through; ``None`` where the engine does not say."""

    @property
    def parameter_text(self) -> str:
        """The parameters as one line, ``friction=0 hull_sides=48 …``; empty where unknown."""
        known = asdict(self.parameters) if self.parameters else {}
        return " ".join(
            f"{name}={value:g}" if isinstance(value, (int, float)) else f"{name}={value}"
            for name, value in sorted(known.items())
            if value not in (None, "")
        )


@dataclass(frozen=True)
class AgentBody:
    """What the worker needs to know of an agent profile."""

    shape: str
    """``box``, ``cylinder`` or ``capsule``; the axis is vertical."""

    width_m: float
    depth_m: float
    height_m: float
    step_limit_m: float
    climbs_stairs: bool
    drive: str = "differential"
    """``differential``, ``holonomic`` or ``car_like``."""

    min_turning_radius_m: float = 0.0
    top_speed_mps: float = 1.0
    key: str = ""
    """Of the profile; an engine may go by it in what it shows, never in what moves or collides."""


@dataclass(frozen=True)
class DriveCommand:
    """What the driver asks for; the mover clamps it to what the drive type can do."""

    forward_mps: float = 0.0
    """Negative drives backward."""

    left_mps: float = 0.0
    """Sideways, only for a holonomic drive; negative is right."""

    turn_radps: float = 0.0
    """Counter-clockwise seen from above."""


@dataclass(frozen=True)
class DriverState:
    """What the driver does beside driving; a recording keeps it with every sample."""

    action: str = ""
    """One word without spaces or commas; by default the directions of the command."""

    camera_pitch_rad: float = 0.0
    """Gaze above the horizon once the steps that it comes with are done."""

    has_focus: bool = True
    """Whether the window hears the driver's keys; without it the agent stands still."""


@dataclass(frozen=True)
class RecordingStatus:
    """How far a recording has come, and whether it can be written."""

    file: str
    """The CSV file, as an absolute path."""

    rows: int
    """Samples taken."""

    unsaved_rows: int
    """Samples that are only in memory so far; of an ended one never 0 before its end is saved."""

    problem: str
    """One sentence if something is wrong with the file, else empty."""

    time_ns: int
    """Simulated time of the latest sample, from the first one."""

    wall_time_ns: int
    """Wall time of the latest sample, from the first one."""

    is_paused: bool = False
    is_ended: bool = False
    """Whether it was stopped; with ``unsaved_rows`` it still waits for the disk."""


@dataclass(frozen=True)
class Contact:
    """Where the agent touches an object."""

    point_m: Vec3
    normal: Vec3
    """Unit vector from the object towards the agent."""

    object: str
    """Name of the mesh that is touched."""


@dataclass(frozen=True)
class Telemetry:
    """The agent after the latest physics step."""

    time_ns: int
    """Simulated time since spawn."""

    position_m: Vec3
    """Floor point under the centre of the body."""

    yaw_rad: float
    speed_mps: float
    """Actual horizontal speed."""

    turn_rate_radps: float
    contacts: tuple[Contact, ...] = ()
    """Touches since the previous telemetry, at most one per object."""

    step_met_m: float = 0.0
    """Height of the riser met within the last half metre of travel; negative going down."""

    highest_step_m: float = 0.0
    """Highest single riser taken upwards since spawn."""

    displacement_m: float = 0.0
    """Horizontal motion that obstacles took or forced since spawn, accumulated."""

    pushed_m: float = 0.0
    """How far obstacles pushed the agent off the line it was commanded along since spawn,
    accumulated; being held back by a wall is not being pushed."""

    clearance_m: float | None = None
    """Nearest horizontal distance from hull to obstacle; ``None`` if none is near."""

    blocked_by: str | None = None
    """``stairs``, ``step``, ``overhead``, ``obstacle``, ``drop``, ``spawn``, or ``None``."""

    is_falling: bool = False
    recording: RecordingStatus | None = None
    """The recording under way, or one that ended and still waits for the disk."""

    camera_pitch_rad: float = 0.0
    """Gaze of the driver above the horizon, as the samples of a recording have it."""


@dataclass(frozen=True)
class DriveOutcome:
    """How a straight drive towards a target ended."""

    reached: bool
    stopped_at_m: Vec3
    """Final floor position."""

    progress_m: float
    """How much nearer to the target in plan than at the start."""

    displacement_m: float
    """Horizontal motion that obstacles took or forced during this drive."""

    strict_collision: bool
    """Whether the displacement reached the strict limit (0.1 m)."""

    contacts: tuple[Contact, ...]
    """First touch of each object, in order."""

    highest_step_m: float
    """Highest single riser taken upwards during this drive."""

    sim_time_s: float
    blocked_by: str | None
    """As in ``Telemetry``, or ``level`` when the target lies above or below where the agent
    arrived, ``time`` when the limit ran out, ``stopped`` when called off; ``None`` if reached."""

    path_m: tuple[Vec3, ...]
    """Floor position at the start, every 50 ms of simulated time, and at the end."""

    pushed_m: float = 0.0
    """As in ``Telemetry``, during this drive."""


@dataclass(frozen=True)
class MoverSettings:
    """Every number that changes where an agent gets through; recorded as a digest."""

    physics_hz: int = 120
    lift_margin_m: float = 0.001
    """The collider's bottom hangs this much above ground + step limit."""

    ray_spacing_m: float = 0.16
    """Largest distance between neighbouring rays under the footprint."""

    ray_turns: int = 4
    """Behind the leading edge, every point under the footprint is looked at in every so
    many steps."""

    contact_offset_m: float = 0.004
    """Distance at which the engine starts to consider a touch, on the side of the scene."""

    look_ahead_steps: float = 1.2
    """Travel within this many steps is considered too, so that nothing is entered first."""

    solve_travel_m: float = 0.005
    """A step in which the agent could travel further is solved in several equal parts."""

    push_mps2: float = 6.0
    """How hard an obstacle is pushed, as the acceleration of the agent, per m/s of speed."""

    slope_limit_rad: float = 0.87
    """Ground steeper than this (50°) carries nobody."""

    max_rise_mps: float = 2.5
    """Fastest lift onto a step, times the speed where that is above 1 m/s."""

    max_sink_mps: float = 2.5
    """Fastest controlled lowering from a step, times the speed where that is above 1 m/s."""

    gravity_mps2: float = 9.81
    drop_limit_m: float = 0.05
    """Deepest drop an agent rolls down, if its step limit is lower."""

    fall_end_m: float = 10.0
    """A fall deeper than this is over: there is no floor."""

    acceleration_mps2: float = 2.0
    braking_mps2: float = 4.0
    turn_rate_limit_radps: float = 1.6
    riser_min_m: float = 0.05
    """A sudden change of ground height above this is a riser, below it roughness."""

    flight_travel_m: float = 0.6
    """Two risers less than this travel apart make a flight of stairs."""

    release_m: float = 0.05
    """Backing off by this much frees an agent that stairs stopped."""

    strict_step_m: float = 0.0001
    """Deviations per step up to this are rounding, not displacement."""

    strict_limit_m: float = 0.1
    """Displacement that counts as a strict collision."""

    reach_m: float = 0.02
    """A target is reached within this distance in plan …"""

    reach_height_m: float = 0.5
    """… and this difference in height."""

    stall_s: float = 1.0
    """A drive without progress ends after this long."""

    clearance_range_m: float = 2.0
    clearance_every_steps: int = 12
    sample_every_steps: int = 6

    @property
    def settings_hash(self) -> str:
        """Hex digest over all values."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def encode_message(message: Message) -> list[bytes]:
    """The bytes of a message, in pieces to be written one after the other.

    Raises:
        ProtocolError: If a value is not finite JSON or an array's type is not allowed.
    """
    arrays = [_little_endian(array) for array in message.arrays]
    header = {
        "kind": message.kind,
        "id": message.request_id,
        "values": message.values,
        "arrays": [[array.dtype.str, list(array.shape)] for array in arrays],
    }
    try:
        text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise ProtocolError(f"message {message.kind!r}: {error}") from error
    if len(text) > _MAX_HEADER_BYTES:
        raise ProtocolError(f"message {message.kind!r}: header of {len(text)} bytes is too long")
    return [_PREFIX.pack(MAGIC, len(text)) + text, *(array.tobytes() for array in arrays)]


def write_message(stream: BinaryIO, message: Message) -> None:
    """Write one message and flush.

    Raises:
        ProtocolError: If the message cannot be encoded; nothing is written then.
        OSError: If the other side has closed the pipe.
    """
    stream.writelines(encode_message(message))
    stream.flush()


def read_message(stream: BinaryIO, most_array_bytes: int = _MAX_ARRAY_BYTES) -> Message | None:
    """Read one message; ``None`` when the stream ends between messages.

    Args:
        stream: Blocking.
        most_array_bytes: So large may all its arrays together be.

    Raises:
        ProtocolError: If the bytes are no message or end in the middle of one.
    """
    prefix = stream.read(_PREFIX.size)
    if not prefix:
        return None
    if len(prefix) < _PREFIX.size:
        raise CutOffError("the stream ended inside a message prefix")
    magic, length = _PREFIX.unpack(prefix)
    if magic != MAGIC or length > _MAX_HEADER_BYTES:
        raise ProtocolError("these bytes are not a Waypost message")
    header = _parse_header(_read_exactly(stream, length))
    arrays = _read_arrays(stream, header["arrays"], most_array_bytes)
    return Message(header["kind"], header["id"], header["values"], arrays)


def telemetry_to_values(telemetry: Telemetry) -> dict[str, Any]:
    """JSON values of a telemetry."""
    return asdict(telemetry)


def outcome_to_values(outcome: DriveOutcome) -> dict[str, Any]:
    """JSON values of a drive outcome."""
    return asdict(outcome)


def _little_endian(array: NDArray[Any]) -> NDArray[Any]:
    dtype = array.dtype.newbyteorder("<")
    if dtype.str not in _DTYPES:
        raise ProtocolError(f"arrays of {array.dtype} cannot be sent")
    return np.ascontiguousarray(array, dtype=dtype)


def _parse_header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a message header is not JSON: {error}") from error
    wanted = {"kind": str, "id": int, "values": dict, "arrays": list}
    if not isinstance(header, dict) or any(
        not isinstance(header.get(key), kind) for key, kind in wanted.items()
    ):
        raise ProtocolError("a message header lacks kind, id, values or arrays")
    return header


def _read_arrays(stream: BinaryIO, entries: list[Any], most_bytes: int) -> tuple[NDArray[Any], ...]:
    if len(entries) > _MAX_ARRAYS:
        raise ProtocolError(f"a message of {len(entries)} arrays is too large")
    sizes = [_array_size(entry) for entry in entries]
    if sum(sizes) > most_bytes:
        raise ProtocolError(f"arrays of {sum(sizes)} bytes are too large")
    try:
        return tuple(
            np.frombuffer(_read_exactly(stream, size), dtype=entry[0]).reshape(entry[1])
            for entry, size in zip(entries, sizes)
        )
    except OverflowError as error:
        raise ProtocolError(f"an array of no size that can be: {error}") from error


def _array_size(entry: Any) -> int:
    if not (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and entry[0] in _DTYPES
        and isinstance(entry[1], list)
        and all(isinstance(n, int) and n >= 0 for n in entry[1])
    ):
        raise ProtocolError("an array description cannot be read")
    return math.prod(entry[1]) * np.dtype(entry[0]).itemsize


def _read_exactly(stream: BinaryIO, count: int) -> bytes:
    pieces: list[bytes] = []
    missing = count
    while missing:
        piece = stream.read(min(missing, _PIECE_BYTES))
        if not piece:
            raise CutOffError("the stream ended inside a message")
        pieces.append(piece)
        missing -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
