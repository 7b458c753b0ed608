"""Fake of ``habitat_sim``: what we use of it, on navmeshes that are one rectangle."""

__version__ = "0.3.3"
