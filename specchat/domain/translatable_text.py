"""User-facing English text that keeps its template and values, so that it can be translated."""

import re
from collections.abc import Mapping
from typing import Self

_FIELD = re.compile(r"\{(\w+)\}")
_OPTION = re.compile(r" \(-[^()]*\)")


class TranslatableText(str):
    """The finished English text. A value may be said too."""

    template: str
    values: Mapping[str, str]

    def __new__(cls, text: str, /, **values: object) -> Self:
        """A template whose {fields} the values fill, or something said whose fields are still open."""
        filling = {name: value if isinstance(value, str) else str(value) for name, value in values.items()}
        template = text
        if isinstance(text, TranslatableText):
            template, filling = text.template, {**filling, **text.values}
        said = super().__new__(cls, fill_template(template, filling))
        said.template, said.values = template, filling
        return said


def group_digits(value: int) -> str:
    """Groups digits with the separator of the language."""
    if value < 1000:
        return str(value)
    return TranslatableText("{thousands},{rest}", thousands=group_digits(value // 1000), rest=f"{value % 1000:03}")


def with_decimals(value: float, decimals: int) -> TranslatableText:
    """Formats a number with the decimal separator of the language."""
    whole, _, part = f"{value:.{decimals}f}".partition(".")
    return TranslatableText("{whole}.{part}", whole=whole, part=part)


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """Braces that name no value, or that come with a value, stay."""
    return _FIELD.sub(lambda field: values.get(field[1], field[0]), template)


def strip_options(template: str) -> str:
    """Removes the options in parentheses, for users who typed no command."""
    return _OPTION.sub("", template)
