"""What the text of an answer means: thoughts, the answer itself, and calls of tools."""
