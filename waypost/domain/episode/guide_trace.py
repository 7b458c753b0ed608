"""Where the guide who spoke an instruction stood at which moment (RxR pose traces)."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.base.frames import Vec3


@dataclass(frozen=True, slots=True)
class GuideStay:
    """The guide at one viewpoint; lasts until the next stay begins."""

    viewpoint_id: str
    position_m: Vec3
    """Of the camera, scene frame."""

    start_s: float
    """First snapshot there, seconds since the recording began."""


@dataclass(frozen=True, slots=True)
class GuideTrace:
    """A guide's walk while speaking."""

    stays: tuple[GuideStay, ...] = ()
    """In order of time, neighbours at different viewpoints. The guide stood at the first one from
    the beginning and at the last one until the end."""

    problem: str = ""
    """Why the trace cannot be used, a sentence; empty if it can."""
