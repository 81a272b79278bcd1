"""Conversations: what is kept of them, what of them a model reads, and how they leave and come."""
