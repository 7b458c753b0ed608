"""What a benchmark asks for and what was done: episodes, runs, routes, answers."""
