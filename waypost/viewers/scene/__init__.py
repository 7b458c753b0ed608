"""The 3D view of a scene with what is drawn over it."""
