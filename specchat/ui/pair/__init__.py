"""Choosing a pair: the popup below the header's button, the panel of the model manager, and what both share."""
