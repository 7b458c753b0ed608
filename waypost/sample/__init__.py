"""The bundled sample project: a furnished home with known obstacles, generated."""
