"""Instructions scored by people: rubrics, batches, sheets, and who may see what."""
