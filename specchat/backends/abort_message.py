"""Extracts the message that llama.cpp prints before it aborts."""

import re

_REASON = re.compile(r"llama\.cpp gave up: (?:.*[/\\](?=[^/\\]+:\d+: ))?(.*)|^ *what\(\): *(.*)", re.MULTILINE)
"""An assertion of its own, without the folder of whoever compiled it, or an exception that nobody caught."""


def abort_message(text: str) -> str:
    reason = _REASON.search(text)
    return (reason[1] or reason[2]) if reason else ""
