from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.labels.labels_csv import (
    COLUMNS,
    labels_csv_text,
    parse_labels_csv,
    read_labels_csv,
    write_labels_csv,
)

GRAPH = build_graph(
    [Node("node_1", "=hall, “big”", (0.0, 0.0, 0.0)), Node("node_2", "küche", (1.0, 0.0, 0.0))],
    [Edge("edge_1", "node_1", "node_2")],
)
LABEL = TraversabilityLabel(
    Passage("node_1", "node_2", "human"),
    Verdict.DOES_NOT,
    Reason.DOOR,
    "-locked\r\n“twice”",
    "@ann",
    "2026-11-28T00:00:00+00:00",
    Provenance(
        "s",
        "p",
        "physx",
        "5.3.1",
        "m",
        (0.1, -2.0, 1e-9),
        None,
        ("plant, tall.usd", "/Äste"),
        "friction=0 hull_sides=48",
    ),
)
TEXT = (
    ",".join(COLUMNS) + "\r\n"
    'node_1,"\'=hall, “big”",node_2,küche,human,does_not,door,"\'-locked\r\n“twice”",\'@ann,'
    "2026-11-28T00:00:00+00:00,s,p,physx,5.3.1,m,0.1 -2.0 1e-09,,"
    '"[""plant, tall.usd"", ""/Äste""]",friction=0 hull_sides=48\r\n'
    'node_2,küche,node_1,"\'=hall, “big”",human,,,,,,,,,,,,,,\r\n'
)


def test_one_row_per_passage_and_no_formulas() -> None:
    assert labels_csv_text({LABEL.passage: LABEL}, GRAPH, ["human"]) == TEXT
    assert dict(parse_labels_csv(TEXT, "l.csv")) == {LABEL.passage: LABEL}


def test_nodes_that_are_joined_twice_have_one_row_per_direction() -> None:
    (edge,) = GRAPH.edges.values()
    again = replace(edge, edge_id="again", from_id=edge.to_id, to_id=edge.from_id)
    twice = build_graph(GRAPH.nodes.values(), (edge, again))
    assert labels_csv_text({LABEL.passage: LABEL}, twice, ["human"]) == TEXT


def test_left_out_labels_show_as_undecided() -> None:
    text = labels_csv_text({LABEL.passage: LABEL}, GRAPH, ["human"], frozenset({LABEL.passage}))
    assert not parse_labels_csv(text, "l.csv")
    assert text.count("\r\n") == 3


texts = st.text(max_size=8) | st.sampled_from(
    [
        "=1+1",
        "'=x",
        "''",
        "'",
        "\t",
        "\r",
        "\n",
        "-1",
        "a;b",
        'say "no"',
        "@x",
        "\0",
        "\ufeff",
        " a ",
    ]
)


metres = st.floats(allow_nan=False, allow_infinity=False)
places = st.none() | st.tuples(metres, metres, metres)


@pytest.mark.parametrize("cell", ["1 2", "1 2 x", "1 2 nan", "1 2 3 4"])
def test_a_place_that_is_none_is_said(cell: str) -> None:
    text = f"from_id,to_id,agent,verdict,from_m\na,b,human,travels,{cell}\n"
    with pytest.raises(ReadError, match=r"l.csv: line 2, from_m: "):
        parse_labels_csv(text, "l.csv")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "from_id,to_id,agent,verdict,verdict\na,b,human,travels,uncertain\n",
            "line 1: the column",
        ),
        ("from_id,to_id,agent,verdict,note\na,b,human,travels,over, the rug\n", "line 2: has 6"),
    ],
)
def test_what_would_be_used_in_part_is_refused(text: str, said: str) -> None:
    with pytest.raises(ReadError, match=f"l.csv: {said}"):
        parse_labels_csv(text, "l.csv")


@st.composite
def label_sets(draw: st.DrawFn) -> dict[Passage, TraversabilityLabel]:
    labels = {}
    for passage in (Passage("node_1", "node_2", "human"), Passage("node_2", "node_1", "human")):
        verdict = draw(st.sampled_from([None, *Verdict]))
        if verdict is None:
            continue
        reason = draw(st.sampled_from(Reason)) if verdict is Verdict.DOES_NOT else None
        gaps = tuple(draw(st.lists(texts, max_size=2)))
        origin = Provenance(
            *(draw(texts) for _ in range(5)), draw(places), draw(places), gaps, draw(texts)
        )
        words = (draw(texts), draw(texts), draw(texts))
        labels[passage] = TraversabilityLabel(passage, verdict, reason, *words, origin)
    return labels


@given(label_sets())
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, labels: dict[Passage, TraversabilityLabel]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "l.csv"
    write_labels_csv(path, labels_csv_text(labels, GRAPH, ["human"]))
    assert dict(read_labels_csv(path)) == labels


def test_tables_that_went_through_a_spreadsheet() -> None:
    text = (
        "Verdict;Agent;to_id;from_id;comment\n\n"
        "travels;human;node_2;node_1;ok\n;;;;\n;human;node_1;node_2;\n"
    )
    passage = Passage("node_1", "node_2", "human")
    assert dict(parse_labels_csv(text, "l.csv")) == {
        passage: TraversabilityLabel(passage, Verdict.TRAVELS)
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("from_id,to_id,agent\n", "line 1: the column verdict is missing"),
        ("from_id,to_id,agent,verdict\na,b,,travels", "line 2, agent: is empty"),
        (
            "from_id,to_id,agent,verdict\na,b,c,yes",
            "line 2, verdict: 'yes' is none of travels, does_not, uncertain",
        ),
        (
            "from_id,to_id,agent,verdict,reason\na,b,c,does_not,cat",
            "line 2, reason: 'cat' is none of stairs, step_or_sill, too_narrow,",
        ),
        (
            "from_id,to_id,agent,verdict\na,b,c,does_not",
            "line 2, reason: “does not travel” needs a reason",
        ),
        (
            "from_id,to_id,agent,verdict\na,b,c,travels\na,b,c,uncertain",
            "line 3: repeats the label of a → b",
        ),
        ('from_id,to_id,agent,verdict\na,b,"c,travels', "line 2: is not CSV: unexpected end"),
    ],
)
def test_bad_tables_name_the_line(text: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse_labels_csv(text, "l.csv")
    assert str(caught.value).startswith(f"l.csv: {message}")


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("\n")
    with pytest.raises(ReadError, match="file: is empty"):
        read_labels_csv(path)
    with pytest.raises(ReadError, match="line 1: there is no line with the names of the columns"):
        parse_labels_csv("\n,,\n", "l.csv")
    assert not parse_labels_csv(labels_csv_text({}, GRAPH, []), "l.csv")
    assert not parse_labels_csv("from_id,to_id,agent,verdict\na,b,c", "l.csv")


@pytest.mark.parametrize("cell", ["plant", "{}", "[1]"])
def test_gaps_that_are_no_list_of_names_are_refused(cell: str) -> None:
    text = f"from_id,to_id,agent,verdict,scene_gaps\r\na,b,human,travels,{cell}\r\n"
    with pytest.raises(ReadError, match="line 2, scene_gaps"):
        parse_labels_csv(text, "l.csv")
