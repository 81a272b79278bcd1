import pytest

from specchat.services.models.model_names import (
    family,
    normalize_name,
    parse_parameters,
    relative_search_terms,
    split_reference,
)


@pytest.mark.parametrize(
    "name",
    [
        "Meta-Llama-3.1-8B-Instruct",
        "Meta Llama 3.1 8B Instruct",
        "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
        "Llama-3.1-8B-Instruct.i1-Q4_K_M.gguf",
        "folder/Llama-3.1-8B-Instruct-UD-Q4_K_XL.gguf",
        "llama-3.1-8b-instruct-f16-00001-of-00002.gguf",
        "bartowski/meta-llama_Llama-3.1-8B-Instruct-GGUF",
        r"C:\models\llama-3.1-8b-instruct.Q8_0.gguf",
    ],
)
def test_one_model_by_many_names(name: str) -> None:
    assert normalize_name(name) == "llama-3.1-8b-instruct"


@pytest.mark.parametrize("name", ["", "-", "Q8_0.gguf", "a"])
def test_names_that_tell_nothing(name: str) -> None:
    assert relative_search_terms(name)
    assert parse_parameters(name) == 0


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Qwen/Qwen2.5-0.5B-Instruct-GGUF", 500_000_000),
        ("gemma-3-270m-it", 270_000_000),
        ("Qwen3-Coder-30B-A3B-Instruct", 30_000_000_000),
        ("gemma-4-E2B-it", 2_000_000_000),
        ("Mixtral-8x7B-v0.1", 56_000_000_000),
        ("alamios/QwQ-32B-DRAFT-0.5B-GGUF", 500_000_000),
        ("Kimi-K2-Instruct", 0),
    ],
)
def test_sizes_in_names(name: str, parameters: int) -> None:
    assert parse_parameters(name) == parameters


@pytest.mark.parametrize(
    ("name", "searches"),
    [
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", ["llama-3.1", "llama-3", "llama-3.1 draft"]),
        ("Qwen2.5-Coder-32B-Instruct", ["qwen2.5-coder", "qwen2.5", "qwen2.5-coder draft"]),
        ("QwQ-32B", ["qwq", "qwq draft"]),
        ("Kimi-K2-Instruct", ["kimi-k2", "kimi", "kimi-k2 draft"]),
        ("gemma-3-27b-it", ["gemma-3", "gemma", "gemma-3 draft"]),
    ],
)
def test_what_finds_relatives(name: str, searches: list[str]) -> None:
    assert relative_search_terms(name) == searches


def test_families() -> None:
    assert [family(name) for name in ("Qwen2.5-7B", "Qwen3 0.6B", "google_gemma-3-1b-it", "8B")] == [
        "qwen",
        "qwen",
        "gemma",
        "",
    ]


@pytest.mark.parametrize(
    ("reference", "places"),
    [
        ("owner/repo:folder/a.gguf", ("owner/repo", "folder/a.gguf")),
        ("owner/repo@v2:a.gguf", ("owner/repo", "a.gguf")),
        ("/cache/models--owner--a--b/snapshots/0123/a.gguf", ("owner/a--b", "a.gguf")),
        ("/models/a.gguf", ("", "a.gguf")),
        ("demo", ("", "demo")),
        ("", ("", "")),
    ],
)
def test_repository_and_file(reference: str, places: tuple[str, str]) -> None:
    assert split_reference(reference) == places
