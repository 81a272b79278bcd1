"""Explains from a model's header why it failed to load."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specchat.domain.errors import ModelFileError, ModelLoadError
from specchat.gguf.files import read_model
from specchat.gguf.problems import ONE_PART


@contextmanager
def explain_load_errors(path: Path) -> Iterator[None]:
    """Only once it failed: llama.cpp may load what seems wrong here."""
    try:
        yield
    except ModelLoadError as error:
        problems = [problem for problem in read_model(path).problems if problem.template != ONE_PART.template]
        if not problems:
            raise
        raise ModelFileError(
            "Can't load {name}: {reason}", "Choose another model.", name=path.name, reason=problems[0]
        ) from error
