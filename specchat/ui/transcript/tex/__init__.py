"""Converts LaTeX formulas to glyphs that know their place in the source, without Qt."""
