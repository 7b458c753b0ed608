"""Instructions to score, rubrics, and the scores that people gave, as files."""
