"""What several commands ask for alike: paths, numbers, scenes, graphs, runs, engines, limits."""
