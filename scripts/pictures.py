"""Make the pictures of the README anew, by performing the main job and keeping its screenshots."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from waypost.app.demo.performance import perform

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"


def main() -> int:
    """Write ``docs/pictures``."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        report = perform(Path(scratch))
        for source in sorted(report.parent.glob("*.png")):
            target = FOLDER / source.name
            with Image.open(source) as picture:
                palette = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
                palette.save(target, optimize=True)
            print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
