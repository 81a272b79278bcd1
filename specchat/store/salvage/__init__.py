"""What can be read of a damaged database, page by page: SQLite itself stops at the first damaged one."""
