"""Recognises the tensors of Medusa heads, as their authors, TGI and vLLM name them, and checks their shapes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from specchat.domain.errors import ModelFileError
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.file_errors import printable
from specchat.gguf.safetensors import StoredTensor
from specchat.gguf.tensors import TensorInfo

MEDUSA = "medusa"
MAX_HEADS, MAX_BLOCKS = 32, 16
_TYPES = ("F32", "F16", "BF16")

_PREFIX = r"(?:(?:model\.)?medusa_heads?\.)?"
_BLOCK = re.compile(
    _PREFIX + r"(?:(?P<head>\d{1,4})\.(?P<block>\d{1,4})\.linear|blocks\.(?P<a>\d{1,4})\.layers\.(?P<b>\d{1,4}))"
    r"\.(?P<part>weight|bias)"
)
_OUTPUT = re.compile(_PREFIX + r"(?:(?P<head>\d{1,4})\.(?P<block>\d{1,4})|lm_heads\.(?P<a>\d{1,4}))\.weight")


@dataclass(slots=True)
class _Head:
    blocks: dict[int, dict[str, StoredTensor]] = field(default_factory=lambda: defaultdict(dict))
    output: StoredTensor | None = None


def medusa_tensors(file: str, tensors: Sequence[StoredTensor]) -> tuple[TensorInfo, ...]:
    """Returns tensors named and shaped as in GGUF; empty if the file contains something else."""
    heads = _find_heads(file, tensors)
    return tuple(_checked(file, heads)) if heads else ()


def count_heads(tensors: Iterable[TensorInfo]) -> int:
    """Each guesses one token."""
    return len({tensor.name.split(".")[1] for tensor in tensors})


def block_name(head: int, block: int, part: str) -> str:
    return f"heads.{head}.blocks.{block}.{part}"


def output_name(head: int) -> str:
    return f"heads.{head}.output.weight"


def _find_heads(file: str, tensors: Sequence[StoredTensor]) -> dict[int, _Head]:
    heads: dict[int, _Head] = defaultdict(_Head)
    for tensor in tensors:
        if block := _BLOCK.fullmatch(tensor.name):
            parts = heads[int(block["head"] or block["a"])].blocks[int(block["block"] or block["b"])]
            _put(file, parts, block["part"], tensor)
        elif output := _OUTPUT.fullmatch(tensor.name):
            head = heads[int(output["head"] or output["a"])]
            if head.output is not None:
                raise _unusual(file, TranslatableText("a head has two output matrices"))
            head.output = tensor
    return heads


def _put(file: str, parts: dict[str, StoredTensor], part: str, tensor: StoredTensor) -> None:
    if part in parts:
        raise _unusual(file, TranslatableText("the tensor {tensor} appears twice", tensor=printable(tensor.name)))
    parts[part] = tensor


def _checked(file: str, heads: Mapping[int, _Head]) -> Iterator[TensorInfo]:
    if sorted(heads) != list(range(len(heads))) or len(heads) > MAX_HEADS:
        raise _unusual(file, TranslatableText("its heads are not numbered from 0 to {n}", n=MAX_HEADS - 1))
    width, n_vocab = _width(heads[0]), _n_vocab(heads[0])
    for i, head in sorted(heads.items()):
        n_blocks = len(head.blocks)
        if sorted(head.blocks) != list(range(n_blocks)) or n_blocks > MAX_BLOCKS or not (n_blocks or head.output):
            raise _unusual(file, TranslatableText("the layers of head {i} are incomplete", i=i))
        for j, parts in sorted(head.blocks.items()):
            if "weight" not in parts:
                raise _unusual(file, TranslatableText("the layers of head {i} are incomplete", i=i))
            for part, tensor in parts.items():
                shape = (width, width) if part == "weight" else (width,)
                yield _described(file, block_name(i, j, part), tensor, shape)
        if (head.output is None) != (n_vocab == 0):
            raise _unusual(file, TranslatableText("only some of its heads have an output matrix"))
        if head.output is not None:
            yield _described(file, output_name(i), head.output, (n_vocab, width))


def _width(head: _Head) -> int:
    some = head.output or head.blocks.get(0, {}).get("weight")
    return some.shape[-1] if some is not None and some.shape else 0


def _n_vocab(head: _Head) -> int:
    """0: it borrows its target's output."""
    return head.output.shape[0] if head.output is not None and head.output.shape else 0


def _described(file: str, name: str, tensor: StoredTensor, shape: tuple[int, ...]) -> TensorInfo:
    what = None
    if tensor.shape != shape or not all(shape):
        what = TranslatableText("the tensor {tensor} has an unexpected shape", tensor=printable(tensor.name))
    elif tensor.type not in _TYPES:
        shown = printable(tensor.name)
        what = TranslatableText("the tensor {tensor} is stored as {type}", tensor=shown, type=tensor.type)
    if what is not None:
        raise _unusual(file, what)
    return TensorInfo(name, shape[::-1], tensor.type, tensor.begin, tensor.end - tensor.begin)


def _unusual(file: str, what: TranslatableText) -> ModelFileError:
    return ModelFileError(
        "{name} is not a Medusa file that specchat can read: {what}.", "Choose another file.", name=file, what=what
    )
