from pathlib import Path

import pytest
from support.gguf_bytes import TOKENS, BytesSource, Value, gguf, model_metadata, model_tensors
from support.ggufs import ModelRecipe, make_model
from support.pairs import loaded

from specchat.domain.errors import ModelFileError
from specchat.domain.types import ModelSettings, VocabularyVerdict
from specchat.gguf.files import compare_files, compare_sources, read_model
from specchat.gguf.splits import size_of_files


def write(path: Path, changes: dict[str, Value | None] | None = None) -> Path:
    path.write_bytes(gguf(model_metadata(changes), model_tensors()))
    return path


def test_reading_a_model(tmp_path: Path) -> None:
    summary = read_model(write(tmp_path / "model.gguf"))
    assert (summary.architecture, summary.problems) == ("llama", ())


def test_only_the_header_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "model.gguf")
    with path.open("ab") as file:
        file.truncate(10**10)
    summary = read_model(path)
    assert summary.file_size == 10**10
    assert summary.bytes_read < 200_000


def test_the_other_parts_have_to_be_there(tmp_path: Path) -> None:
    path = write(tmp_path / "big-00001-of-00003.gguf", {"split.no": 0, "split.count": 3})
    write(tmp_path / "big-00002-of-00003.gguf")
    assert read_model(path).problems[1:] == ("The part big-00003-of-00003.gguf is missing.",)
    write(tmp_path / "big-00003-of-00003.gguf")
    assert size_of_files(path, 3) == sum(part.stat().st_size for part in tmp_path.iterdir())
    assert len(read_model(path).problems) == 1


def test_a_first_part_by_another_name_is_still_read(tmp_path: Path) -> None:
    path = write(tmp_path / "renamed.gguf", {"split.no": 0, "split.count": 3})
    assert len(read_model(path).problems) == 1


def test_comparing_two_files(tmp_path: Path) -> None:
    target = write(tmp_path / "target.gguf")
    draft = write(tmp_path / "draft.gguf", {"tokenizer.ggml.tokens": [*TOKENS[:-1], "abd"]})
    assert compare_files(target, target).verdict is VocabularyVerdict.IDENTICAL
    result = compare_files(target, draft)
    assert result.verdict is VocabularyVerdict.TRANSLATABLE
    assert result.first_difference is not None
    assert result.first_difference.id == len(TOKENS) - 1


def test_comparing_large_vocabularies() -> None:
    texts = [b"token%d" % i for i in range(131_072)]
    changes: dict[str, Value | None] = {
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": None,
        "tokenizer.ggml.scores": [0.0] * len(texts),
    }
    target = BytesSource(gguf(model_metadata(changes)))
    draft = BytesSource(gguf(model_metadata(changes | {"tokenizer.ggml.tokens": [*texts[:-1], b"last"]})))
    result = compare_sources(target, draft)
    assert (result.verdict, result.vocab_target) == ("translatable", 131_072)
    assert result.first_difference is not None
    assert result.first_difference.id == 131_071


def test_a_file_without_tokenizer_cannot_be_compared(tmp_path: Path) -> None:
    target = write(tmp_path / "target.gguf")
    draft = write(tmp_path / "draft.gguf", {"tokenizer.ggml.model": None})
    with pytest.raises(ModelFileError, match=r"draft\.gguf has no tokenizer"):
        compare_files(target, draft)


def test_a_later_part_cannot_be_compared(tmp_path: Path) -> None:
    target = write(tmp_path / "target.gguf")
    with pytest.raises(ModelFileError, match="part 2 of 2"):
        compare_files(target, write(tmp_path / "part.gguf", {"split.no": 1, "split.count": 2}))


@pytest.mark.parametrize(
    ("target", "draft", "codes"),
    [
        ("llama", "llama", []),
        ("lfm2", "llama", []),
        ("mamba", "llama", ["target-rollback"]),
        ("llama", "lfm2", ["draft-rollback"]),
        ("qwen35", "mamba", ["draft-rollback"]),
    ],
)
def test_who_cannot_take_back_tokens(target: str, draft: str, codes: list[str], tmp_path: Path) -> None:
    """As the engine finds after loading."""
    paths = [make_model(tmp_path / f"{which}.gguf", ModelRecipe(arch=which)) for which in (target, draft)]
    found = [reason.code for reason in compare_files(*paths).reasons if reason.code.endswith("rollback")]
    assert found == codes
    settings = ModelSettings(n_ctx=512, max_draft=8)
    with loaded(paths[0], settings) as big, loaded(paths[1], settings) as small:
        assert (big.max_rollback == 0, small.max_rollback < small.n_ctx) == (
            "target-rollback" in codes,
            "draft-rollback" in codes,
        )
