"""``waypost replay``: one episode of a run, step by step, as text, JSON, picture or film."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.path_types import file_to_read, file_to_write, path_to_read
from waypost.app.commands.arguments.run_options import add_run_arguments, source_of
from waypost.app.commands.output.drawing_application import drawing_application
from waypost.app.terminal.messages import warn
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.errors import InputError
from waypost.domain.base.visible_text import visible_line
from waypost.domain.replay.step import Step
from waypost.domain.scene.occupancy_map import OccupancyMap
from waypost.io.occupancy_maps import read_occupancy_map
from waypost.report.strip_making import StripMaker, opened_strips
from waypost.services.replay.finding import find_replay
from waypost.services.replay.loading import ReplayedEpisode

_SHOWN = 60


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_run_arguments(parser)
    parser.add_argument("--episode", required=True, metavar="ID", help="as the run names it")
    parser.add_argument(
        "--attempt", type=int, default=1, metavar="N", help="which run of the episode (default: 1)"
    )
    parser.add_argument(
        "--png", type=file_to_write, metavar="OUT", help="draw instruction, map and scores"
    )
    parser.add_argument(
        "--step", type=int, metavar="N", help="draw the picture up to this step, with its options"
    )
    parser.add_argument("--gif", type=file_to_write, metavar="OUT", help="a film of all steps")
    parser.add_argument("--mp4", type=file_to_write, metavar="OUT", help="the same as a video")
    parser.add_argument(
        "--pictures",
        type=path_to_read,
        metavar="DIR|FILM",
        help="panoramas, frames or an mp4 to show above the map",
    )
    parser.add_argument(
        "--map",
        type=file_to_read,
        metavar="YAML",
        help="occupancy map of ROS to draw under the map",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Replay, draw and print; what belongs to the drawing is looked at before the run is read.

    Returns:
        0.
    """
    warnings: list[str] = []
    wanted = _wanted(options)
    below = read_occupancy_map(options.map) if options.map else None
    with opened_strips(options.pictures) as strip:
        shown = exhaust_shown(
            find_replay(source_of(options), options.episode, options.attempt, warnings)
        )
        for sentence in warnings:
            warn(sentence)
        said = _share(options, shown, wanted, strip, below)
    if options.json:
        write_json(document(shown))
        return 0
    for line in [*_lines(shown), *said]:
        write_line(line)
    return 0


def _wanted(options: Namespace) -> list[Path]:
    """The files asked for."""
    wanted = {
        name: path for name in ("png", "gif", "mp4") if (path := getattr(options, name)) is not None
    }
    for name, path in wanted.items():
        if path.suffix.lower() != f".{name}":
            raise InputError(f"--{name}: {path} does not end in .{name}")
    ask = "ask for one with --png, --gif or --mp4"
    if options.map and not wanted:
        raise InputError(f"--map: lies under a picture; {ask}")
    if options.pictures and not wanted:
        raise InputError(f"--pictures: stand in a picture; {ask}")
    if options.step is not None and options.png is None:
        raise InputError("--step: says how far --png is drawn, which is not asked for")
    return list(wanted.values())


def _share(
    options: Namespace,
    shown: ReplayedEpisode,
    wanted: list[Path],
    strip: StripMaker | None,
    below: OccupancyMap | None,
) -> list[str]:
    """Write the files asked for; what is said of each."""
    if not wanted:
        return []
    application = drawing_application()
    # Text and JSON need no Qt, and machines without a display may lack its libraries.
    from waypost.app.shell.qt_application import collecting  # noqa: PLC0415
    from waypost.report.share import ShareRequest, share_episode  # noqa: PLC0415

    said = []
    for path in wanted:
        request = ShareRequest(
            shown,
            path,
            title=options.results.name,
            step=options.step,
            strip=strip,
            background=below,
        )
        said.append(exhaust_shown(collecting(share_episode(request))).message)
    del application
    return said


def document(shown: ReplayedEpisode) -> dict[str, Any]:
    """The JSON document of one replay."""
    replay, scores = shown.replay, shown.scores
    return {
        "episode": replay.episode.episode_id,
        "steps": [_step_object(step) for step in replay.steps()],
        "first_deviation_step": replay.first_deviation_step,
        "reference_note": None if replay.episode.placing is None else replay.episode.placing.note,
        "ended_by": replay.ended_by,
        "no_path_because": replay.why_no_path or None,
        "stated_by_source": dict(replay.run.reported),
        "tags": [{"tag": tag.kind.value, "step": tag.step} for tag in shown.tags],
        "metrics": dict(scores.values),
        "profile": scores.profile.key,
        "undefined": dict(scores.reasons),
    }


def _step_object(step: Step) -> dict[str, Any]:
    return {
        "index": step.index,
        "viewpoint": step.viewpoint_id or None,
        "position_m": None if step.position_m is None else list(step.position_m),
        "heading_rad": step.heading_rad,
        "event": step.event,
        "thought": step.thought or None,
        "action": step.action or None,
        "on_reference": step.on_reference,
    }


def _lines(shown: ReplayedEpisode) -> list[str]:
    replay, episode = shown.replay, shown.replay.episode
    lines = [f"episode {episode.episode_id}, scene {episode.scene_id or 'unknown'}"]
    if episode.instruction.text:
        lines.append(f"instruction: {' '.join(episode.instruction.text.split())}")
    if episode.placing is not None:
        lines.append(f"reference: {episode.placing.note}")
    lines.append("")
    if replay.why_no_path:
        lines.append(replay.why_no_path)
    if len(replay):
        lines.append(f"{'step':>4}  {'event':<15} {'to goal':>8}  {'reference':<9}  place, thought")
    for step in replay.steps():
        away = "" if step.to_goal_m is None else f"{step.to_goal_m:.2f} m"
        follows = {True: "on", False: "off", None: ""}[step.on_reference]
        text = f"{_place(step)}  {_short(step.thought)}".rstrip()
        mark = " <- first deviation" if step.index == replay.first_deviation_step else ""
        lines.append(f"{step.index:>4}  {step.event:<15} {away:>8}  {follows:<9}  {text}{mark}")
    lines += ["", f"ended by: {replay.ended_by}"]
    lines += [f"{tag.kind.value} (step {tag.step}): {tag.reason}" for tag in shown.tags]
    lines += ["", f"{shown.scores.profile.title} (profile {shown.scores.profile.key})"]
    for metric in shown.scores.profile.metrics:
        value = shown.scores.values[metric.key]
        told = f"undefined: {shown.scores.reasons[metric.key]}" if value is None else f"{value:.4f}"
        lines.append(f"  {metric.key:<12} {told}")
    for name, stated in replay.run.reported.items():
        told = "unknown" if stated is None else f"{stated:.4f}"
        lines.append(f"  {visible_line(name):<12} {told}, as the source states it")
    return lines


def _place(step: Step) -> str:
    if step.viewpoint_id:
        return step.viewpoint_id
    if step.position_m is None:
        return ""
    return "({:.2f}, {:.2f}, {:.2f})".format(*step.position_m)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
