"""Questions that ask about something that is not there, as CapNav's traverse files list them.

The file names them by their text under ``_hallucinatedQuestions``.
Source: makeabilitylab/CapNav:annotator/src/annotation.js.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from waypost.domain.scene.graph import Extra
from waypost.domain.traverse.task import Task
from waypost.io.graphs.capnav_source import remembered

HALLUCINATED_KEY: Final = "_hallucinatedQuestions"
"""Key of the traverse file."""


def listed_as_hallucinated(extra: Extra) -> tuple[str, ...]:
    """The questions that the traverse file lists which a graph remembers; none without a file."""
    kept = remembered(extra).get("traverse", {}).get(HALLUCINATED_KEY, {}).get("value", [])
    return tuple(text for text in kept if isinstance(text, str)) if isinstance(kept, list) else ()


def with_hallucinated(tasks: tuple[Task, ...], listed: Iterable[str]) -> tuple[Task, ...]:
    """The questions, those of the list marked; ones that are marked already stay so."""
    texts = set(listed)
    return tuple(
        replace(task, is_hallucinated=True) if task.question in texts else task for task in tasks
    )


def hallucinated_questions(tasks: tuple[Task, ...], extra: Extra) -> tuple[str, ...]:
    """What to list in a traverse file: its own order first, then what was marked here.

    A text of the file that is no question of the project is kept.
    """
    marked = [task.question for task in tasks if task.is_hallucinated]
    restored = {task.question for task in tasks} - set(marked)
    kept = [text for text in listed_as_hallucinated(extra) if text not in restored]
    return tuple(dict.fromkeys((*kept, *marked)))
