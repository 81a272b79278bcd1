"""Loads a pair from its files and generates answers with it."""
