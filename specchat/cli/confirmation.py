"""Asks in the terminal before something is done."""

import sys

from specchat.cli.output import one_line
from specchat.domain.errors import SettingError


def is_confirmed(question: str, cannot_ask: SettingError) -> bool:
    if not sys.stdin.isatty():
        raise cannot_ask
    sys.stderr.write(f"{one_line(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
