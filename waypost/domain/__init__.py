"""Frozen values and pure rules of navigation; no Qt, no files, no clock."""
