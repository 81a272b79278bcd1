"""Keeps one window per data folder and collects the files that it should open."""
