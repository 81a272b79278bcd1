"""Reads the facts about a model from its header."""

from pathlib import Path

from specchat.gguf.draft_kinds import draft_kind, is_draft_only
from specchat.gguf.file_errors import printable
from specchat.gguf.header import read_header
from specchat.gguf.metadata import text
from specchat.gguf.pooling import read_purpose
from specchat.gguf.problems import ONE_PART
from specchat.gguf.source import FileSource
from specchat.gguf.splits import find_other_parts
from specchat.gguf.summary import summarise
from specchat.gguf.tokenizer import read_tokenizer
from specchat.services.models.model_facts import ModelFacts

_LONGEST_NAME = 80


def read_model_facts(path: Path) -> ModelFacts:
    source = FileSource(path)
    header = read_header(source)
    summary = summarise(header, source)
    parts = find_other_parts(path, header)
    problems = [problem for problem in summary.problems if problem.template != ONE_PART.template]
    tokenizer = read_tokenizer(header)
    return ModelFacts(
        tokenizer=tokenizer.identity if tokenizer else "",
        purpose=read_purpose(header),
        name=printable(text(header.metadata, "general.name", header.name) or "", _LONGEST_NAME),
        parameters=summary.parameters + sum(map(_parameters, parts)),
        quantization=summary.quantization,
        n_ctx_train=summary.n_ctx_train,
        n_layer=summary.n_layer,
        other_parts=tuple(part.name for part in parts),
        problems=tuple(problems),
        head=draft_kind(header) or "" if is_draft_only(header) else "",
    )


def _parameters(part: Path) -> int:
    return sum(tensor.n_values for tensor in read_header(FileSource(part)).tensors) if part.is_file() else 0
