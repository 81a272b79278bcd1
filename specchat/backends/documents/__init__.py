"""Reads documents as text with marked places, in a child process with limits.

`formats.py` lists the formats; `document_reader.py` asks the child, `document_child.py` is what it runs.
"""
