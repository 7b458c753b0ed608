"""Make the pictures of README and docs anew, in the real window.

    .venv/bin/python -m tools.pictures [small_house.glb]

The main job is performed on the sample, and its screenshots are kept. Those of runs in the small
house are made where its scene is, which is not part of Waypost; otherwise they stay as they are.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from tools.small_house import make
from waypost.app.score.spec import SCORE
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import WINDOW_SIZE, perform, take_picture, wait_until
from waypost.demo.replay_show import ReplayShow
from waypost.sample.sample_project import write_sample

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
HOUSE = ROOT.parent / "shared" / "data" / "scenes" / "small_house" / "small_house.glb"
ANALYST, LEAD = "ada", "lea"
OPEN, NAVGPT, MAPGPT = (f"Scripted agent, {form} form" for form in ("open", "NavGPT", "MapGPT"))


def main() -> int:
    """Write ``docs/pictures``."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    scene = Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        keep(perform(folder / "demo").parent)
        keep(score_sample(folder / "score"))
        if scene.is_file():
            keep(replay_in_house(scene, folder / "house"))
    return 0


def score_sample(folder: Path, theme: str = "dark") -> Path:
    """Score an instruction of the sample, look at the results, and leave screenshots.

    Args:
        folder: For everything.
        theme: Of the window.

    Returns:
        The folder of the screenshots.
    """
    project = write_sample(folder / "sample", ANALYST)
    shots = folder / "shots"
    shots.mkdir()
    with _opened(project, folder, theme) as window:
        window.show_workspace("score")
        window.notices.put_away()
        scoring = window.workspaces.of(SCORE)
        path = scoring.face.path
        wait_until(lambda: path.walk_view.view.image is not None, 60, "the walk")
        wait_until(lambda: path.ends.goal.image is not None, 60, "the goal")
        scoring.give(4)
        scoring.face.step_criterion(1)
        take_picture(window, shots / "score_sheet.png")
        # Others' scores are shown to who scores nothing.
        lead = dataclasses.replace(window.bench.settings, annotator=LEAD)
        window.bench.change_settings(lead)
        scoring.toggle_results()
        wait_until(lambda: scoring.results.agreement.table.rowCount() > 0, 60, "the results")
        scoring.results.show_page("Agreement")
        take_picture(window, shots / "score_agreement.png")
    return shots


@contextmanager
def _opened(project: Path, folder: Path, theme: str) -> Iterator[MainWindow]:
    """The window of the analyst on a project, once its scene is there."""
    with opened_window(folder / "settings", folder / "data") as window:
        settings = window.bench.settings
        window.bench.change_settings(dataclasses.replace(settings, annotator=ANALYST, theme=theme))
        window.resize(*WINDOW_SIZE)
        window.show()
        window.bench.open_project(project)
        wait_until(lambda: window.bench.scene is not None, 60, "the scene to open")
        yield window


def replay_in_house(scene: Path, folder: Path, theme: str = "dark") -> Path:
    """Replay runs in the small house and leave screenshots.

    Args:
        scene: ``small_house.glb``.
        folder: For everything.
        theme: Of the window.

    Returns:
        The folder of the screenshots.
    """
    project = make(scene, folder / "small_house")
    shots = folder / "shots"
    shots.mkdir()
    with _opened(project, folder, theme) as window:
        show = ReplayShow(window, wait_until)

        def take(name: str) -> None:
            take_picture(window, shots / f"replay_{name}.png")

        show.choose(MAPGPT)
        show.open_episode("1_1", 2)
        show.show("map", "Memory")
        take("memory")
        show.choose(OPEN)
        show.open_episode("2_0", 5, "scene")
        show.show("scene", "Metrics")
        take("scene")
        show.show("first_person", "Step")
        take("eyes")
        show.choose(OPEN, NAVGPT, MAPGPT)
        show.open_episode("2_1", 2, "compare")
        take("compare")
        show.show("charts", "Causes")
        take("charts")
        show.show("table", "Step")
        take("table")
    return shots


def keep(folder: Path) -> None:
    """Copy screenshots with few colours, which makes them small."""
    for source in sorted(folder.glob("*.png")):
        target = FOLDER / source.name
        with Image.open(source) as picture:
            palette = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            palette.save(target, optimize=True)
        print(target)


if __name__ == "__main__":
    sys.exit(main())
