"""Estimates whether models fit into memory."""
