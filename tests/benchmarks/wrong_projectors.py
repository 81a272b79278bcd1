"""mmproj files that are damaged or lie: each is used, or there is a reason why not, and nothing crashes.

python tests/benchmarks/wrong_projectors.py [--count 200] [--seed 1] [--keep FOLDER]

Encoders of pictures and recordings, of several kinds: headers with values changed, bytes turned over, ends cut off,
tensors swapped and retyped, weights that are no numbers. Each goes through `fit` and through `chat` with a picture or a
recording, under the rules of mutations.py.
"""

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.audio_projectors import HEARINGS, Hearing
from support.gguf_writer import Value
from support.mutants import Original, mutants
from support.pictures import png
from support.projectors import SIGHTS, Sight
from support.recordings import tones, wav
from support.watched_commands import Run, run_watched

from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource

VALUES: tuple[Value | None, ...] = (
    *(0, 1, 2, 3, 7, 64, 81, 128, 999, 1 << 14, 1 << 20, 1 << 31, -1),
    *(0.0, -1.0, float("nan"), True, False, "", "mlp", "ultravox", "gemma3", None),
    [1, 2],
    [0.0, 0.5],
)


@dataclass(frozen=True)
class Model:
    name: str
    made: Sight | Hearing
    target: Path
    mmproj: Path
    original: Original
    keys: tuple[str, ...]


class Laboratory:
    def __init__(self, folder: Path, keep: Path | None, seed: int) -> None:
        self._folder, self._keep, self._rng = folder, keep, random.Random(seed)
        (folder / "picture.png").write_bytes(png(90, 70))
        (folder / "sound.wav").write_bytes(wav(tones(2.0)))
        self._models = [self._make(name, made) for name, made in (*SIGHTS.items(), *HEARINGS.items())]

    def _make(self, name: str, made: Any) -> Model:
        target, mmproj = made.make(self._folder / name)
        header = read_header(FileSource(mmproj))
        keys = tuple(key for key in header.metadata if key.startswith("clip."))
        return Model(name, made, target, mmproj, Original.of(mmproj.read_bytes()), keys)

    def try_one(self, number: int) -> list[Run]:
        model = self._rng.choice(self._models)
        path = model.mmproj
        what = f"{model.name}: {self._damage(model, path, number)}"
        hears = isinstance(model.made, Hearing) and (model.name != "omni" or self._rng.random() < 0.5)
        media = ["--audio", "sound.wav"] if hears else ["--image", "picture.png"]
        about = ["-m", str(model.target), "-mm", str(path), "-c", "1024"]
        asked = ["-t", "1", "-n", "2", "-s", "1", "-p", "What is it?", media[0], str(self._folder / media[1])]
        runs = [
            run_watched(self._folder, number, what, "fit", ["fit", *about[1:]], 2 * path.stat().st_size),
            run_watched(self._folder, number, what, "chat", ["chat", *about, *asked], 2 * path.stat().st_size),
        ]
        if self._keep is not None and any(run.faults for run in runs):
            self._keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self._keep / f"{number}-{model.name}.gguf")
        return runs

    def _damage(self, model: Model, path: Path, number: int) -> str:
        if self._rng.random() < 0.6:
            keys = self._rng.sample(model.keys, self._rng.choice((1, 1, 2)))
            changes = {key: self._rng.choice(VALUES) for key in keys}
            model.made.make(path.parent, changes)
            return str(changes)
        ((done, data),) = mutants([model.original], 1, self._rng.randrange(1 << 30), first=number)
        path.write_bytes(data)
        return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    said, n_broken = Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder), options.keep, options.seed)
        for number in range(options.count):
            for run in laboratory.try_one(number):
                last = run.reason.strip().rpartition("\nhint")[0].rpartition("\n")[2][:140]
                said[f"{run.command} {run.code}: {last if run.code else ''}"] += 1
                n_broken += bool(run.faults)
                if run.faults:
                    print(f"BROKEN ({', '.join(run.faults)}): {run}", flush=True)
    for sentence, count in said.most_common():
        print(f"{count:4} {sentence}")
    print(f"{options.count} files, {n_broken} commands broke a rule")
    sys.exit(n_broken > 0)


if __name__ == "__main__":
    main()
