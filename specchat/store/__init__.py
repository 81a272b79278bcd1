"""Everything that is stored on disk."""
