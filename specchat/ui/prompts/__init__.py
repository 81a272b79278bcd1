"""The prompt library: inserting its prompts in the composer, and managing them."""
