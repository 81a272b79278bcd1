"""Benchmarks speculative decoding: every method answers every prompt in rotation."""
