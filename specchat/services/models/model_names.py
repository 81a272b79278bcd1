"""Extracts what model names tell: base name, family and parameter count."""

import re
from pathlib import Path

from specchat.domain.hub import parse_hub_reference
from specchat.sources.file_names import parse_part

_ENDING = re.compile(
    r"[-_. ](?:gguf|i1|imat|imatrix|(?:ud[-_])?(?:i?q\d|tq\d|mxfp4|nvfp4|bf16|fp?16|fp?32)(?:_[a-z0-9]+)*)$"
)
_PUBLISHER = re.compile(r"^(?:[a-z][a-z-]*_(?=[a-z])|meta[- ](?=llama))")
_SIZE = re.compile(r"(?:e?(?P<each>\d+(?:\.\d+)?)|(?P<times>\d+)x(?P<expert>\d+(?:\.\d+)?))(?P<unit>[bm])")
_VARIANTS = {"instruct", "it", "chat", "base", "thinking", "draft"}
_BILLION, _MILLION = 10**9, 10**6
_MINOR_VERSION = re.compile(r"\.\d+$")
_IN_THE_CACHE = "models--"


def normalize_name(name: str) -> str:
    """Without its publisher, quantisation, part and ending, however it is spaced."""
    name = re.split(r"[/\\]", name)[-1]
    part = parse_part(name)
    name = (part[0] if part else name).casefold()
    while _ENDING.search(name):
        name = _ENDING.sub("", name)
    return re.sub(r"[ _]+", "-", _PUBLISHER.sub("", name))


def split_reference(reference: str) -> tuple[str, str]:
    """The repository, as far as the reference tells, and the file."""
    if remote := parse_hub_reference(reference):
        return remote.repo, remote.file
    parts = Path(reference).parts
    cached = next((part for part in parts if part.startswith(_IN_THE_CACHE)), "")
    return cached.removeprefix(_IN_THE_CACHE).replace("--", "/", 1), parts[-1] if parts else ""


def relative_search_terms(name: str) -> list[str]:
    """Returns search words for smaller models of the same kind; the closest first."""
    words = normalize_name(name).split("-")
    ends = (i for i, word in enumerate(words) if i and (_SIZE.fullmatch(word) or word in _VARIANTS))
    line = words[: next(ends, len(words))]
    text = "-".join(line)
    wider = _MINOR_VERSION.sub("", text) if _MINOR_VERSION.search(text) else "-".join(line[:-1])
    return [text, *([wider] if wider else []), f"{text} draft"]


def parse_parameters(name: str) -> int:
    """0: it does not say."""
    words = normalize_name(name).split("-")
    sizes = [size for word in words if (size := _SIZE.fullmatch(word))]
    if not sizes:
        return 0
    size = sizes[-1 if "draft" in words else 0]  # those name their target first
    unit = _BILLION if size["unit"] == "b" else _MILLION
    number = float(size["each"] or 0) or int(size["times"]) * float(size["expert"])
    return round(number * unit)


def parameter_size(parameters: int) -> str:
    """As names have it."""
    if parameters >= _BILLION:
        return f"{parameters / _BILLION:.1f}B"
    return f"{parameters / _MILLION:.2f}M"


def family(name: str) -> str:
    found = re.match("[a-z]+", normalize_name(name))
    return found[0] if found else ""


def count_shared_words(one: str, other: str) -> int:
    return len(set(normalize_name(one).split("-")) & set(normalize_name(other).split("-")))
