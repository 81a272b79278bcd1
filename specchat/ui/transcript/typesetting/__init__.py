"""Sets LaTeX formulas as TeX does, with the outlines of an OpenType math font."""
