"""What llama.cpp says before it ends its process."""

import re

_REASON = re.compile(r"llama\.cpp gave up: (?:.*[/\\](?=[^/\\]+:\d+: ))?(.*)|^ *what\(\): *(.*)", re.MULTILINE)
"""An assertion of its own, without the folder of whoever compiled it, or an exception that nobody caught."""


def last_words(text: str) -> str:
    reason = _REASON.search(text)
    return (reason[1] or reason[2]) if reason else ""
