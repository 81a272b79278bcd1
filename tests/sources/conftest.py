import os
from collections.abc import Iterator

import pytest
from support.hub import LocalHub
from support.leftovers import no_thread_stays

os.environ |= {  # the client reads them when it is imported
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "NO_PROXY": "127.0.0.1",
}

import httpx2
from huggingface_hub import close_session


@pytest.fixture
def hub() -> Iterator[LocalHub]:
    """Its pages are short, so that a few repositories fill several."""
    with no_thread_stays():
        with LocalHub(page_size=2) as local_hub:
            yield local_hub
        close_session()


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client(follow_redirects=True) as client:
        yield client
