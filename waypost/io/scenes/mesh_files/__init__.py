"""Files of triangles or points alone: OBJ, PLY, STL and OFF."""
