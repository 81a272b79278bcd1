"""Searches the Hugging Face Hub and downloads models from it."""
