"""This program: how its last run ended, what it ships, whether there is a newer one."""
