"""Who works on this machine, where nobody gave a name."""

from __future__ import annotations

import getpass


def login_name() -> str:
    """Name of the user on this machine; ``unknown`` where there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
