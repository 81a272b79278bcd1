"""Walks through XML with expat, and refuses custom entities and elements that are nested too deeply."""

from collections.abc import Callable, Mapping
from typing import NoReturn
from xml.parsers import expat

from specchat.backends.documents.document_text import DocumentFault, Fault

MAX_DEPTH = 500

Attributes = Mapping[str, str]


def walk_xml(
    content: bytes,
    start: Callable[[str, Attributes], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] = lambda _: None,
) -> None:
    """Names are "prefix:name", as written in the file, because all programs use the same prefixes."""
    depth = 0

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise DocumentFault(Fault.DAMAGED)
        start(name, attributes)

    def leave(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = enter
    parser.EndElementHandler = leave
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: of encodings that expat doesn't know
        raise DocumentFault(Fault.DAMAGED) from error


def _refuse(*_: object) -> NoReturn:
    raise DocumentFault(Fault.DAMAGED)
