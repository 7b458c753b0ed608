"""The project database: every accepted edit is one transaction."""
