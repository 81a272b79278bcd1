"""Manages conversations: storage, prompts built from them, import and export."""
