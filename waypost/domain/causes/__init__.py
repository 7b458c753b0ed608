"""What analysts say about runs: taxonomies, marks, verdicts."""
