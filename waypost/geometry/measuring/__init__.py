"""What a body can pass between two places, from triangles alone.

``SceneGround`` is made once per scene and kept; ``measure_geometry`` answers one passage with
two opinions (along the straight edge; by any path within the detour) and what they stand on.

The steps of one passage: a window around the edge (``scene_ground``) becomes a height field
(``height_field``), from which the ground of one body is flooded (``ground_flood``). What stands
in the body's band of heights above that ground becomes points (``obstacles``), holes and flights
of stairs are found (``holes``, ``flights``), and then a line (``straight_way``), a disc
(``widest_disc``) and a box (``configuration_space``) are moved among them.
"""
