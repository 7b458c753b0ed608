"""What waits: jobs, the driving session, settings."""
