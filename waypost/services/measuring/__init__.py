"""Every passage measured by a machine, for a person to decide.

``measure_passages`` deals the passages of a graph to processes. In each, a ``Site`` holds one
scene as triangles, as a collision model and in an engine, and asks all of them about a passage:
geometry (``geometry.measuring``), a sweep (``body_sweep``) and drives (``engine_drives``).
``combining`` makes one ``PassageMeasure`` of their opinions.
"""
