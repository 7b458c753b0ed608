from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.io.json_reading import JsonValue, parse_json, read_json
from waypost.io.json_writing import json_text, write_json_file

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_writing_and_reading_gives_the_same_value(value: object) -> None:
    again = parse_json(json_text(value), "a.json")
    assert again.warnings == ()
    assert json.dumps(again.root.value) == json.dumps(value)


@given(json_values)
def test_a_cut_off_file_never_opens(value: object) -> None:
    text = json_text({"nodes": [value, value]}).strip()
    for end in range(1, len(text), 1 + len(text) // 40):
        with pytest.raises(ReadError):
            parse_json(text[:end], "a.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"nodes": [',
            "a.json: line 1, column 12: the file ends too early, as if it were cut off",
        ),
        ('{"a": 1}\n{"b"', "a.json: line 2, column 1: the file goes on after its JSON value"),
        ('{"a": "x', "a.json: line 1, column 7: the file ends too early, as if it were cut off"),
        ("{'a': 1}", "a.json: line 1, column 2: is not JSON: Expecting property name enclosed in"),
        ("[" * 200_000, "a.json: file: is nested too deeply"),
        ("1" * 5000, "a.json: file: holds a number with too many digits"),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse_json(text, "a.json")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_packed_misnamed_and_marked_files(
    tmp_path: Path, name: str, encoding: str, is_packed: bool
) -> None:
    data = '{"näme": 1}'.encode(encoding)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if is_packed else data)
    assert read_json(path).root.value == {"näme": 1}


def test_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    data = gzip.compress(b'{"a": 1}' * 100)
    path.write_bytes(data[:-10])
    with pytest.raises(ReadError, match="file: is a damaged or cut-off gzip file"):
        read_json(path)
    path.write_bytes(gzip.compress(b" \n"))
    with pytest.raises(ReadError, match="file: is empty"):
        read_json(path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a\0b", "cannot be read: its name holds a null character"),
        ("a" * 300, "cannot be read: File name too"),
    ],
)
def test_names_that_no_file_can_have(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(ReadError, match=f"file: {reason}"):
        read_json(tmp_path / name)


def test_nan_tokens_and_repeated_keys_are_warnings() -> None:
    document = parse_json('{"a": NaN, "b": [-Infinity, NaN], "a": 1}', "a.json")
    assert document.root.value == {"a": 1, "b": [-math.inf, document.root.value["b"][1]]}
    assert math.isnan(document.root.value["b"][1])
    assert document.warnings == (
        "a.json: NaN appears 2× and is not JSON",
        "a.json: -Infinity appears 1× and is not JSON",
        "a.json: an object repeats the key 'a'; the last counts",
    )


def test_nan_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json_file(path, {"a": [math.nan, math.inf, 1.5], "b": (1,)})
    assert json.loads(path.read_text()) == {"a": [None, None, 1.5], "b": [1]}


def test_half_a_surrogate_pair_survives_unread_but_is_refused_as_text() -> None:
    root = parse_json('{"name": "\\ud800"}', "a.json").root
    assert json.loads(json_text(root.value)) == {"name": "\ud800"}
    with pytest.raises(ReadError, match=r"a\.json: name: holds half of a surrogate pair"):
        root.field("name").as_text()


def _root(value: object) -> JsonValue:
    return JsonValue(value, "a.json")


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda r: r.field("b"), "b: is missing"),
        (lambda r: next(r.field("a").items()).field("x y"), 'a[0]["x y"]: is missing'),
        (lambda r: r.as_array(), "top level: is an object, not an array"),
        (lambda r: r.field("a").as_object(), "a: is an array, not an object"),
        (lambda r: r.field("n").as_text(), "n: is null, not text"),
        (lambda r: r.field("f").as_number(), "f: is true or false, not a number"),
        (lambda r: r.field("t").as_number(), "t: is text, not a number"),
        (lambda r: r.field("t").as_flag(), "t: is text, not true or false"),
        (lambda r: r.field("i").as_flag(), "i: is a number, not true or false"),
        (lambda r: r.field("nan").as_number(), "nan: nan is not a usable number"),
        (lambda r: r.field("big").as_number(), "big: is too large a number"),
        (lambda r: list(r.field("t").entries()), "t: is text, not an object"),
    ],
)
def test_errors_name_the_place(read, message: str) -> None:
    value = {"a": [{}], "n": None, "f": True, "t": "x", "i": 1, "nan": math.nan, "big": 10**400}
    with pytest.raises(ReadError) as caught:
        read(_root(value))
    assert str(caught.value) == f"a.json: {message}"


def test_values_that_are_right() -> None:
    root = _root({"a": [1, 2.5], "f": False, "t": "é"})
    assert [item.as_number() for item in root.field("a").items()] == [1.0, 2.5]
    assert root.field("f").as_flag() is False
    assert root.field("t").as_text() == "é"
    assert [(key, item.place) for key, item in root.entries()] == [
        ("a", "a"),
        ("f", "f"),
        ("t", "t"),
    ]
    assert root.has("a")
    assert not root.has("z")
    assert not _root([]).has("a")
