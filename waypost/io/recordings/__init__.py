"""Takes of drivers: our own CSV and Parquet, and trajectories that other programs recorded."""
