"""Caches the header facts of model files, keyed by file state.

Importing this costs nothing: what reads headers needs numpy, and waits until there is one to read.
"""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.embeddings import Purpose
from specchat.domain.errors import UserError
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText

FACTS_VERSION = 5
"""The version of the remembered facts; those of other versions are read from the files again."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    tokenizer: str
    """Its identity; empty: it has none."""
    purpose: Purpose
    name: str = ""
    parameters: int = 0
    quantization: str = ""
    n_ctx_train: int | None = None
    n_layer: int | None = None
    other_parts: tuple[str, ...] = ()
    problems: tuple[TranslatableText, ...] = ()
    head: str = ""
    """Its kind, where that is all the file holds."""


def content_state(path: Path) -> str | None:
    """The same for the same content, as far as one can tell without reading it; None: no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return f"{status.st_size}|{status.st_mtime_ns}"


def file_state(path: Path) -> str | None:
    """The same for the same content under the same name."""
    state = content_state(path)
    return f"{FACTS_VERSION}|{path}|{state}" if state is not None else None


def load_facts(path: Path, known: FactCache) -> ModelFacts:
    """A file that cannot be read has its reason among the problems, and is tried again the next time."""
    state = file_state(path)
    if state is not None and (plain := known.get(state)) is not None:
        try:
            return from_plain(ModelFacts, plain)
        except ValueError:
            pass
    from specchat.services.models.header_facts import read_model_facts

    try:
        facts = read_model_facts(path)
    except UserError as error:
        return ModelFacts("", Purpose.TEXT, problems=(error.message,))
    if state is not None:
        known.put(state, to_plain(facts))
    return facts
