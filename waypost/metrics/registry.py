"""Every profile by its key, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from waypost.domain.base.errors import InputError
from waypost.metrics.profile import Profile
from waypost.metrics.profiles import answers, cvdn, objects, r2r, r4r, space

PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        profile.key: profile
        for profile in (
            r2r.R2R,
            r2r.DUET,
            r4r.R4R,
            objects.REVERIE,
            objects.SOON,
            cvdn.CVDN,
            cvdn.PLANNER,
            cvdn.PLAYER,
            space.VLNCE,
            space.OPEN_NAV,
            space.VLN_PE,
            space.VLNVERSE,
            space.VLNVERSE_HUMAN,
            r2r.NAVBENCH,
            objects.MSNAV,
            answers.CAPNAV,
            answers.RELEASED,
        )
    }
)


def find_profile(key: str) -> Profile:
    """The profile of a key.

    Raises:
        InputError: If there is none.
    """
    if key not in PROFILES:
        raise InputError(f"{key!r} is no metric profile; there are {', '.join(PROFILES)}")
    return PROFILES[key]
