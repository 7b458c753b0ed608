"""The path of an instruction: its graph, scene and pictures, and the walk along it."""
