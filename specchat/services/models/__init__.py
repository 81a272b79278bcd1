"""Manages the model files on this computer."""
