"""What a schema says, if it says it as it should."""

from collections.abc import Mapping
from decimal import Decimal

from specchat.domain.errors import SettingError

Schema = Mapping[str, object]


def too_large() -> SettingError:
    return SettingError("The JSON schema is too large or nested too deeply.", "Simplify it.")


def wrong(keyword: str) -> SettingError:
    return SettingError("The JSON schema makes no sense at {keyword}.", "Correct it there.", keyword=keyword[:100])


def unsupported(keyword: str) -> SettingError:
    return SettingError(
        "The JSON schema uses {keyword} in a way that cannot be promised.", "Leave it out.", keyword=keyword[:100]
    )


def given_list(schema: Schema, keyword: str) -> list[object]:
    value = schema.get(keyword, [])
    if not isinstance(value, list):
        raise wrong(keyword)
    return value


def given_texts(schema: Schema, keyword: str) -> list[str]:
    texts = [value for value in given_list(schema, keyword) if isinstance(value, str)]
    if len(texts) != len(given_list(schema, keyword)):
        raise wrong(keyword)
    return texts


def given_text(schema: Schema, keyword: str) -> str:
    value = schema[keyword]
    if not isinstance(value, str):
        raise wrong(keyword)
    return value


def given_range(schema: Schema, least: str, most: str) -> tuple[int, int | None]:
    """How many, at least and at most."""
    first, last = (_count(schema, keyword) for keyword in (least, most))
    if last is not None and last < (first or 0):
        raise wrong(most)
    return first or 0, last


def given_number(schema: Schema, keyword: str) -> Decimal | None:
    value = schema.get(keyword)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise wrong(keyword)
    return Decimal(str(value))


def _count(schema: Schema, keyword: str) -> int | None:
    value = given_number(schema, keyword)
    if value is None:
        return None
    if value < 0 or value != value.to_integral_value():
        raise wrong(keyword)
    return int(value)
