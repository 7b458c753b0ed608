"""What waits: jobs, the driving session, settings; and the appearance that all views share."""
