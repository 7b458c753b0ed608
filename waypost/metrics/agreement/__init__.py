"""How far people who score the same agree, in the coefficients that the field reports."""
