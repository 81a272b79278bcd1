"""Reads and validates the fields of a JSON schema."""

from collections.abc import Mapping
from decimal import Decimal

from specchat.domain.errors import SettingError

Schema = Mapping[str, object]


def too_large_error() -> SettingError:
    return SettingError("The JSON schema is too large or nested too deeply.", "Simplify it.")


def invalid_keyword_error(keyword: str) -> SettingError:
    return SettingError("The JSON schema makes no sense at {keyword}.", "Correct it there.", keyword=keyword[:100])


def unsupported_keyword_error(keyword: str) -> SettingError:
    return SettingError(
        "The JSON schema uses {keyword} in a way that cannot be promised.", "Leave it out.", keyword=keyword[:100]
    )


def get_list(schema: Schema, keyword: str) -> list[object]:
    value = schema.get(keyword, [])
    if not isinstance(value, list):
        raise invalid_keyword_error(keyword)
    return value


def get_strings(schema: Schema, keyword: str) -> list[str]:
    texts = [value for value in get_list(schema, keyword) if isinstance(value, str)]
    if len(texts) != len(get_list(schema, keyword)):
        raise invalid_keyword_error(keyword)
    return texts


def get_string(schema: Schema, keyword: str) -> str:
    value = schema[keyword]
    if not isinstance(value, str):
        raise invalid_keyword_error(keyword)
    return value


def get_range(schema: Schema, least: str, most: str) -> tuple[int, int | None]:
    """How many, at least and at most."""
    first, last = (_count(schema, keyword) for keyword in (least, most))
    if last is not None and last < (first or 0):
        raise invalid_keyword_error(most)
    return first or 0, last


def get_number(schema: Schema, keyword: str) -> Decimal | None:
    value = schema.get(keyword)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise invalid_keyword_error(keyword)
    return Decimal(str(value))


def _count(schema: Schema, keyword: str) -> int | None:
    value = get_number(schema, keyword)
    if value is None:
        return None
    if value < 0 or value != value.to_integral_value():
        raise invalid_keyword_error(keyword)
    return int(value)
