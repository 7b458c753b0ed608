"""What labels and measures of a project would be judged on now, for everyone who asks."""

from __future__ import annotations

from typing import Final

from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Circumstances
from waypost.simulators.protocol import MoverSettings

MOVER_HASH: Final = MoverSettings().settings_hash
"""Of the mover settings that every engine of this Waypost is given."""


def circumstances(project: Project, scene_hash: str | None) -> Circumstances:
    """What a passage of a project would be judged on.

    Window, command line, exports, reports and notebooks all ask here, so that they agree on
    what is stale.

    Args:
        project: As it is.
        scene_hash: Content hash of its scene; empty or ``None`` if that is not known.
    """
    return Circumstances(
        project.graph, project.agents, scene_hash or "", MOVER_HASH, project.passage_rule
    )
