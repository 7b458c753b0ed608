"""Opens a folder or film of pictures, whatever layout it is in."""

from __future__ import annotations

from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.io.camera_takes.manifest import MANIFEST
from waypost.io.camera_takes.pose_files import poses_path
from waypost.io.foreign_errors import reader
from waypost.io.picture_sources.layouts import Layout, find_layout
from waypost.io.picture_sources.panorama_folder import PanoramaFolder
from waypost.io.picture_sources.run_frames import RunFrames
from waypost.io.picture_sources.source import PictureSource
from waypost.io.picture_sources.take_frames import TakeFrames
from waypost.io.picture_sources.tour_frames import TourFrames
from waypost.io.picture_sources.viewpoint_pictures import StatedLenses, ViewpointPictures
from waypost.io.recordings.take_frames import CAMERA_FILE


@reader
def open_picture_source(
    path: Path, layout: Layout | None = None, stated: StatedLenses | None = None
) -> PictureSource:
    """Open pictures; the layout is told by names where it is not given.

    Args:
        path: A folder, an mp4 film or npy array of one run, or the mp4 of a tour with its poses.
        layout: How the names are meant, where they allow several readings.
        stated: Lenses, where files do not state them.

    Raises:
        ReadError: If nothing fits, or a manifest cannot be used.
    """
    file = str(path)
    if path.is_file():
        if path.suffix.lower() not in {".mp4", ".npy"}:
            raise ReadError(file, "file", "is neither a folder of pictures nor an mp4 film")
        return TourFrames(path) if poses_path(path).is_file() else RunFrames(path)
    if not path.is_dir():
        raise ReadError(file, "file", "does not exist")
    if layout is None and (path / CAMERA_FILE).is_file():
        return TakeFrames(path)
    if layout is None:
        is_ours = (path / MANIFEST).is_file()
        layout = Layout.MANIFEST if is_ours else find_layout(path)
    if layout is Layout.MANIFEST:
        return PanoramaFolder(path)
    if layout in {Layout.FRAMES, Layout.VIDEO}:
        return RunFrames(path)
    if layout is None:
        raise ReadError(
            file,
            "folder",
            "no picture in it is named as panoramas of viewpoints (VIEWPOINT_0 … _270, _left …"
            " _back, _skybox0_sami … , 0 … 35 in a folder, VIEWPOINT_equirectangular),"
            " as numbered frames or as an mp4",
        )
    return ViewpointPictures(path, layout, stated)
