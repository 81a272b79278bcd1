"""Formulas as text: LaTeX in, glyphs out that know their place in it. No Qt."""
