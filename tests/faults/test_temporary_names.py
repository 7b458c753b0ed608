"""Where work is done on a temporary file, an error names what the user named."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.replay_files import write_run
from worlds.box_scenes import plate, scene

from tools.scene_files import write_usd
from tools.scene_files.write_usd import write_usd as write_stage
from waypost.app.main import main
from waypost.domain.base.errors import WriteError
from waypost.services.evaluation import buckets

pytestmark = pytest.mark.faults


@pytest.fixture
def small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 10)


@pytest.mark.usefixtures("small_buckets")
def test_a_scratch_folder_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert main(["validate", "--annotations", str(files.annotations)]) == 2
    said = capsys.readouterr()
    place = tmp_path / "gone"
    assert said.err == f"error: {place}: file: cannot be written: No such file or directory\n"


@pytest.mark.usefixtures("small_buckets")
def test_a_full_scratch_folder_is_named_and_not_a_file_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", str(scratch / "waypost-x" / "0-episodes"))

    monkeypatch.setattr("waypost.services.evaluation.buckets.pickle.Pickler", full)
    assert main(["validate", "--annotations", str(files.annotations)]) == 2
    said = capsys.readouterr()
    assert said.err == f"error: {scratch}: file: cannot be written: No space left on device\n"
    assert not list(scratch.iterdir())


def test_a_stage_that_cannot_be_encoded_is_named_and_not_its_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_usd.tempfile, "tempdir", str(tmp_path / "gone"))
    path = tmp_path / "home.usdc"
    with pytest.raises(WriteError) as refused:
        write_stage(scene(plate("floor", (0, 0), (1, 1), 0.0)), path)
    assert str(refused.value).startswith(f"{path}: file: cannot be written: OpenUSD cannot")
    assert not path.exists()
