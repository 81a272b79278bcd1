"""Summarises and compares model files by path."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from specchat.domain.errors import IncompatibleError, ModelFileError
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.compatibility import Compatibility, compare_tokenizers, shares_tokens
from specchat.gguf.contradictions import Contradiction, find_contradictions
from specchat.gguf.draft_kinds import is_draft_only
from specchat.gguf.file_errors import DOWNLOAD_AGAIN, no_target_error
from specchat.gguf.header import Header, read_header
from specchat.gguf.heads import head_obstacles
from specchat.gguf.medusa_tensors import MEDUSA
from specchat.gguf.rollback import rollback_obstacles
from specchat.gguf.source import ByteSource, FileSource
from specchat.gguf.splits import find_other_parts, require_first_part
from specchat.gguf.summary import ModelSummary, summarise
from specchat.gguf.tokenizer import Tokenizer, read_tokenizer


def read_model(path: str | Path) -> ModelSummary:
    source = FileSource(path)
    header = read_header(source)
    summary = summarise(header, source)
    missing = [part.name for part in find_other_parts(Path(path), header) if not part.is_file()]
    lost = [TranslatableText("The part {name} is missing.", name=name) for name in missing]
    return replace(summary, problems=(*summary.problems, *lost))


def require_consistent(path: str | Path) -> ModelSummary:
    """Before a file is loaded: what contradicts itself can take all memory, or never end."""
    summary = read_model(path)
    _refuse(Path(path).name, summary.problems)
    return summary


def _refuse(name: str, problems: Iterable[TranslatableText]) -> None:
    for problem in problems:
        if isinstance(problem, Contradiction):
            raise ModelFileError("{name} is inconsistent: {reason}", DOWNLOAD_AGAIN, name=name, reason=problem)


def require_compatible(target: Path, draft: Path) -> Compatibility:
    found = compare_files(target, draft)
    if not found.is_possible:
        raise IncompatibleError(
            "{draft} can't draft for {target}: {reason}",
            "Choose a draft from the target's family, or use none.",
            draft=draft.name,
            target=target.name,
            reason=found.reasons[0].message,
        )
    return found


def compare_files(target: str | Path, draft: str | Path) -> Compatibility:
    return compare_sources(FileSource(target), FileSource(draft))


def compare_sources(target: ByteSource, draft: ByteSource) -> Compatibility:
    """Compares two files; the reasons include a model that can't roll back its state."""
    headers = read_header(target), read_header(draft)
    tokenizer = _tokenizer(headers[0], target)
    if headers[1].architecture == MEDUSA:
        found = shares_tokens(tokenizer)
    else:
        may_translate = not is_draft_only(headers[1])
        found = compare_tokenizers(tokenizer, _tokenizer(headers[1], draft), may_translate=may_translate)
    if obstacles := tuple(head_obstacles(*headers)):
        return replace(found, verdict=VocabularyVerdict.INCOMPATIBLE, reasons=obstacles)
    return replace(found, reasons=(*found.reasons, *rollback_obstacles(*headers)))


def require_tokenizer(source: ByteSource) -> Tokenizer:
    return _tokenizer(read_header(source), source)


def _tokenizer(header: Header, source: ByteSource) -> Tokenizer:
    if header.architecture == MEDUSA:
        raise no_target_error(source.name)
    require_first_part(header)
    tokenizer = read_tokenizer(header)
    if tokenizer is None:
        raise ModelFileError(
            "{name} has no tokenizer, so its vocabulary can't be compared.",
            "Choose another model file.",
            name=source.name,
        )
    _refuse(source.name, find_contradictions(header, tokenizer))
    return tokenizer
