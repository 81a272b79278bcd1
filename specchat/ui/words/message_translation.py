"""Translates the texts of the services to the window's language."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.translatable_text import TranslatableText, fill_template, strip_options
from specchat.ui.words.number_format import join_units


def translate_text(text: str) -> str:
    """Text that was not said by a service stays as it is, and so do values: a path is still that path."""
    if not isinstance(text, TranslatableText):
        return strip_options(QCoreApplication.translate("Said", text))
    template = join_units(strip_options(QCoreApplication.translate("Said", text.template)))
    return fill_template(template, {name: translate_value(value) for name, value in text.values.items()})


def translate_value(value: str) -> str:
    """A name, which stays as it is to the letter, or something said."""
    return translate_text(value) if isinstance(value, TranslatableText) else value
