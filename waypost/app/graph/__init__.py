"""The Graph workspace."""
