"""How agents are told apart at a glance: a name that no other has, initials, and a colour."""

from __future__ import annotations

import colorsys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from waypost.domain.traverse.agent import AgentProfile
from waypost.services.appearance import DARK, LIGHT, channels

_COLOURS: Final = (
    ("#ffb066", "#944300"),
    ("#7cc4ff", "#0b5a94"),
    ("#6fd3a8", "#0d6b4a"),
    ("#d9a6ff", "#6d3aa8"),
    ("#ff9db5", "#9c1f47"),
    ("#e6d35a", "#6b5d00"),
    ("#62d6d6", "#00666b"),
)
"""For dark and for light ground, each with a contrast of 4.5:1 or more to the panels."""

_LEAST_CONTRAST: Final = 4.5
_MIDDLE_LUMINANCE: Final = 0.18
_SHADES: Final = 50


@dataclass(frozen=True, slots=True)
class AgentMark:
    """What tells one agent from the others of its project."""

    name: str
    initials: str
    """One or two letters."""

    on_dark: str
    """Its colour over dark ground, and in a scene, as ``#rrggbb``."""

    on_light: str

    def colour(self, *, is_dark: bool) -> str:
        """Its colour in a theme."""
        return self.on_dark if is_dark else self.on_light


def agent_marks(agents: Mapping[str, AgentProfile]) -> Mapping[str, AgentMark]:
    """The mark of every agent of a project, by key.

    Of two with one name the later has a number behind it. A colour of its own is made lighter over
    dark ground and darker over light ground, as far as it must be to be read there. Other colours
    go by the place among the agents; after the seventh they come again.
    """
    marks: dict[str, AgentMark] = {}
    names: set[str] = set()
    initials: set[str] = set()
    for place, (key, profile) in enumerate(agents.items()):
        name = free_name(profile.name, names)
        letters = next(found for found in _initials(name) if found not in initials)
        names.add(name)
        initials.add(letters)
        colours = _COLOURS[place % len(_COLOURS)]
        if profile.colour:
            colours = (
                readable(profile.colour, DARK.raised),
                readable(profile.colour, LIGHT.raised),
            )
        marks[key] = AgentMark(name, letters, *colours)
    return marks


def agent_names(agents: Mapping[str, AgentProfile]) -> Mapping[str, str]:
    """The name of every agent of a project that no other has, by key."""
    return {key: mark.name for key, mark in agent_marks(agents).items()}


def own_shade(profile: AgentProfile) -> str:
    """The agent's own colour over dark ground, and in a scene; empty if it has none."""
    return readable(profile.colour, DARK.raised) if profile.colour else ""


def readable(colour: str, ground: str) -> str:
    """A colour of the same hue that has a contrast of 4.5:1 or more to its ground.

    Source:
        WCAG 2.2, relative luminance and contrast ratio.
    """
    hue, light, saturation = colorsys.rgb_to_hls(*channels(colour))
    behind = _luminance(channels(ground))
    towards = 1.0 if behind < _MIDDLE_LUMINANCE else 0.0
    for share in range(_SHADES + 1):
        lightness = light + (towards - light) * share / _SHADES
        parts = colorsys.hls_to_rgb(hue, lightness, saturation)
        shade = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
        lighter, darker = sorted((_luminance(channels(shade)), behind), reverse=True)
        if (lighter + 0.05) / (darker + 0.05) >= _LEAST_CONTRAST:
            return shade
    return "#ffffff" if towards else "#000000"


def _luminance(parts: Collection[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def free_name(wanted: str, taken: Collection[str]) -> str:
    """A name that nobody has: the wanted one, or that with the first free number behind it."""
    wanted = wanted.strip() or "Agent"
    if wanted not in taken:
        return wanted
    return next(name for n in count(2) if (name := f"{wanted} {n}") not in taken)


def _initials(name: str) -> Iterator[str]:
    """Proposals, the best first; they never end."""
    words = [word for word in name.split() if word[0].isalnum()] or [name]
    first = words[0][0].upper()
    if len(words) > 1:
        yield first + words[1][0].upper()
    else:
        yield first
    yield from (first + letter for letter in words[0][1:].lower() if letter.isalnum())
    yield from (f"{first}{number}" for number in count(2))
