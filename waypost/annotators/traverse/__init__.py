"""Say whether agents can travel the edges: queue, verdicts, evidence and what is drawn."""
