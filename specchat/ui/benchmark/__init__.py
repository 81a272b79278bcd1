"""The benchmark measures how much speculation helps with the user's models and prompts."""
