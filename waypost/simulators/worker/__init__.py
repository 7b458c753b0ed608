"""The process that owns one physics engine; standard library and numpy only."""
