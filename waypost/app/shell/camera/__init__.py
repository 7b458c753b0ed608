"""Cameras: films along graphs and of what a hand did, panoramas, and the frames of the engine."""
