"""The open conversation: its messages, its unsent text, answers and the trash."""
