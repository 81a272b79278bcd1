"""The estimated compute memory of encoders of pictures and recordings against what llama.cpp reserves for them.

python tests/benchmarks/projector_memory.py

Encoders have the sizes of real ones, three layers, and weights of zeros.
"""

import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.audio_projectors import HEARINGS, AudioRecipe, Hearing, make_audio_projector
from support.projectors import GEMMA3, LLAVA, QWEN2_VL, ProjectorRecipe, Sight, make_projector
from support.sparse import SHAPES, make_sparse

from specchat.backends.media_encoder import MediaEncoder
from specchat.backends.weights import Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import ModelSettings
from specchat.gguf.projector import read_projector

CLIP_LARGE = ProjectorRecipe("mlp", 336, 4096, n_embd=1024, n_ff=4096, n_head=16)
REAL = {
    "LLaVA 1.5, ViT-L/14 336": ("llama-7b", CLIP_LARGE),
    "ViT-B/16 224": ("llama-1b", replace(CLIP_LARGE, image_size=224, width=2048, n_embd=768, n_ff=3072, patch=16)),
    "ViT-g/14 448": ("llama-7b", replace(CLIP_LARGE, image_size=448, n_embd=1408, n_ff=6144)),
    "Qwen2-VL": ("qwen2-7b", ProjectorRecipe("qwen2vl_merger", 560, 3584, n_embd=1280, n_ff=5120, n_head=16)),
    "Gemma 3, SigLIP 896": ("gemma3-1b", ProjectorRecipe("gemma3", 896, 1152, n_embd=1152, n_ff=4304, n_head=16)),
    "Qwen2.5-VL": (
        "qwen2-7b",
        ProjectorRecipe("qwen2.5vl_merger", 560, 3584, n_embd=1280, n_ff=3420, n_head=16),
    ),
    "SmolVLM, SigLIP-B/16 512": (
        "gemma3-1b",
        ProjectorRecipe("idefics3", 512, 1152, n_embd=768, n_ff=3072, n_head=12, patch=16),
    ),
    "SigLIP 448": ("gemma3-1b", ProjectorRecipe("gemma3", 448, 1152, n_embd=1152, n_ff=4304, n_head=16)),
}
WHISPER = AudioRecipe(
    "ultravox", 2048, n_embd=1280, n_ff=5120, n_head=20, n_layer=3, n_mel=128, inner=4096, halves=True
)
REAL_EARS = {
    "Ultravox 1B, Whisper large": ("llama-1b", WHISPER),
    "Qwen2-Audio": ("llama-7b", replace(WHISPER, kind="qwen2a", width=4096)),
    "Qwen2.5-Omni": ("qwen2-7b", replace(WHISPER, kind="qwen2a", width=3584)),
    "Voxtral": ("llama-7b", replace(WHISPER, kind="voxtral", width=4096, stack=4, inner=5120)),
    "Whisper small": ("llama-1b", replace(WHISPER, kind="qwen2a", n_embd=768, n_ff=3072, n_head=12, n_mel=80)),
}
TINY: dict[str, Sight | Hearing] = {"tiny LLaVA": LLAVA, "tiny Qwen2-VL": QWEN2_VL, "tiny Gemma 3": GEMMA3, **HEARINGS}


def main() -> None:
    print("| encoder | reserved, bytes | estimated | difference |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, (shape, recipe) in REAL.items():
            target = make_sparse(Path(folder, f"{shape}.gguf"), SHAPES[shape])
            _compare(
                name, target, make_projector(Path(folder, "mmproj.gguf"), replace(recipe, halves=True), sparse=True)
            )
        for name, (shape, ears) in REAL_EARS.items():
            target = make_sparse(Path(folder, f"{shape}.gguf"), SHAPES[shape])
            _compare(name, target, make_audio_projector(Path(folder, "mmproj.gguf"), ears, sparse=True))
        for name, sight in TINY.items():
            _compare(name, *sight.make(Path(folder, name)))


def _compare(name: str, target: Path, mmproj: Path) -> None:
    settings = ModelSettings(gpu_layers=0)
    with (
        closing(Weights(target, settings, CancelToken(), allocate=False)) as weights,
        closing(MediaEncoder(mmproj, weights, settings)) as encoder,
    ):
        encoder.open()
        reserved = sum(each.compute for each in encoder.allocated.values())
    estimated = read_projector(mmproj).compute
    print(f"| {name} | {reserved:,} | {estimated:,} | {estimated - reserved:+,} ({estimated / reserved - 1:+.2%}) |")


if __name__ == "__main__":
    main()
