"""The model manager: finds, downloads and removes models."""
