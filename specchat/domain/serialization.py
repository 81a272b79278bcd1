"""Converts values to JSON types and back; unfit input raises a ValueError."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from pathlib import Path, PurePath
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from specchat.domain.translatable_text import TranslatableText

T = TypeVar("T")


def to_plain(value: object) -> object:
    """Numbers that JSON does not know become 0, bytes Base64."""
    match value:
        case Enum():
            return value.value
        case PurePath():
            return str(value)
        case TranslatableText(template=template, values=values):
            return {"template": template, "values": to_plain(values)} if values else str(value)
        case float():
            return value if isfinite(value) else 0.0
        case bytes():
            return b64encode(value).decode()
        case Mapping():
            return {str(key): to_plain(part) for key, part in value.items()}
        case tuple() | list():
            return [to_plain(part) for part in value]
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value) if field.init}
    return value


def from_plain(kind: type[T], plain: object) -> T:
    """Names that `kind` does not have are left out, values that `plain` does not have take their defaults."""
    return cast(T, _read(kind, plain))


def _read(kind: Any, plain: Any) -> Any:
    match get_origin(kind), get_args(kind):
        case None, _:
            return _read_dataclass(kind, plain) if is_dataclass(kind) else _read_single(kind, plain)
        case origin, (item, *_) if origin is tuple:
            return tuple(_read(item, part) for part in require_type(list, plain))
        case origin, (_, item) if origin is Mapping:
            return {key: _read(item, part) for key, part in require_type(dict, plain).items()}
        case _, choices:
            (wanted,) = (choice for choice in choices if choice is not NoneType)
            return None if plain is None else _read(wanted, plain)


def _read_dataclass(kind: Any, plain: object) -> Any:
    given = require_type(dict, plain)
    values = {}
    for name, wanted, required in _fields(kind):
        if name in given:
            values[name] = _read(wanted, given[name])
        elif required:
            raise ValueError(f"{name} is missing")
    return kind(**values)


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    hints = get_type_hints(kind)
    return tuple(
        (field.name, hints[field.name], field.default is MISSING and field.default_factory is MISSING)
        for field in fields(kind)
        if field.init
    )


def _read_single(kind: Any, plain: object) -> Any:
    if issubclass(kind, Enum):
        return kind(plain)
    if kind is float:
        return require_float(plain)
    if kind is TranslatableText:
        return _said(plain)
    if kind is Path:
        return Path(require_type(str, plain))
    if kind is bytes:
        return b64decode(require_type(str, plain), validate=True)
    return require_int(plain) if kind is int else require_type(kind, plain)


def _said(plain: object) -> TranslatableText:
    if isinstance(plain, str):
        return TranslatableText(plain)
    given = require_type(dict, plain)
    values = require_type(dict, given.get("values"))
    return TranslatableText(
        require_type(str, given.get("template")), **{name: _value(value) for name, value in values.items()}
    )


def _value(plain: object) -> str:
    return plain if isinstance(plain, str) else _said(plain)


def require_type(kind: type[T], plain: object) -> T:
    if type(plain) is not kind:
        raise ValueError(f"{type(plain).__name__} where {kind.__name__} belongs")
    return plain


def require_int(plain: object) -> int:
    if type(plain) is not int or abs(plain) >= 1 << 63:
        raise ValueError("not an integer")
    return plain


def require_float(plain: object) -> float:
    if type(plain) is int:
        return float(require_int(plain))
    if type(plain) is not float or not isfinite(plain):
        raise ValueError("no number")
    return plain
