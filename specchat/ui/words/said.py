"""What the services say, in the words of the window's language."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.said import Said, filled, without_options


def in_words(text: str) -> str:
    """Text that was not said by a service stays as it is."""
    said = text if isinstance(text, Said) else Said(text)
    template = without_options(QCoreApplication.translate("Said", said.template))
    return filled(template, {name: _value(value) for name, value in said.values.items()})


def _value(value: str) -> str:
    return in_words(value) if isinstance(value, Said) else value
