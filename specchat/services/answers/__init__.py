"""Parses the text of an answer into thoughts, the answer itself and tool calls."""
