"""Speculative decoding as a plain generator of events; knows no library but numpy."""
