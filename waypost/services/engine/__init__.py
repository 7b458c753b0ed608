"""Driving sessions: the thread that talks to the engine, its pace and its takes."""
