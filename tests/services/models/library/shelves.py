from pathlib import Path

from support.gguf_bytes import Tensor, Value, gguf, model_metadata, model_tensors

from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import DraftOption
from specchat.store.json_cache import JsonCache


class Facts(JsonCache):
    """Counts what was found out anew."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written = 0

    def put(self, key: str, value: object) -> None:
        self.written += 1
        super().put(key, value)


def write(path: Path, rows: int = 32, changes: dict[str, Value | None] | None = None) -> Path:
    tensors = [*model_tensors(), Tensor("blk.0.ffn_up.weight", (32, rows), "F32")]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gguf(model_metadata(changes), tensors))
    return path


def drafts(library: ModelLibrary, target: Path) -> list[tuple[str, str]]:
    return [(o.model.name, str(o.verdict)) for o in models_among(library.draft_options(target)) if o.model is not None]


def models_among(options: list[DraftOption]) -> list[DraftOption]:
    return [option for option in options if option.draft_type == "model"]
