"""What the services say, in the words of the window's language."""

import re

from PySide6.QtCore import QCoreApplication

from specchat.domain.said import Said, filled

_OPTION_OF_A_COMMAND = re.compile(r" \(-[^()]*\)")


def in_words(text: str) -> str:
    """Text that was not said by a service stays as it is."""
    said = text if isinstance(text, Said) else Said(text)
    template = _OPTION_OF_A_COMMAND.sub("", QCoreApplication.translate("Said", said.template))
    return filled(template, {name: _value(value) for name, value in said.values.items()})


def _value(value: str) -> str:
    return in_words(value) if isinstance(value, Said) else value
