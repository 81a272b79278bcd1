"""Reads chats that other programs exported."""
