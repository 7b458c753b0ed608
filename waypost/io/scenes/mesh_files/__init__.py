"""Files of triangles or points alone: COLLADA, OBJ, PLY, STL and OFF."""
