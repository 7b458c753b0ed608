"""One module per family of benchmarks, each with its profiles as data."""
