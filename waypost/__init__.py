"""Waypost: the desktop workbench of vision-and-language navigation benchmark teams."""

__version__ = "0.1.0"
