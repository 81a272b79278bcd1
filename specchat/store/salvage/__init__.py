"""Reads what is left of a damaged database, page by page, where SQLite itself gives up."""
