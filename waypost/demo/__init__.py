"""The main job performed without a person: sample, graph, drives, labels, export, report."""
