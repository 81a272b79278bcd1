"""The model manager: finds, downloads and pairs models."""
