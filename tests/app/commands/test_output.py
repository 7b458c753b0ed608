"""Standard output and the keyboard: what is closed, full, of few letters or interrupted."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from fixtures.replay_files import write_run

from waypost.app.commands import replay
from waypost.app.main import main
from waypost.app.terminal import output
from waypost.domain.base.errors import WriteError


def _printed(monkeypatch: pytest.MonkeyPatch, encoding: str, act: object, value: object) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert callable(act)
    act(value)
    output.flush_output()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("encoding", "text"), [("ascii", "é→"), ("utf-8", "half \ud800"), ("latin-1", "é→")]
)
def test_json_of_any_text_is_json_in_any_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str, text: str
) -> None:
    assert json.loads(_printed(monkeypatch, encoding, output.write_json, [text])) == [text]


def test_a_line_writes_letters_that_an_encoding_lacks_as_escapes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _printed(monkeypatch, "latin-1", output.write_line, "é→") == "é\\u2192\n"


def test_a_closed_output_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    output.flush_output()
    with pytest.raises(
        WriteError, match=r"^standard output: file: cannot be written: it is closed"
    ):
        output.write_line("x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_the_output_is_one_sentence(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    program = "import sys; from waypost.app.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "replay", str(files.results), "--episode", "7_0"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output: file: cannot be written: No space left")
    assert len(done.stderr.splitlines()) == 1


def test_an_interrupt_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "run", interrupted)
    assert main(["replay", __file__, "--episode", "1"]) == 130
    assert capsys.readouterr().err == "error: interrupted\n"
