"""Instructions of episodes, tables, JSON and JSON lines; what is refused and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from worlds.vln_worlds import line_annotations

from waypost.domain.base.errors import ReadError
from waypost.domain.score.instruction_text import InstructionText
from waypost.io.scores.instruction_files import read_instructions

ROWS = [
    {"item": "a", "text": "Go left,\r\nthen \"stop\"", "source": "human", "task": "fine"},
    {"item": "b", "text": "=cmd()", "facts": ["actions_given"], "names": {"target": ["mug", "cup"]},
     "mood": "glad"},
]  # fmt: skip


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_bytes(text.encode())
    return file


@pytest.fixture(params=["json", "object", "jsonl", "csv"])
def plain_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same two instructions in each plain form."""
    if request.param == "json":
        return written(tmp_path, "i.json", json.dumps(ROWS))
    if request.param == "object":
        return written(tmp_path, "i.json", json.dumps({"instructions": ROWS}))
    if request.param == "jsonl":
        return written(tmp_path, "i.jsonl", "\n".join(map(json.dumps, ROWS)))
    head = "item;text;source;task;facts;names.target;mood\r\n"
    rows = 'a;"Go left,\r\nthen ""stop""";human;fine;;;\r\nb;\'=cmd();;;actions_given;mug|cup;glad'
    return written(tmp_path, "i.csv", "\ufeff" + head + rows)


def test_plain_forms_say_the_same(plain_file: Path) -> None:
    first, second = read_instructions(plain_file).instructions
    assert first == InstructionText("a", 'Go left,\r\nthen "stop"', "human", "fine")
    assert (second.text, second.facts, second.extra["mood"]) == (
        "=cmd()", ("actions_given",), "glad",
    )  # fmt: skip
    assert second.names == {"target": ("mug", "cup")}


def test_texts_alone_are_numbered(tmp_path: Path) -> None:
    found = read_instructions(written(tmp_path, "i.json", '["Go", "Stop"]'))
    assert [(entry.item, entry.text) for entry in found.instructions] == [
        ("1", "Go"), ("2", "Stop"),
    ]  # fmt: skip


def test_episodes_give_their_instructions(tmp_path: Path) -> None:
    file = tmp_path / "val.json"
    file.write_text(json.dumps(line_annotations()))
    found = read_instructions(file)
    assert found.format == "vlnce-r2r"
    (entry,) = found.instructions
    assert (entry.item, entry.episode_id, entry.dataset) == ("7", "7", "vlnce-r2r")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("i.csv", "item,words\na,b", "line 2: has none of text and instruction"),
        ("i.csv", "item,text\na,Go\na,Stop", "item: 'a' is the id of two instructions"),
        ("i.csv", "item,text\na,", "line 2: its text is empty"),
        ("i.json", '[{"text": 3}]', "[0].text: is a number, not text"),
        ("i.json", "[]", "file: holds no instruction"),
        ("i.jsonl", '{"text": "a"}\n{"text"', "line 2: the file ends too early"),
    ],
)
def test_a_bad_file_is_refused_by_place(name: str, text: str, said: str, tmp_path: Path) -> None:
    file = written(tmp_path, name, text)
    with pytest.raises(ReadError) as error:
        read_instructions(file)
    assert said in str(error.value)


@pytest.mark.realdata
def test_vlnverse_gives_each_style_an_item(shared_data: Path) -> None:
    coarse = read_instructions(shared_data / "vlnverse" / "coarse_grained_demo.json")
    assert len(coarse.instructions) == 30
    assert {entry.task for entry in coarse.instructions} == {"formal", "natural", "casual"}
    r2r = read_instructions(shared_data / "r2r" / "R2R_val_unseen.json")
    assert len(r2r.instructions) == 2349
