"""Bytes to domain values and back: scenes, data sets, logs; every reader sniffs content."""
