"""MaterialX documents, read as networks without expanding anything that they declare."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from waypost.io.scenes.materialx import COLOR_PICTURES, MaterialXBase, base_of

_MADE_BY: Final = ("nodename", "nodegraph", "interfacename")


def base_colors(text: bytes) -> dict[str, MaterialXBase]:
    """The base colour of each material of a document, by name, those that can be read.

    Pictures are given relative to the document. No document type and no entity is read.

    Raises:
        ValueError: If it is no MaterialX document.
    """
    parser = XMLParser(target=_PlainBuilder())  # noqa: S314 - document types are refused
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        raise ValueError(f"is no XML ({error})") from error
    if root.tag != "materialx":
        raise ValueError("is no MaterialX document")
    document = _Document(root)
    found = {}
    for material in root.iter("surfacematerial"):
        entry = _Node(document, material).input("surfaceshader")
        surface = None if entry is None else entry.source()
        base = None if surface is None else base_of(surface)
        if base is not None:
            found[material.get("name", "")] = base
    return found


class _PlainBuilder(TreeBuilder):
    """Elements alone: where entities could be declared, reading ends."""

    def doctype(self, *_: object) -> None:
        """Refuse it before anything is expanded."""
        raise ValueError("declares a document type, which is not read")


class _Document:
    """Where elements are and what is around them."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self._parents = {child: parent for parent in root.iter() for child in parent}

    def scope_of(self, entry: Element) -> Element:
        """What the node of an input stands in."""
        return self._parents[self._parents[entry]]

    def inherited(self, element: Element, attribute: str) -> str:
        """What the nearest element around says; empty if none does."""
        at: Element | None = element
        while at is not None:
            found = at.get(attribute)
            if found is not None:
                return found
            at = self._parents.get(at)
        return ""


class _Node:
    def __init__(self, document: _Document, element: Element) -> None:
        self._document = document
        self._element = element

    @property
    def kind(self) -> str:
        """The tag; pictures of numbers that are no colours are another kind."""
        kind, made = self._element.tag, self._element.get("type", "color3")
        is_color = kind not in COLOR_PICTURES or made.startswith(("color", "multioutput"))
        return kind if is_color else f"{kind}_{made}"

    def input(self, name: str) -> _Input | None:
        """The input of a name; for one that a node graph hands in, the graph's."""
        entry = _named(self._element.findall("input"), name)
        handed_in = None if entry is None else entry.get("interfacename")
        if entry is not None and handed_in is not None:
            entry = _named(self._document.scope_of(entry).findall("input"), handed_in)
        return None if entry is None else _Input(self._document, entry)


class _Input:
    def __init__(self, document: _Document, element: Element) -> None:
        self._document = document
        self._element = element

    @property
    def color_space(self) -> str:
        """Of the input, or of what is around it."""
        return self._document.inherited(self._element, "colorspace")

    def numbers(self) -> tuple[float, ...] | None:
        """Numbers between commas."""
        if any(self._element.get(name) is not None for name in _MADE_BY):
            return None
        try:
            return tuple(float(part) for part in self._element.get("value", "").split(","))
        except ValueError:
            return None

    def text(self) -> str:
        """The value; of a file with the prefix of what is around it."""
        value = self._element.get("value", "")
        is_file = value and self._element.get("type") == "filename"
        return self._document.inherited(self._element, "fileprefix") + value if is_file else value

    def source(self) -> _Node | None:
        """The node of an input, through the output of a graph."""
        entry, scope = self._element, self._document.scope_of(self._element)
        graph_name = entry.get("nodegraph")
        if graph_name is not None:
            graph = _named(list(self._document.root.iter("nodegraph")), graph_name)
            if graph is None:
                return None
            wanted, outputs = entry.get("output"), graph.findall("output")
            found = next((o for o in outputs if wanted in (None, o.get("name"))), None)
            if found is None:
                return None
            entry, scope = found, graph
        node = _named(list(scope), entry.get("nodename"))
        return None if node is None else _Node(self._document, node)


def _named(elements: list[Element], name: str | None) -> Element | None:
    return next((one for one in elements if name is not None and one.get("name") == name), None)
