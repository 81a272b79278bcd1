"""Reads the fields of a request and checks their types and limits."""

import json
import re
from collections.abc import Mapping
from math import copysign, inf, isinf
from typing import NoReturn, TypeVar

from specchat.domain.nesting import exceeds_size
from specchat.server.errors import BadRequestError

_MOST_LEVELS = 64
_MOST_PARTS = 64 << 10
_HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")

Object = Mapping[str, object]
Number = TypeVar("Number", int, float)


def parse_body(body: bytes) -> "RequestFields":
    try:
        text = body.decode()
        value = json.loads(text, parse_constant=_no_constant, parse_int=_number)
        if _HALF_A_CHARACTER.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadRequestError("The request body contains an unpaired surrogate, such as \\ud83d.") from error
    except UnicodeError as error:
        raise BadRequestError("The request body is not valid UTF-8.") from error
    except RecursionError as error:
        raise BadRequestError("The request body is nested too deeply.") from error
    except ValueError as error:
        raise BadRequestError("The request body is not valid JSON.") from error
    return RequestFields(require_object(value, None))


class RequestFields:
    """The fields of one object; null counts as missing."""

    def __init__(self, values: Object, path: str = "") -> None:
        self._values = {name: value for name, value in values.items() if value is not None}
        self._path = path

    def __contains__(self, name: str) -> bool:
        return name in self._values

    @property
    def model(self) -> str:
        """The name of the model that is asked; empty: any."""
        return self.get_text("model") or ""

    def param(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def get(self, name: str) -> object:
        return self._values.get(name)

    def required(self, name: str) -> object:
        if name not in self._values:
            raise BadRequestError(f"{self.param(name)} is missing.", self.param(name), "missing_required_parameter")
        return self._values[name]

    def required_text(self, name: str) -> str:
        return require_text(self.required(name), self.param(name))

    def get_flag(self, name: str, *, default: bool = False) -> bool:
        value = self._values.get(name, default)
        return value if isinstance(value, bool) else raise_invalid_value(self.param(name), "must be true or false")

    def get_integer(self, name: str, low: float, high: float) -> int | None:
        value = self.get(name)
        if isinstance(value, float) and isinf(value):
            _within(self.param(name), value, low, high)
        if value is not None and type(value) is not int:
            raise_invalid_value(self.param(name), "must be a whole number")
        return None if value is None else _within(self.param(name), value, low, high)

    def get_number(self, name: str, low: float, high: float) -> float | None:
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise_invalid_value(self.param(name), "must be a number")
        return float(_within(self.param(name), value, low, high))

    def get_text(self, name: str) -> str | None:
        value = self.get(name)
        return None if value is None else require_text(value, self.param(name))

    def get_fields(self, name: str) -> "RequestFields":
        """Returns the fields of an inner object; empty if it is missing."""
        value = self.get(name)
        return RequestFields({} if value is None else require_object(value, self.param(name)), self.param(name))

    def get_bounded_object(self, name: str) -> Object:
        """An object of any kind, neither nested nor filled absurdly."""
        value = require_object(self.required(name), self.param(name))
        if exceeds_size(value, levels=_MOST_LEVELS, parts=_MOST_PARTS):
            raise_invalid_value(self.param(name), "is too large or nested too deeply")
        return value

    def get_items(self, name: str, most: int) -> list["RequestFields"]:
        """Returns the fields of each object in a list."""
        given = self.get(name)
        values = require_list([] if given is None else given, self.param(name), most)
        paths = [f"{self.param(name)}[{index}]" for index in range(len(values))]
        return [RequestFields(require_object(value, path), path) for value, path in zip(values, paths, strict=True)]

    def get_text_or_items(self, name: str, most: int) -> "str | list[RequestFields]":
        """A string, or the fields of each object in a list."""
        value = self.get(name)
        if isinstance(value, str):
            return value
        if not isinstance(value, list):
            raise_invalid_value(self.param(name), "must be a string or a list")
        return self.get_items(name, most)

    def reject(self, name: str, *harmless: object) -> None:
        """Rejects fields that would change the answer but are not supported."""
        if name in self._values and self._values[name] not in harmless:
            param = self.param(name)
            raise BadRequestError(f"{param} is not supported here: omit it.", param, "unsupported_parameter")


def raise_invalid_value(param: str | None, what: str) -> NoReturn:
    raise BadRequestError(f"{param or 'The body'} {what}.", param, "invalid_value")


def require_text(value: object, param: str) -> str:
    return value if isinstance(value, str) else raise_invalid_value(param, "must be a string")


def require_object(value: object, param: str | None) -> Object:
    return value if isinstance(value, dict) else raise_invalid_value(param, "must be an object")


def require_list(value: object, param: str, most: int) -> list[object]:
    if not isinstance(value, list):
        raise_invalid_value(param, "must be a list")
    return value if len(value) <= most else raise_invalid_value(param, f"must have at most {most} entries")


def _within(param: str, value: Number, low: float, high: float) -> Number:
    if low <= value <= high:
        return value
    return raise_invalid_value(
        param, f"is too {'small' if value < low else 'large'}: it must be between {low} and {high}"
    )


def _number(digits: str) -> float:
    """Python reads no number of thousands of digits: it counts as infinite, as 1e999 does."""
    try:
        return int(digits)
    except ValueError:
        return copysign(inf, -1 if digits.startswith("-") else 1)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
