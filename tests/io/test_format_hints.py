"""Files that no format knows: one sentence of what is in them and what they resemble."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures import episode_samples, run_samples

from waypost.domain.base.errors import ReadError
from waypost.io import known_formats
from waypost.io.file_head import read_head
from waypost.io.format_hints import _keys as keys_of
from waypost.io.format_hints import closest_formats
from waypost.io.logs.run_format import RunFormat

TYPED = 'a JSON array of objects with the keys "instr_id", "trajektory"'
MAPGPT = "mapgpt (without trajectory and a_t)"
DETAILS = "duet-details (without trajectory and details)"
BEGINS = 'text that begins with "pos_x,pos_y 1,2"'
LOOKLESS = "(without pos_z and look_x and look_y)"
RUN_KEYS = {entry.name: entry.keys for entry in known_formats.RUN_FORMATS}
EPISODE_KEYS = {entry.name: entry.keys for entry in known_formats.EPISODE_FORMATS}
ALL = "`waypost convert --list` names all formats"


def refusal(path: Path, content: str | bytes, *, episodes: bool = False) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    find = known_formats.EPISODE_FORMATS.find if episodes else known_formats.RUN_FORMATS.find
    with pytest.raises(ReadError) as caught:
        find(path)
    assert caught.value.place == "file"
    return caught.value.reason


@pytest.mark.parametrize("name", run_samples.SAMPLES)
def test_a_run_file_has_the_keys_of_its_format(name: str, tmp_path: Path) -> None:
    file, text = run_samples.SAMPLES[name]
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    keys = keys_of(read_head(path))
    assert not RUN_KEYS[name] or keys & set(RUN_KEYS[name])
    if RUN_KEYS[name] and name != "score-totals":
        assert any(told.startswith(f"{name} (") for told in closest_formats(keys, RUN_KEYS))


@pytest.mark.parametrize("sample", episode_samples.SAMPLES, ids=lambda s: f"{s.format}:{s.name}")
def test_an_episode_file_has_the_keys_of_its_format(
    sample: episode_samples.Sample, tmp_path: Path
) -> None:
    keys = keys_of(read_head(sample.write(tmp_path)))
    wanted = EPISODE_KEYS[sample.format]
    assert not wanted or len(keys & set(wanted)) >= len(wanted) / 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[{"what": 1}]', 'a JSON array of objects with the key "what"'),
        (
            '[{"instr_id": "7_0", "trajektory": []}]',
            f"{TYPED}; closest are r2r (without trajectory), {DETAILS}, {MAPGPT}",
        ),
        ('{"a": 1, "b": 2, "c": 3, "d\\u202e": 4}',
         'a JSON object with the keys "a", "b", "c" and 1 more'),
        ('{"a": 1}\n{"a": 2}\n', 'JSON lines of objects with the key "a"'),
        ("{", "a JSON object without keys"),
        ("[1, 2]", "a JSON array of other things than objects"),
        ("pos_x,pos_y\n1,2\n", f"{BEGINS}; closest is vlnverse-csv {LOOKLESS}"),
        ("hello \x1b[31m", 'text that begins with "hello ⟨ESC⟩[31m"'),
        (b"\x89PNG\x00\x00", "no text"),
        ('{"7": [{"position": [0, 0, 0], "stop": true}]}',
         'a JSON object with the key "7"; closest is vlnce-r2r (without heading)'),
    ],
)  # fmt: skip
def test_one_sentence(content: str | bytes, told: str, tmp_path: Path) -> None:
    reason = refusal(tmp_path / "x.json", content)
    assert reason == f"holds no runs in a known format, but {told}; {ALL}"


@pytest.mark.parametrize("between", ["", " "])
@pytest.mark.parametrize("opening", ['{"instr_id": "7_0", "trajectory": []}', '[{"what": 1}]'])
def test_values_one_behind_the_other_are_called_that(
    opening: str, between: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    for episodes in (True, False):
        reason = refusal(path, opening + between + opening, episodes=episodes)
        assert "the file goes on after this first value" in reason
        assert "closest" not in reason
        assert "goes on" not in refusal(path, opening, episodes=episodes)


def test_episodes_likewise(tmp_path: Path) -> None:
    record = {"scan": "s", "path_id": 7, "path": ["A"], "instruction": ["a", "b"]}
    assert refusal(tmp_path / "x.json", json.dumps([record]), episodes=True) == (
        'holds no episodes in a known format, but a JSON array of objects with the keys "scan",'
        ' "path_id", "path" and 1 more; closest are navbench (its keys in another form),'
        " navbench-csv (its keys in another form), r2r (without instructions);"
        f" {ALL}"
    )


def test_folders(tmp_path: Path) -> None:
    for names, told in (
        ((), "an empty folder"),
        (("a", "b", "c", "d", "e"), 'a folder with the names "a", "b", "c" and 2 more'),
    ):
        for name in names:
            (tmp_path / name).write_text("x")
        with pytest.raises(ReadError) as caught:
            known_formats.RUN_FORMATS.find(tmp_path)
        assert caught.value.reason == f"holds no runs in a known format, but {told}; {ALL}"


def test_a_name_that_is_no_format(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    for name, told in (
        ("navgtp", "'navgtp' is no format of runs; closest are navgpt, capnav; "),
        ("zzz", "'zzz' is no format of runs; "),
    ):
        with pytest.raises(ReadError) as caught:
            known_formats.RUN_FORMATS.find(path, name)
        assert (caught.value.place, caught.value.reason) == ("format", told + ALL)


def test_a_format_brings_everything_in_its_own_record(tmp_path: Path) -> None:
    made = RunFormat(
        "made-up", "Made up", lambda head: head.first_has("poses", "mine"), lambda *_: iter(()),
        "none", "nobody/nothing", keys=("poses", "mine"),
    )  # fmt: skip
    known = known_formats.KnownFormats("runs", (made, *known_formats.RUN_FORMATS))
    path = tmp_path / "x.json"
    path.write_text('[{"mine": 1}]')
    with pytest.raises(ReadError, match=r"closest is made-up \(without poses\)"):
        known.find(path)
    path.write_text('[{"mine": 1, "poses": []}]')
    assert known.find(path) is made
