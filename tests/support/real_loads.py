"""What a model really takes: it is loaded as the program does, in a process of its own, and the log is read.

Run as a program: prints one JSON object, {device: {part: bytes}}.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

from specchat.backends import library
from specchat.backends.llama_model import LlamaModel
from specchat.backends.rpc_registry import connect
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.types import ModelSettings
from specchat.gguf.placement import Inventory, read_inventory

_REARRANGED = re.compile(r"repack tensor (\S+) with")


def load(path: Path, settings: ModelSettings) -> Mapping[str, MemoryBreakdown]:
    """Weights counted once: what is rearranged may stand in the mapped part of the file too."""
    connect(settings.rpc)
    with library.capture_log() as log, closing(LlamaModel(path, settings)) as model:
        found = dict(model.allocated)
    twice = _mapped_for_nothing(read_inventory(path), set(_REARRANGED.findall("\n".join(log))))
    found[CPU] = replace(found[CPU], weights=found[CPU].weights - twice)
    return found


def load_elsewhere(
    path: Path, settings: ModelSettings, environment: Mapping[str, str] | None = None
) -> Mapping[str, MemoryBreakdown]:
    command = [sys.executable, __file__, str(path), json.dumps(to_plain(settings))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return {device: MemoryBreakdown(**parts) for device, parts in json.loads(done.stdout).items()}


def _mapped_for_nothing(inventory: Inventory, rearranged: set[str]) -> int:
    """The mapped part reaches from the first tensor that stays as it is to the last."""
    copied = rearranged - ({inventory.tied.name} if inventory.tied else set())
    staying = [tensor for tensor in inventory.tensors if tensor.name not in copied]
    first, last = min(tensor.offset for tensor in staying), max(tensor.offset for tensor in staying)
    return sum(tensor.size for tensor in inventory.tensors if tensor.name in copied and first < tensor.offset < last)


if __name__ == "__main__":
    made = load(Path(sys.argv[1]), from_plain(ModelSettings, json.loads(sys.argv[2])))
    sys.stdout.write(json.dumps({device: asdict(parts) for device, parts in made.items()}))
