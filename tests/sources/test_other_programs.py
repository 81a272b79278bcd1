"""What LM Studio, Ollama and plain folders have, however odd their files are."""

import json
import os
from pathlib import Path

import pytest
from support.model_homes import put_into_ollama, small_model, write_manifest

from specchat.sources import model_folders
from specchat.sources.checksums import checksum_in_name
from specchat.sources.model_folders import find_model_files
from specchat.sources.other_programs import lm_studio_folders, ollama_folders, ollama_models

LIBRARY = "registry.ollama.ai/library"
MODEL = "application/vnd.ollama.image.model"


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"GGUF")
    return path


def names(folder: Path) -> list[str]:
    return [model.name for model in ollama_models(folder)]


# LM Studio


def test_lm_studio_now_and_before(tmp_path: Path) -> None:
    assert lm_studio_folders(tmp_path) == []
    (older := tmp_path / ".cache" / "lm-studio" / "models").mkdir(parents=True)
    (newer := tmp_path / ".lmstudio" / "models").mkdir(parents=True)
    assert lm_studio_folders(tmp_path) == [newer, older]


def test_lm_studio_elsewhere(tmp_path: Path) -> None:
    (chosen := tmp_path / "large disk").mkdir()
    (moved := tmp_path / "moved" / "models").mkdir(parents=True)
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{moved.parent}\n")
    (moved.parent / "settings.json").write_text(json.dumps({"downloadsFolder": str(chosen)}))
    assert lm_studio_folders(tmp_path) == [chosen, moved]


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"/gone", b"\0", b"a" * 10_000, b"{", b'{"downloadsFolder": 5}', b"[" * 100_000]
)
def test_lm_studio_says_nonsense(tmp_path: Path, content: bytes) -> None:
    (own := tmp_path / ".lmstudio" / "models").mkdir(parents=True)
    for path in (tmp_path / ".lmstudio-home-pointer", own.parent / "settings.json"):
        path.write_bytes(content)
    assert lm_studio_folders(tmp_path) == [own]


# Ollama


def test_ollama_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)
    own, named = tmp_path / ".ollama" / "models", tmp_path / "named"
    assert own not in ollama_folders(tmp_path)
    for folder in (own, named):
        put_into_ollama(folder, f"{LIBRARY}/tiny/latest", b"GGUF")
    assert ollama_folders(tmp_path)[0] == own
    monkeypatch.setenv("OLLAMA_MODELS", str(named))
    assert ollama_folders(tmp_path)[:2] == [named, own]


@pytest.mark.parametrize(
    ("manifest", "name"),
    [
        (f"{LIBRARY}/llama3.2/1b", "llama3.2:1b"),
        ("registry.ollama.ai/someone/tiny/latest", "someone/tiny:latest"),
        ("hf.co/someone/Small-GGUF/Q4_K_M", "hf.co/someone/Small-GGUF:Q4_K_M"),
    ],
)
def test_ollama_names(tmp_path: Path, manifest: str, name: str) -> None:
    blob = put_into_ollama(tmp_path, manifest, b"GGUF")
    (model,) = ollama_models(tmp_path)
    assert (model.name, model.blob) == (name, blob)


def test_blobs_of_older_versions(tmp_path: Path) -> None:
    blob = put_into_ollama(tmp_path, f"{LIBRARY}/tiny/latest", b"GGUF")
    older = blob.rename(blob.with_name(blob.name.replace("-", ":")))
    assert [model.blob for model in ollama_models(tmp_path)] == [older]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[" * 100_000,
        "[]",
        "5",
        '{"layers": 5}',
        '{"layers": [5, [], {}, {"mediaType": 5}]}',
        json.dumps({"layers": [{"mediaType": MODEL, "digest": "sha256:../../../etc/passwd"}]}),
        json.dumps({"layers": [{"mediaType": MODEL, "digest": "sha256:" + "a" * 64}]}),
        json.dumps({"layers": [{"mediaType": MODEL, "digest": 5}]}),
        " " * (1 << 20) + "{}",
    ],
)
def test_odd_manifests(tmp_path: Path, content: str) -> None:
    write_manifest(tmp_path, f"{LIBRARY}/odd/latest", content)
    put_into_ollama(tmp_path, f"{LIBRARY}/tiny/latest", b"GGUF")
    assert names(tmp_path) == ["tiny:latest"]


def test_odd_names(tmp_path: Path) -> None:
    put_into_ollama(tmp_path, f"{LIBRARY}/tiny/latest", b"GGUF")
    put_into_ollama(tmp_path, f"{LIBRARY}/ti\x1b[31mny/latest", b"GGUF")
    (tmp_path / "manifests" / "loop").symlink_to(tmp_path / "manifests")
    (tmp_path / "manifests" / "registry.ollama.ai" / "library" / "a" / "folder").mkdir(parents=True)
    os.mkfifo(tmp_path / "manifests" / "registry.ollama.ai" / "library" / "a" / "pipe")
    assert names(tmp_path) == ["tiny:latest"]


# Folders


def test_folders_are_gone_through(tmp_path: Path) -> None:
    shown = [
        touch(tmp_path / name) for name in ("a.gguf", "b/c/d.GGUF", "e-00001-of-00002.gguf", "f-imatrix-Q4_0.gguf")
    ]
    hidden = ("e-00002-of-00002.gguf", "mmproj-a.gguf", "imatrix.gguf", ".git/a.gguf", "a.txt", "b/a.gguf.part")
    for name in hidden:
        touch(tmp_path / name)
    (tmp_path / "folder.gguf").mkdir()
    (tmp_path / "lost.gguf").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.gguf")
    assert find_model_files(tmp_path) == shown
    assert find_model_files(tmp_path / "gone") == []


def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    elsewhere = touch(tmp_path / "disk" / "a.gguf").parent
    (folder := tmp_path / "models").mkdir()
    (folder / "linked").symlink_to(elsewhere)
    (folder / "itself").symlink_to(folder)
    (elsewhere / "back").symlink_to(folder)
    (elsewhere / "self.gguf").symlink_to("self.gguf")
    assert find_model_files(folder) == [folder / "linked" / "a.gguf"]


def test_a_whole_disk_is_not_gone_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_folders, "_MOST_FOLDERS", 3)
    for name in "abcdef":
        touch(tmp_path / name / "model.gguf")
    assert len(find_model_files(tmp_path)) == 2


# Checksums


def test_checksums_in_names(tmp_path: Path) -> None:
    blob = put_into_ollama(tmp_path, f"{LIBRARY}/tiny/latest", small_model())
    digest = blob.name.removeprefix("sha256-")
    (link := tmp_path / "tiny.gguf").symlink_to(blob)
    (linked_link := tmp_path / "again.gguf").symlink_to("tiny.gguf")
    assert [checksum_in_name(path) for path in (blob, link, linked_link)] == [digest] * 3
    (circle := tmp_path / "circle.gguf").symlink_to("circle.gguf")
    assert [checksum_in_name(path) for path in (circle, tmp_path / digest, touch(tmp_path / "a.gguf"))] == [None] * 3
