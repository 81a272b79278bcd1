"""Runs the models in this process or in a separate one; CONTRIBUTING explains how to add an engine."""
