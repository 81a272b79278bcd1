"""A computer on which no other program has models, nobody has a token, and nothing is kept."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import keyring.backends.fail
from huggingface_hub import close_session
from support.keyrings import using

_PLACES = ("HOME", "USERPROFILE", "HF_HOME", "OLLAMA_MODELS")
_OTHERS = ("HF_TOKEN", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_ENDPOINT", "HF_HUB_OFFLINE")


@contextmanager
def own_computer(folder: Path, **environment: str) -> Iterator[None]:
    places = {name: str(folder / name.lower()) for name in _PLACES}
    with patch.dict(os.environ, places | environment), using(keyring.backends.fail.Keyring()):
        for name in _OTHERS:
            if name not in environment:
                os.environ.pop(name, None)
        yield
    close_session()
