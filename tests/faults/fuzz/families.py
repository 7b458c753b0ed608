"""All families of inputs, by name."""

from __future__ import annotations

from faults.fuzz.deadly_family import DEADLY
from faults.fuzz.families_of_items import ITEMS
from faults.fuzz.families_of_places import PLACES
from faults.fuzz.families_of_programs import PROGRAMS
from faults.fuzz.families_of_scenes import SCENES
from faults.fuzz.families_of_takes import TAKES
from faults.fuzz.family import Family

FAMILIES: dict[str, Family] = {
    family.name: family for family in (*SCENES, *ITEMS, *PLACES, *TAKES, *PROGRAMS)
}

EVERY_FAMILY: dict[str, Family] = {**FAMILIES, DEADLY.name: DEADLY}
"""With the one that misbehaves on purpose."""
