"""Restricts answers to grammars and JSON schemas; only this folder imports llguidance, when it is first needed."""
