"""Readers and writers of what agents did: predictions, result files, logs."""
