"""How a reason, which stands behind a colon elsewhere, begins a sentence."""

from __future__ import annotations


def capitalised(text: str) -> str:
    """The text with a large first letter; unlike ``str.capitalize`` the others stay as they are."""
    return f"{text[:1].upper()}{text[1:]}"
