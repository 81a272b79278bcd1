"""Who computes: the models in this process, or in one of their own. CONTRIBUTING tells how to add another."""
