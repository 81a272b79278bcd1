"""The model files on this computer, and which of them may draft for which.

Importing this costs nothing: what reads headers needs numpy, and waits until there is one to read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import log2
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.domain.plain import from_plain, to_plain
from specchat.domain.ports import Remembers
from specchat.domain.said import Said
from specchat.domain.types import PairChoice
from specchat.services.pair_values import DraftOption, DraftVerdict, Origin, ShelfModel
from specchat.services.shelf_facts import facts_of, file_state
from specchat.store.json_file import JsonFile

_LATER_PART = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$")
_BEST_RATIO = 1 / 10
"""A draft's size to its target's: guidance says 5 to 10 times smaller, more for very large targets."""
_ADDED = "models"
_GONE = Said("The file is not there any more.")
_TOO_LARGE = Said("It is not smaller than the target.")


class ModelShelf:
    def __init__(
        self, added: JsonFile, folder: Path, facts: Remembers, verdicts: Remembers, demo: Sequence[Path] = ()
    ) -> None:
        """`added`: what the user put on the list; `folder`: where downloads go."""
        self._added = added
        self._folder = folder
        self._facts = facts
        self._verdicts = verdicts
        self._demo = demo

    def models(self) -> list[ShelfModel]:
        """Reads files: the first time this takes a while."""
        found: dict[Path, Origin] = dict.fromkeys((path for path in self._demo if path.is_file()), Origin.DEMO)
        found |= dict.fromkeys(self._in_folder(), Origin.FOLDER)
        found |= dict.fromkeys(self._paths_added(), Origin.ADDED)
        models = [self._model(path, origin) for path, origin in found.items()]
        return sorted(models, key=lambda m: (m.origin is Origin.DEMO, m.name.casefold(), m.size, str(m.path)))

    def add(self, path: Path) -> ShelfModel:
        from specchat.gguf.files import read_model

        path = path.absolute()
        read_model(path)
        self._write_added([*(known for known in self._paths_added() if known != path), path])
        return self._model(path, Origin.ADDED)

    def remove(self, path: Path) -> None:
        """From the list only; the file stays."""
        self._write_added([known for known in self._paths_added() if known != path])

    def draft_options(self, target: Path) -> list[DraftOption]:
        """The best first, those that cannot guess for this target last."""
        models = self.models()
        size = next((model.size for model in models if model.path == target), 0)
        candidates = [self._candidate(target, size, model) for model in models if model.path != target]
        usable = sorted((o for o in candidates if o.selectable), key=lambda option: _distance(option, size))
        rest = sorted((o for o in candidates if not o.selectable), key=lambda o: list(DraftVerdict).index(o.verdict))
        best = usable[0].model if usable else None
        return [DraftOption("auto", best), *usable, DraftOption("ngram"), DraftOption("none"), *rest]

    def settled(self, choice: PairChoice) -> PairChoice:
        """With "auto" replaced by the best there is now."""
        if choice.draft_type != "auto" or choice.draft is not None:
            return choice
        best = next(option.model for option in self.draft_options(choice.target) if option.draft_type == "auto")
        if best is None:
            return replace(choice, draft_type="ngram")
        return replace(choice, draft_type="model", draft=best.path)

    def _in_folder(self) -> Iterator[Path]:
        yield from (path for path in sorted(self._folder.rglob("*.gguf")) if not _LATER_PART.search(path.name))

    def _paths_added(self) -> list[Path]:
        paths = self._added.read().get(_ADDED, [])
        if not (isinstance(paths, list) and all(isinstance(path, str) for path in paths)):
            self._added.set_aside()
            return []
        return [Path(path) for path in paths]

    def _write_added(self, paths: Iterable[Path]) -> None:
        self._added.write(self._added.read() | {_ADDED: [str(path) for path in paths]})

    def _model(self, path: Path, origin: Origin) -> ShelfModel:
        if not path.is_file():
            return ShelfModel(path, path.stem, origin, problems=(_GONE,), missing=True)
        facts = facts_of(path, self._facts)
        parts = [path, *(path.with_name(part) for part in facts.other_parts)]
        lost = [Said("The part {name} is missing.", name=part.name) for part in parts if not part.is_file()]
        return ShelfModel(
            path=path,
            name=facts.name.strip() or path.stem,
            origin=origin,
            size=sum(part.stat().st_size for part in parts if part.is_file()),
            parameters=facts.parameters,
            quantization=facts.quantization,
            n_ctx_train=facts.n_ctx_train,
            n_layer=facts.n_layer,
            problems=(*facts.problems, *lost),
        )

    def _candidate(self, target: Path, target_size: int, model: ShelfModel) -> DraftOption:
        if model.problems:
            return DraftOption("model", model, DraftVerdict.UNUSABLE, model.problems[0])
        verdict, reason = self._compared(target, model.path)
        option = DraftOption("model", model, verdict, reason)
        if option.selectable and model.size >= target_size:
            return DraftOption("model", model, DraftVerdict.TOO_LARGE, _TOO_LARGE)
        return option

    def _compared(self, target: Path, draft: Path) -> tuple[DraftVerdict, str]:
        key = f"{file_state(target)}|{file_state(draft)}"
        known = self._verdicts.get(key)
        match known:
            case [str(verdict), reason] if verdict in list(DraftVerdict):
                with suppress(ValueError):
                    return DraftVerdict(verdict), from_plain(Said, reason)
        from specchat.gguf.files import compare_files

        try:
            found = compare_files(target, draft)
        except UserError as error:
            return DraftVerdict.UNUSABLE, error.message
        verdict, reason = DraftVerdict(found.verdict), found.reasons[0].message if found.reasons else ""
        self._verdicts.put(key, [verdict, to_plain(reason)])
        return verdict, reason


def _distance(option: DraftOption, target_size: int) -> float:
    assert option.model is not None
    return abs(log2(max(1, option.model.size) / max(1, target_size) / _BEST_RATIO))
