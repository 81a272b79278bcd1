"""Repositories as they are on the Hub: well-known names, real shapes, no weights."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from support.ggufs import ModelRecipe
from support.heads import make_eagle3
from support.hub.blobs import LfsFile
from support.hub.local_hub import LocalHub
from support.sparse import SHAPES, Mix, Shape, make_sparse

QWEN_05B = SHAPES["qwen2-0.5b"]
QWEN_7B = replace(SHAPES["qwen2-7b"], n_vocab=QWEN_05B.n_vocab)
LLAMA_8B, LLAMA_1B = (replace(SHAPES[name], n_ctx=131072) for name in ("llama-8b", "llama-1b"))
EAGLE3 = "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B-GGUF"
_MIXES: tuple[Mix, ...] = ("Q4_K_M", "Q8_0", "F16")


def stock(hub: LocalHub, folder: Path) -> None:
    """The files lie in the folder; they take no room there."""
    coder = "ggml-org/Qwen2.5-Coder-{}-GGUF"
    _add(hub, folder, coder.format("7B-Instruct"), "qwen2.5-coder-7b-instruct", QWEN_7B, 412_000, "apache-2.0")
    _add(hub, folder, coder.format("0.5B-Instruct"), "qwen2.5-coder-0.5b-instruct", QWEN_05B, 96_000, "apache-2.0")
    llama = "bartowski/{}-GGUF"
    _add(hub, folder, llama.format("Meta-Llama-3.1-8B-Instruct"), "Meta-Llama-3.1-8B-Instruct", LLAMA_8B, 390_000)
    _add(hub, folder, llama.format("Llama-3.2-1B-Instruct"), "Llama-3.2-1B-Instruct", LLAMA_1B, 150_000)
    _add_head(hub, folder / "EAGLE3-LLaMA3.1-Instruct-8B-F16.gguf")
    hub.add(
        "google/gemma-3-27b-it-qat-q4_0-gguf",
        {
            "gemma-3-27b-it-q4_0.gguf": LfsFile(
                folder / "Meta-Llama-3.1-8B-Instruct-Q8_0.gguf", _name("gemma"), 17 << 30
            )
        },
        gating="auto",
        licence="gemma",
        downloads=220_000,
        gguf={"total": 27_000_000_000, "architecture": "gemma3", "context_length": 131072},
    )


def _add_head(hub: LocalHub, path: Path) -> None:
    """A draft for one target, and for no other."""
    make_eagle3(path, ModelRecipe())
    facts = {"total": 850_000_000, "architecture": "eagle3", "context_length": 2048}
    file = LfsFile(path, _name(path.name), path.stat().st_size)
    hub.add(EAGLE3, {path.name: file}, licence="llama3.1", downloads=4_000, gguf=facts)


def _add(
    hub: LocalHub, folder: Path, repo: str, name: str, shape: Shape, downloads: int, licence: str = "llama3.1"
) -> None:
    paths = {f"{name}-{mix}.gguf": make_sparse(folder / f"{name}-{mix}.gguf", shape, mix) for mix in _MIXES}
    files = {file: LfsFile(path, _name(file), path.stat().st_size) for file, path in paths.items()}
    files["mmproj-F16.gguf"] = LfsFile(paths[f"{name}-Q4_K_M.gguf"], _name(f"{repo}/mmproj"), 600 << 20)
    billions = {QWEN_7B: 7.6, QWEN_05B: 0.5, LLAMA_8B: 8.0, LLAMA_1B: 1.2}[shape]
    gguf = {"total": round(billions * 1e9), "architecture": shape.arch, "context_length": shape.n_ctx}
    hub.add(repo, files, licence=licence, downloads=downloads, likes=downloads // 1000, gguf=gguf)


def _name(text: str) -> str:
    return sha256(text.encode()).hexdigest()
