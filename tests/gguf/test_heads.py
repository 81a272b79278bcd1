"""Which heads go together with which targets, by their headers."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model
from support.heads import make_dflash, make_eagle3, make_mtp_sidecar

from specchat.domain.heads import HeadKind
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.files import compare_files
from specchat.gguf.header import read_header
from specchat.gguf.heads import read_head
from specchat.gguf.source import FileSource

LLAMA = ModelRecipe()
QWEN35 = ModelRecipe(arch="qwen35")


def test_what_a_head_says_of_itself(tmp_path: Path) -> None:
    def facts(path: Path) -> object:
        head = read_head(read_header(FileSource(path)))
        assert head is not None
        return head.kind, head.is_own_file, head.layers, head.target_width, head.target_layers

    assert facts(make_eagle3(tmp_path / "e.gguf", LLAMA)) == (HeadKind.EAGLE3, True, (1, 2, 3), 128, 1)
    assert facts(make_dflash(tmp_path / "d.gguf", LLAMA))[:3] == (HeadKind.DFLASH, True, (1, 3))  # type: ignore[index]
    dspark = make_dflash(tmp_path / "s.gguf", LLAMA, is_dspark=True)
    assert facts(dspark)[0] is HeadKind.DSPARK  # type: ignore[index]
    inside = make_model(tmp_path / "m.gguf", replace(QWEN35, mtp_layers=1))
    assert facts(inside) == (HeadKind.MTP, False, (), 128, 4)
    assert facts(make_mtp_sidecar(tmp_path / "mtp.gguf", QWEN35)) == (HeadKind.MTP, True, (), 128, 4)
    assert read_head(read_header(FileSource(make_model(tmp_path / "t.gguf", LLAMA)))) is None


def test_heads_that_fit(tmp_path: Path) -> None:
    target = make_model(tmp_path / "t.gguf", LLAMA)
    for head in (make_eagle3(tmp_path / "e.gguf", LLAMA), make_dflash(tmp_path / "d.gguf", LLAMA)):
        assert compare_files(target, head).is_possible
    hybrid = make_model(tmp_path / "q.gguf", QWEN35)
    assert compare_files(hybrid, make_mtp_sidecar(tmp_path / "mtp.gguf", QWEN35)).is_possible


WIDE = replace(LLAMA, n_embd=256)
DEEP = replace(QWEN35, n_layer=6)


@pytest.mark.parametrize(
    ("target", "made_for", "kind", "changes", "words"),
    [
        (LLAMA, WIDE, "eagle3", {}, "a hidden size of 256, but this one has 128"),
        (LLAMA, WIDE, "dflash", {}, "a hidden size of 256, but this one has 128"),
        (replace(LLAMA, arch="qwen2"), LLAMA, "eagle3", {}, "can't extract from qwen2 models"),
        (LLAMA, LLAMA, "eagle3", {"eagle3.target_layers": [1, 2]}, "lists 2 target layers"),
        (
            LLAMA,
            LLAMA,
            "eagle3",
            {"eagle3.target_layers": [1, 2, 40]},
            "reads layer 40 of its target, which has only 4",
        ),
        (LLAMA, LLAMA, "dflash", {"dflash.target_layers": [9]}, "reads layer 9 of its target, which has only 4"),
        (LLAMA, QWEN35, "mtp", {}, "drafts for qwen35 models, but the target is a llama model"),
        (QWEN35, DEEP, "mtp", {}, "made for a target with 6 layers, but this one has 4"),
        (LLAMA, LLAMA, "dflash", {"general.architecture": "gemma4-assistant"}, "gemma4-assistant models"),
    ],
)
def test_heads_that_do_not_fit(
    target: ModelRecipe,
    made_for: ModelRecipe,
    kind: str,
    changes: Mapping[str, Value | None],
    words: str,
    tmp_path: Path,
) -> None:
    make = {"eagle3": make_eagle3, "dflash": make_dflash, "mtp": make_mtp_sidecar}[kind]
    if "general.architecture" in changes:
        changes = {**changes, "gemma4-assistant.embedding_length": 128, "gemma4-assistant.block_count": 2}
        changes |= {"gemma4-assistant.context_length": 512}
    found = compare_files(make_model(tmp_path / "t.gguf", target), make(tmp_path / "h.gguf", made_for, changes))
    assert found.verdict is VocabularyVerdict.INCOMPATIBLE
    assert words in found.reasons[0].message


def test_a_head_is_no_target_for_another(tmp_path: Path) -> None:
    head = make_eagle3(tmp_path / "e.gguf", LLAMA)
    assert not compare_files(head, make_eagle3(tmp_path / "f.gguf", LLAMA)).is_possible
