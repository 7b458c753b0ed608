"""The sample project: a furnished home with known obstacles, and runs to replay in it."""
