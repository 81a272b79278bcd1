"""Extracts the message that llama.cpp prints before it aborts."""

import re

_REASON = re.compile(r"llama\.cpp gave up: (?:.*[/\\](?=[^/\\]+:\d+: ))?(.*)|^ *what\(\): *(.*)", re.MULTILINE)
"""Matches a failed assertion of llama.cpp, without the folder it was compiled in, or an uncaught exception."""


def abort_message(text: str) -> str:
    reason = _REASON.search(text)
    return (reason[1] or reason[2]) if reason else ""
