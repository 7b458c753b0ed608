"""Reports and shared pictures of replayed runs: HTML, PNG, films."""
