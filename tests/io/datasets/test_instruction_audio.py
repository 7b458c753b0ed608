"""The audio of a spoken instruction is found by what the record states, or by its id."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.instruction_audio import find_instruction_audio


def episode(own_id: str = "31", **extra: object) -> Episode:
    return Episode(
        "rxr", "val_unseen", own_id, "s1", Instruction("go"), extra=MappingProxyType(extra)
    )


@pytest.mark.parametrize(
    "name",
    ["audio/31.wav", "audio/000031.mp3", "000031_guide.ogg", "rxr_audio/000031_guide_audio.flac"],
)
def test_found_by_the_id_of_the_instruction(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.touch()
    assert find_instruction_audio(episode(), tmp_path / "guide.jsonl") == file
    assert find_instruction_audio(episode("32"), tmp_path / "guide.jsonl") is None


def test_what_the_record_states_goes_before(tmp_path: Path) -> None:
    for name in ("31.wav", "spoken.wav"):
        (tmp_path / name).touch()
    found = find_instruction_audio(episode(audio="spoken.wav"), tmp_path / "guide.jsonl")
    assert found == tmp_path / "spoken.wav"
    missing = find_instruction_audio(episode(audio="gone.wav"), tmp_path / "guide.jsonl")
    assert missing == tmp_path / "31.wav"


@pytest.mark.parametrize("own_id", ["", "../31", "a\0b", "a/b", "31\\"])
def test_an_id_that_is_no_name_leads_nowhere(tmp_path: Path, own_id: str) -> None:
    (tmp_path / "audio").mkdir()
    (tmp_path / "31.wav").touch()
    assert find_instruction_audio(episode(own_id), tmp_path / "audio" / "guide.jsonl") is None
