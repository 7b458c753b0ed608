"""The driven engine: the thread that talks to the engine, its pace and its takes."""
