"""The options of commands that read a scene: which files, corrections of it, and gaps in it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from waypost.app.commands.arguments.path_types import folder_to_read
from waypost.app.terminal.messages import note, warn
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.scene.gaps import refusal_to_drive
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.open_scene import read_scene
from waypost.services.scene_assets import AssetKeywords

_SHOWN = 3


def add_asset_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="also read files that the scene names outside its own folder",
    )
    parser.add_argument(
        "--asset-folder",
        type=folder_to_read,
        action="append",
        default=[],
        metavar="DIR",
        help="folder of assets that counts as the scene's own; can be given again",
    )


def add_correction_options(parser: ArgumentParser) -> None:
    """Declare what is said of a scene instead of what its file says."""
    parser.add_argument(
        "--up-axis", choices=("Y", "Z"), help="which axis is up, instead of what the file says"
    )
    parser.add_argument(
        "--metres-per-unit",
        type=float,
        metavar="M",
        help="length of a unit, instead of what the file says",
    )


def add_gaps_option(parser: ArgumentParser) -> None:
    """Declare ``--allow-gaps``, of commands that drive."""
    parser.add_argument(
        "--allow-gaps", action="store_true", help="drive even where geometry is missing"
    )


def check_gaps(scene: Scene, options: Namespace) -> None:
    """Refuse to drive in a scene that lacks geometry unless that was allowed, which is said.

    Raises:
        InputError: Naming what is missing.
    """
    refusal = refusal_to_drive(scene)
    if refusal and not options.allow_gaps:
        raise InputError(f"{scene.path}: {refusal}; --allow-gaps drives all the same")
    if refusal:
        warn(refusal)


def asset_options(options: Namespace) -> AssetKeywords:
    """What was given."""
    return {"allow_outside": options.allow_outside, "asset_folders": options.asset_folder}


def given_scene(options: Namespace) -> Scene:
    """Read the scene that ``--scene`` names as the options say, and note what was left out.

    Raises:
        ReadError: If it cannot be read.
        InputError: If the unit is not above 0.
    """
    return note_outside(
        read_scene(
            options.scene,
            up_axis=options.up_axis,
            metres_per_unit=options.metres_per_unit,
            **asset_options(options),
        )
    )


def refuse_corrections(options: Namespace) -> None:
    """Refuse corrections where there is no ``--scene``; a project says itself how its is read.

    Raises:
        InputError: If one was given.
    """
    given = {"--up-axis": options.up_axis, "--metres-per-unit": options.metres_per_unit}
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name}: belongs to --scene; of a project's scene, waypost scene set says it"
            )


def note_outside(scene: Scene) -> Scene:
    """Say which files outside the folder of a scene were left out.

    Returns:
        The scene, for convenience.
    """
    left_out = list(dict.fromkeys(a.asset for a in scene.outside_assets if not a.is_followed))
    if left_out:
        more = ", …" if len(left_out) > _SHOWN else ""
        count = counted(len(left_out), "file", "files")
        note(
            f"{scene.path}: {count} outside the scene's folder left out"
            f" ({', '.join(left_out[:_SHOWN])}{more}); --allow-outside reads them"
        )
    return scene
