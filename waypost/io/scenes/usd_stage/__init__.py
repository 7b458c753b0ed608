"""Reads OpenUSD: layers, composition, geometry, looks."""
