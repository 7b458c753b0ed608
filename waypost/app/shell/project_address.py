"""Where projects are: files, and databases by their address."""

from __future__ import annotations

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
