"""Finds drafts for a target and estimates the speed-up of each."""
