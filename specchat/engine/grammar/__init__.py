"""Restricts an answer to a grammar.

llama.cpp has this too, but what it was given it trusts: a hostile grammar hangs it or ends the process, and a mistake
is printed with all its text.
"""
