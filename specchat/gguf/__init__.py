"""Reads the headers of GGUF files: bounded parsing, tokenizers and compatibility, without weights."""
