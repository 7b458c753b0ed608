"""What waits: jobs, the driven engine, settings; and the appearance that all views share."""
