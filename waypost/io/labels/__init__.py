"""Labels in the files of others."""
