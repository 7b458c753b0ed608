"""Runs brought together for replay: loading, indexing, pictures, one cursor."""
