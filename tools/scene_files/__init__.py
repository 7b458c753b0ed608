"""Scenes as files: binary glTF and OpenUSD."""
