"""The templates of pages that ship with Waypost, with escaping on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2


def page_template(name: str, shown: Callable[[Any], Any] | None = None) -> jinja2.Template:
    """A template whose values are escaped and in which an unknown name is an error.

    Args:
        name: Of the file in ``resources/templates``.
        shown: Is given every value before it is written.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("waypost.resources", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    return environment.get_template(name)
