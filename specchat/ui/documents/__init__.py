"""Documents: reading them in the background, and the viewer that shows their passages."""
