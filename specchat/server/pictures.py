"""Reads pictures from requests. None is ever fetched from elsewhere."""

import binascii
from base64 import b64decode
from collections.abc import Sequence
from typing import NoReturn

from specchat.domain.data_uris import decode_data_uri, is_data_uri
from specchat.domain.picture_header import (
    MAX_PICTURE_BYTES,
    MAX_PIXELS,
    MOST_PICTURES,
    PictureHeader,
    PictureRefusal,
    check_picture,
)
from specchat.domain.pictures import Picture
from specchat.server.errors import BadRequestError
from specchat.server.request_fields import RequestFields, raise_invalid_value

_WORDS = {
    PictureRefusal.UNKNOWN: "is not a PNG, JPEG, GIF, or BMP picture, or it is damaged",
    PictureRefusal.TOO_LARGE: f"is larger than {MAX_PICTURE_BYTES >> 20} MB",
    PictureRefusal.TOO_NARROW: "is more than 100 times as long as it is wide",
    PictureRefusal.TOO_MANY_PIXELS: f"has more than {MAX_PIXELS // 1_000_000} million pixels",
}


def picture_from_url(url: str, param: str) -> Picture:
    """As OpenAI's clients send it."""
    if not is_data_uri(url):
        _refuse_address(param)
    try:
        content = decode_data_uri(url)
    except ValueError:
        raise_invalid_value(param, "must be a data URI with Base64, such as data:image/png;base64,...")
    return _checked(content, param)


def picture_from_part(part: RequestFields) -> Picture:
    """A part of type image_url or input_image: its address in an object, or by itself."""
    part.reject("file_id")
    if isinstance(part.get("image_url"), str):
        return picture_from_url(part.required_text("image_url"), part.param("image_url"))
    part.required("image_url")
    address = part.get_fields("image_url")
    return picture_from_url(address.required_text("url"), address.param("url"))


def picture_from_source(block: RequestFields) -> Picture:
    """As Anthropic's clients send it."""
    block.required("source")
    source = block.get_fields("source")
    match source.required_text("type"):
        case "base64":
            return picture_from_base64(source.required_text("data"), source.param("data"))
        case "url":
            _refuse_address(source.param("type"))
    return raise_invalid_value(source.param("type"), "must be base64")


def pictures_from_list(fields: RequestFields, name: str) -> tuple[Picture, ...]:
    """As Ollama's clients send them."""
    given = fields.get(name)
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise_invalid_value(fields.param(name), "must be a list of pictures in Base64")
    found = tuple(picture_from_base64(each, f"{fields.param(name)}[{at}]") for at, each in enumerate(given))
    return check_number(found, fields.param(name))


def picture_from_base64(text: str, param: str) -> Picture:
    if is_data_uri(text):
        return picture_from_url(text, param)
    try:
        content = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise_invalid_value(param, "must be Base64")
    return _checked(content, param)


def check_number(pictures: Sequence[Picture], param: str) -> tuple[Picture, ...]:
    if len(pictures) > MOST_PICTURES:
        raise_invalid_value(param, f"must have at most {MOST_PICTURES} pictures")
    return tuple(pictures)


def _checked(content: bytes, param: str) -> Picture:
    found = check_picture(content)
    return Picture(content) if isinstance(found, PictureHeader) else raise_invalid_value(param, _WORDS[found])


def _refuse_address(param: str) -> NoReturn:
    raise BadRequestError(
        f"{param} is an address. Pictures are not fetched from elsewhere: send the picture itself in Base64, "
        "as in data:image/png;base64,....",
        param,
        "unsupported_value",
    )
