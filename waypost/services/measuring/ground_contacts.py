"""What an agent stands on, as geometry wants to know it."""

from __future__ import annotations

from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.measuring.body import GroundContact, default_contact

_SPHERE_M = 0.013


def ground_contact(profile: AgentProfile) -> GroundContact:
    """The contacts that a profile states; what it does not state is taken from its body.

    Where nothing tells which gap it passes, none is passable that a sphere of 13 mm falls into.

    Source:
        U.S. Access Board, ADA Standards 302.3.
    """
    usual = default_contact(profile)
    gap_m = profile.passable_gap_m
    return GroundContact(
        _SPHERE_M if gap_m is None else gap_m,
        profile.contact_places_m or usual.places,
        profile.contact_width_m or usual.width_m,
    )
