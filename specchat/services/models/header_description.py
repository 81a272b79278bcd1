"""Describes a model by its file's header, as `AboutQuery` does for one that is loaded."""

from pathlib import Path

from specchat.domain.completions import ModelDescription
from specchat.gguf.header import read_header
from specchat.gguf.pooling import read_purpose
from specchat.gguf.source import FileSource
from specchat.gguf.summary import chat_template, summarise
from specchat.services.models.model_names import parameter_size

_GAP = ("tokenizer.ggml.fim_pre_token_id", "tokenizer.ggml.prefix_token_id")


def describe_header(path: Path, size: int) -> ModelDescription:
    """What only the loaded model tells is estimated: whether it calls tools, and fills gaps."""
    source = FileSource(path)
    header = read_header(source)
    summary, template = summarise(header, source), chat_template(header) or ""
    return ModelDescription(
        path=str(path),
        template=template,
        bos="",
        eos="",
        n_vocab=summary.n_vocab or 0,
        n_ctx=0,
        n_ctx_trained=summary.n_ctx_train or 0,
        n_embd=summary.n_embd or 0,
        n_parameters=summary.parameters,
        size=size,
        architecture=summary.architecture,
        kind=f"{summary.architecture} {parameter_size(summary.parameters)} {summary.quantization}",
        fills_gaps=any(key in header.metadata for key in _GAP),
        calls_tools="tools" in template,
        purpose=read_purpose(header),
    )
