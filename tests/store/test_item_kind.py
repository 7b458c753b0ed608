"""The codec that all kinds of items share: a further field costs no change of tables."""

from __future__ import annotations

import dataclasses
import json
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import pytest
from fixtures.whole_projects import whole_project
from stored_rows import change_rows

from waypost.domain.base.errors import ReadError, StoreError
from waypost.domain.project import Project, set_agent
from waypost.domain.score.sheet_edits import write_decision
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.store import difference, project_items, project_loading, project_store
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import AGENT, DOUBLE_LABEL, FINAL_LABEL, KINDS
from waypost.store.project_store import ProjectStore

CART = AgentProfile("cart", "Cart", BodyShape.BOX, 1.5, 1.0, 1.0, 0.01, *[False] * 3)


@dataclass(frozen=True)
class Motors:
    """A value inside an agent of a later Waypost."""

    count: int
    makers: tuple[str, ...] = ("unknown",)


@dataclass(frozen=True, slots=True)
class LaterAgent(AgentProfile):
    """An agent with the fields that a later Waypost might give it."""

    mass_kg: float | None = None
    motors: Motors = Motors(2)


LATER = replace(AGENT, value_type=LaterAgent)
HEAVY = LaterAgent(
    **{field.name: getattr(CART, field.name) for field in dataclasses.fields(CART)},
    mass_kg=12.5,
    motors=Motors(4, ("Ana", "Ben")),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A project as this Waypost leaves it."""
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, Project("House", agents={"cart": CART}), "ana").close()
    return file


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The store of a Waypost whose agents have further fields; nothing else differs."""
    with monkeypatch.context() as changed:
        kinds = tuple(LATER if kind is AGENT else kind for kind in KINDS)
        changed.setattr(project_store, "KINDS", kinds)
        changed.setattr(project_loading, "KINDS", kinds)
        changed.setattr(project_items, "AGENT", LATER)
        changed.setattr(difference, "KINDS", kinds)
        yield


def test_further_fields_of_an_agent_need_no_migration(file: Path, later: None) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    cart = before.agents["cart"]
    assert cart == LaterAgent(
        **{field.name: getattr(CART, field.name) for field in dataclasses.fields(CART)},
        mass_kg=None,
        motors=Motors(2, ("unknown",)),
    )
    after = set_agent(before, HEAVY)
    store.save(before, after, "ana", "Weigh the cart")
    assert store.load() == after
    assert store.load().agents["cart"] == HEAVY
    store.close()
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no older copy"


def test_a_field_of_a_newer_waypost_is_refused_and_not_lost_at_the_next_save(file: Path) -> None:
    change_rows(file, "UPDATE agents SET payload = ?", (str(LATER.to_row(HEAVY)["payload"]),))
    with pytest.raises(ReadError) as caught:
        ProjectStore.open(file).load()
    assert caught.value.place == "agents, row 1"
    assert (
        caught.value.reason == "'mass_kg' is not known to this Waypost; it may be from a newer one"
    )


def _optional_fields(kind: ItemKind) -> dict[str, object]:
    return {
        field.name: (
            field.default
            if field.default_factory is dataclasses.MISSING
            else field.default_factory()
        )
        for field in dataclasses.fields(kind.value_type)
        if field.name not in kind.key_fields
        and (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
    }


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("whole") / "house.waypost"
    project = whole_project()
    book = project.scoring
    begun = write_decision(book, next(iter(book.sheets.values())), "begun")
    ProjectStore.create(file, dataclasses.replace(project, scoring=begun), "ana").close()
    return file


OF_DATACLASSES = [kind for kind in KINDS if dataclasses.is_dataclass(kind.value_type)]


@pytest.mark.parametrize("kind", OF_DATACLASSES, ids=lambda kind: kind.name)
def test_an_absent_field_has_its_default_and_every_field_is_written(
    kind: ItemKind, whole_file: Path
) -> None:
    with closing(sqlite3.connect(whole_file)) as connection:
        connection.row_factory = sqlite3.Row
        row = dict(connection.execute(f"SELECT * FROM {kind.table.name}").fetchone())  # noqa: S608
    stored = json.loads(row["payload"])
    optional = _optional_fields(kind)
    stamps = {*kind.key_columns, "changed_by", "changed_utc"}
    own = {*kind.key_fields, *(set(kind.table.columns.keys()) - stamps)}
    assert set(stored) == {f.name for f in dataclasses.fields(kind.value_type)} - own
    kept = {name: value for name, value in stored.items() if name not in optional}
    _, item = kind.item_of({**row, "payload": json.dumps(kept)})
    assert {name: getattr(item, name) for name in optional if name in stored} == {
        name: default for name, default in optional.items() if name in stored
    }
    for name in kept:
        lacking = {key: value for key, value in kept.items() if key != name}
        with pytest.raises(ValueError, match=f"'{name}' is missing"):
            kind.item_of({**row, "payload": json.dumps(lacking)})
    with pytest.raises(ValueError, match="'smell' is not known to this Waypost"):
        kind.item_of({**row, "payload": json.dumps({**stored, "smell": "red"})})


@pytest.mark.parametrize("kind", [DOUBLE_LABEL, FINAL_LABEL])
def test_what_a_file_of_others_held_is_kept_also_in_a_label_of_two(kind: ItemKind) -> None:
    """A label table with ``1e999`` in a column of its own was taken in, and never saved."""
    (key, value), *_ = project_items.items_of(kind, whole_project()).items()
    label = replace(value.label, extra=MappingProxyType({"score": -math.inf}))
    value = replace(value, label=label)
    assert kind.item_of({**kind.key_row(key), **kind.to_row(value)}) == (key, value)


@pytest.mark.parametrize("odd", [{"margin_m": math.nan}, {"path_m": ((0.0, math.inf, 0.0),)}])
def test_what_could_not_be_read_again_is_not_written(file: Path, odd: dict[str, object]) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    (way, measure), *_ = whole_project().measures.items()
    after = replace(before, measures={way: replace(measure, **odd)})
    with pytest.raises(StoreError, match="the measure node_1"):
        store.save(before, after, "ana")
    assert store.load() == before
