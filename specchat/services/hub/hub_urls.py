"""Builds and parses the URLs of Hub repositories."""

import os
import re
from urllib.parse import urlsplit

from specchat.domain.hub import parse_hub_reference

_HUB = "https://huggingface.co"
_NAMES = {"huggingface.co", "www.huggingface.co", "hf.co"}
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_NO_OWNERS = {"api", "blog", "collections", "datasets", "docs", "papers", "settings", "spaces"}


def page_url(repo: str) -> str:
    return f"{_endpoint()}/{repo}"


def parse_repository_url(text: str) -> str | None:
    """Of a page's address or a model's reference. None: they are words to search for."""
    if reference := parse_hub_reference(text):
        return reference.repo
    try:
        address = urlsplit(text if "://" in text else f"//{text}")
    except ValueError:
        return None
    if address.netloc.lower() not in {*_NAMES, urlsplit(_endpoint()).netloc.lower()}:
        return None
    repo = "/".join(address.path.split("/")[1:3])
    return repo if is_repository(repo) and repo.partition("/")[0] not in _NO_OWNERS else None


def is_repository(text: str) -> bool:
    return _REPO.fullmatch(text) is not None


def _endpoint() -> str:
    return (os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
