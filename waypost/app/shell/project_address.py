"""Where projects are: files, and databases by their address; and what is said of others there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit


def project_place(text: str) -> Path | str:
    """What a person gave as the place of a project; an address stays text.

    A path would make one slash of two.
    """
    return text if "://" in text else Path(text)


def place_name(place: Path | str) -> str:
    """The short name of a place: of the file, or of the database."""
    if isinstance(place, Path):
        return place.name
    return urlsplit(place).path.lstrip("/") or "the project"


def names_apart(places: Sequence[str]) -> tuple[str, ...]:
    """Short names of places; those that are alike have as much before them as tells them apart."""
    names = [place_name(project_place(place)) for place in places]
    parts = [place.replace("\\", "/").split("/") for place in places]
    for count in range(2, max(map(len, parts), default=0) + 1):
        alike = [number for number, name in enumerate(names) if names.count(name) > 1]
        for number in alike:
            names[number] = "/".join(parts[number][-count:])
    return tuple(names)


def without_password(place: Path | str) -> str:
    """A place as it may be kept and shown; PostgreSQL asks for the password or has it in a file."""
    if isinstance(place, Path):
        return str(place)
    parts = urlsplit(place)
    who, at, host = parts.netloc.rpartition("@")
    query = [pair for pair in parse_qsl(parts.query, True) if pair[0] != "password"]
    return parts._replace(
        netloc=f"{who.partition(':')[0]}{at}{host}", query=urlencode(query, safe="/")
    ).geturl()


def open_elsewhere(name: str, where: str) -> str:
    """That a project is open somewhere else as well, as a sentence.

    Args:
        name: Of the project.
        where: Said behind “in another window of Waypost”.
    """
    return (
        f"{name} is open in another window of Waypost{where} as well. Both save; where both change"
        " the same item, the second one is told"
    )


def others_words(name: str, others: Sequence[str]) -> str:
    """Which people have a project on a server open as well, as a sentence; empty for nobody.

    Args:
        name: Of the project.
        others: Their logins, by name.
    """
    if not others:
        return ""
    *most, last = others
    who = f"{', '.join(most)} and {last}" if most else last
    return open_elsewhere(name, f" or a command of {who}")
