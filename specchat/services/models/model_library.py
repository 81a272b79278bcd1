"""Lists the model files on this computer and their possible drafts.

Importing this costs nothing: what reads headers needs numpy, and waits until there is one to read.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from specchat.domain.cancel_token import CancelToken
from specchat.domain.drafter_types import EARLY_EXIT, MODEL
from specchat.domain.embeddings import Purpose
from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.heads import HeadKind
from specchat.domain.media import TEXT_ONLY
from specchat.domain.model_ref import ModelRef, ServedModel
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import NGRAM, PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import distance_from_best_size, speed_rank
from specchat.services.models.head_lookup import has_mtp
from specchat.services.models.mmproj_lookup import find_mmproj, read_senses
from specchat.services.models.model_discovery import (
    FoundFile,
    ModelFinder,
    drop_duplicates,
    find_in_folder,
    is_same_file,
)
from specchat.services.models.model_facts import FACTS_VERSION, file_state, load_facts
from specchat.services.models.model_refs import is_local, path_for_ref, ref_for_path
from specchat.services.models.pair_fit import NOT_SMALLER, DraftOption, DraftVerdict, LocalModel, Origin
from specchat.store.json_file import JsonFile

_NAMED_AT_MOST = 3
_ADDED, _FOLDERS = "models", "folders"
_GONE = TranslatableText("The file no longer exists.")


class ModelLibrary:
    def __init__(
        self,
        added: JsonFile,
        folder: Path,
        facts: FactCache,
        verdicts: FactCache,
        demo: Sequence[Path] = (),
        finders: Sequence[ModelFinder] = (),
        ours: Callable[[], Collection[Path]] = frozenset,
        measured_here: SpeedLookup = no_measurements,
    ) -> None:
        """`added`: what the user put on the list; `folder`: specchat's own; `ours`: what it may delete."""
        self._added = added
        self._folder = folder
        self._facts = facts
        self._verdicts = verdicts
        self._demo = demo
        self._finders = finders
        self._ours = ours
        self._measured_here = measured_here

    def models(self) -> list[LocalModel]:
        """Reads files: the first time this takes a while."""
        ours, folders = self._ours(), _ListedFolders()
        models = [self._model(found, ours, folders) for found in drop_duplicates(self._found())]
        return sorted(models, key=lambda m: (m.origin is Origin.DEMO, m.name.casefold(), m.size, str(m.path)))

    def find_model(self, path: Path) -> LocalModel | None:
        """Finds a model by any path of its file."""
        return next((model for model in self.models() if is_same_file(model.path, path)), None)

    def add(self, path: Path) -> LocalModel:
        from specchat.gguf.files import read_model

        path = path.absolute()
        read_model(path)
        if here := self.find_model(path):
            return here
        self._write(_ADDED, [*self._read_list(_ADDED), path])
        return self._model(FoundFile(path, Origin.ADDED), ())

    def remove(self, path: Path) -> None:
        """Removes a model from the list only; the file stays."""
        self._write(_ADDED, [known for known in self._read_list(_ADDED) if known != path])

    def folders(self) -> list[Path]:
        """That the user named."""
        return self._read_list(_FOLDERS)

    def add_folder(self, path: Path) -> None:
        path = path.absolute()
        if not path.is_dir():
            raise ModelFileError("Folder not found: {path}.", "Choose a folder that contains .gguf files.", path=path)
        if next(find_in_folder(path), None) is None:
            raise ModelFileError(
                "There are no models in {path}.", "Choose a folder that contains .gguf files.", path=path
            )
        self._write(_FOLDERS, [*(known for known in self.folders() if known != path), path])

    def remove_folder(self, path: Path, in_use: Iterable[ModelRef] = ()) -> None:
        """From the list only; what it holds stays. Models `in_use` stay on the list as if added one by one."""
        self._write(_FOLDERS, [known for known in self.folders() if known != path.absolute()])
        left = [file for file in map(path_for_ref, filter(is_local, in_use)) if self.find_model(file) is None]
        if left:
            self._write(_ADDED, [*self._read_list(_ADDED), *left])

    def draft_options(self, target: Path) -> list[DraftOption]:
        """The best first, those that cannot guess for this target last. The first time this takes a while."""
        size = self._size_of(target)
        candidates = self.check_drafts(self.models(), target)
        measured = (self._with_speed(o, target, o.model.path) for o in candidates if o.selectable and o.model)
        usable = sorted(measured, key=lambda option: _rank(option, size))
        rest = sorted((o for o in candidates if not o.selectable), key=lambda o: list(DraftVerdict).index(o.verdict))
        ngrams = self._with_speed(DraftOption(NGRAM), target, None)
        own = [self._with_speed(DraftOption(HeadKind.MTP.value), target, None)] if has_mtp(ref_for_path(target)) else []
        trusted = [option for option in usable if _is_trusted(option)]
        best = trusted[0].model if trusted and not own and not _is_worse(trusted[0], ngrams) else None
        return [DraftOption("auto", best), *own, *usable, ngrams, *_installed_drafters(), DraftOption("none"), *rest]

    def check_drafts(
        self, models: Iterable[LocalModel], target: Path, cancel: CancelToken | None = None
    ) -> list[DraftOption]:
        """Which of these can guess for this target, in their order, without what was measured of them."""
        described, cancel = self._model(FoundFile(target, Origin.ADDED), ()), cancel or CancelToken()
        if described.purpose is not Purpose.TEXT:
            return []
        size = described.size
        return [self._candidate(target, size, model, cancel) for model in models if may_draft_for(model, target)]

    def with_best_draft(self, choice: PairChoice) -> PairChoice:
        """Replaces a missing draft for "auto" with the best one available."""
        if choice.draft_type != "auto" or choice.draft is not None or isinstance(choice.target, ServedModel):
            return choice
        options = self.draft_options(path_for_ref(choice.target))
        best = next(option.model for option in options if option.draft_type == "auto")
        if best is None:
            return choice if has_mtp(choice.target) else replace(choice, draft_type=NGRAM)
        return replace(choice, draft=best.ref)

    def best_draft(self, target: ModelRef, draft_type: str) -> LocalModel | None:
        """Of this type."""
        options = (option for option in self.draft_options(path_for_ref(target)) if option.draft_type == MODEL)
        usable = (option.model for option in options if option.model is not None and option.selectable)
        return next((model for model in usable if _draft_type(model) == draft_type), None)

    def _found(self) -> Iterator[FoundFile]:
        """Whoever comes first keeps the file; what the user added, others may have as well."""
        yield from (FoundFile(path, Origin.DEMO) for path in self._demo if path.is_file())
        for find in self._finders:
            yield from find()
        for folder in (self._folder, *self.folders()):
            yield from find_in_folder(folder)
        yield from (FoundFile(path, Origin.ADDED) for path in self._read_list(_ADDED))

    def _read_list(self, key: str) -> list[Path]:
        paths = self._added.read().get(key, [])
        if not (isinstance(paths, list) and all(isinstance(path, str) for path in paths)):
            self._added.set_aside()
            return []
        return [Path(path) for path in paths]

    def _write(self, key: str, paths: Iterable[Path]) -> None:
        self._added.write(self._added.read() | {key: [str(path) for path in paths]})

    def _model(self, found: FoundFile, ours: Collection[Path], folders: "_ListedFolders | None" = None) -> LocalModel:
        path = found.path
        if not os.path.isfile(path):
            return LocalModel(path, path.stem, found.origin, problems=(_GONE,), missing=True)
        facts = load_facts(path, self._facts)
        parts = [path, *(path.with_name(part) for part in facts.other_parts)]
        sizes = {part: _size(part) for part in parts}
        missing = [part.name for part, size in sizes.items() if size is None][:_NAMED_AT_MOST]
        sees = not (facts.problems or facts.head) and (folders or _ListedFolders()).may_have_mmproj(path)
        mmproj = find_mmproj(path) if sees else None
        lost = [TranslatableText("The part {name} is missing.", name=name) for name in missing]
        return LocalModel(
            path=path,
            name=found.name or facts.name.strip() or path.stem,
            origin=found.origin,
            size=sum(size for size in sizes.values() if size),
            parameters=facts.parameters,
            quantization=facts.quantization,
            n_ctx_train=facts.n_ctx_train,
            n_layer=facts.n_layer,
            problems=(*facts.problems, *lost),
            reference=found.reference,
            ours=all(part in ours for part in parts),
            head=facts.head,
            early_exit_of=found.early_exit_of,
            purpose=facts.purpose,
            mmproj=mmproj,
            mmproj_size=(_size(mmproj) or 0) if mmproj is not None else 0,
            senses=read_senses(mmproj) if mmproj is not None else TEXT_ONLY,
        )

    def _candidate(self, target: Path, target_size: int, model: LocalModel, cancel: CancelToken) -> DraftOption:
        cancel.check()
        if model.problems:
            return DraftOption("model", model, DraftVerdict.UNUSABLE, model.problems[0])
        verdict, reason, overlap = self._compare(target, model.path)
        option = DraftOption("model", model, verdict, reason, overlap=overlap)
        if option.selectable and model.size >= target_size:
            return DraftOption("model", model, DraftVerdict.TOO_LARGE, NOT_SMALLER)
        return option

    def _size_of(self, path: Path) -> int:
        return self._model(FoundFile(path, Origin.ADDED), ()).size

    def _with_speed(self, option: DraftOption, target: Path, draft: Path | None) -> DraftOption:
        found = self._measured_here(target, draft)
        if found is None:
            return option
        option = replace(option, speedup=found.speedup, in_chats=found.in_chats, guesses=found.guesses)
        return replace(option, is_estimate=found.is_trial)

    def _compare(self, target: Path, draft: Path) -> tuple[DraftVerdict, str, float]:
        key = self._verdict_key(target, draft)
        known = self._verdicts.get(key)
        match known:
            case [str(verdict), reason, float(overlap)] if verdict in list(DraftVerdict):
                with suppress(ValueError):
                    return DraftVerdict(verdict), from_plain(TranslatableText, reason), overlap
        from specchat.gguf.files import compare_files

        try:
            found = compare_files(target, draft)
        except UserError as error:
            return DraftVerdict.UNUSABLE, error.message, 1.0
        verdict, reason = DraftVerdict(found.verdict), found.reasons[0].message if found.reasons else ""
        self._verdicts.put(key, [verdict, to_plain(reason), found.overlap])
        return verdict, reason, found.overlap

    def _verdict_key(self, target: Path, draft: Path) -> str:
        """Tokens decide, and many files have the same; of a head all else must fit, too."""
        facts = [load_facts(path, self._facts) for path in (target, draft)]
        tokenizers = [each.tokenizer for each in facts]
        if all(tokenizers) and not facts[1].head:
            return f"{FACTS_VERSION}|{'|'.join(tokenizers)}"
        return f"{file_state(target)}|{file_state(draft)}"


def may_draft_for(model: LocalModel, target: Path) -> bool:
    """As far as one can tell without looking into the files: the first layers of a model guess for that model alone,
    and embedding models for none.
    """
    if model.purpose is not Purpose.TEXT:
        return False
    if model.early_exit_of is not None:
        return is_same_file(model.early_exit_of, target)
    return not is_same_file(model.path, target)


def _draft_type(model: LocalModel) -> str:
    return EARLY_EXIT if model.early_exit_of is not None else model.head or MODEL


def _installed_drafters() -> list[DraftOption]:
    from specchat.drafters import BUILT_IN, installed_drafters

    return [DraftOption(name) for name in sorted(installed_drafters()) if name not in BUILT_IN]


class _ListedFolders:
    """Each is listed once: many models lie in one."""

    def __init__(self) -> None:
        self._have: dict[Path, bool] = {}

    def may_have_mmproj(self, target: Path) -> bool:
        """In its folder or the one above: to look whether it fits takes longer."""
        return any(self._has(folder) for folder in target.parents[:2])

    def _has(self, folder: Path) -> bool:
        if folder not in self._have:
            self._have[folder] = any("mmproj" in name.casefold() for name in _names(folder))
        return self._have[folder]


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _rank(option: DraftOption, target_size: int) -> tuple[object, ...]:
    """Those that were found to be faster first, those found to be slower last. A head was made for its target."""
    seen = option.speedup if option.speedup is not None and not option.is_estimate else 1.0
    rank = speed_rank(seen, measured=not option.in_chats, in_chats=option.in_chats)
    is_translated = option.verdict is DraftVerdict.TRANSLATABLE
    assert option.model is not None
    is_head = bool(option.model.head)
    return rank, is_translated, not is_head, distance_from_best_size(option.model.size, target_size)


def _is_trusted(option: DraftOption) -> bool:
    """A draft with another vocabulary may be any small model, and Medusa heads may be for any model of this size:
    they are taken unasked only where they were faster.
    """
    is_any = option.verdict is DraftVerdict.TRANSLATABLE or (option.model and option.model.head == HeadKind.MEDUSA)
    return not is_any or (option.speedup or 0.0) > 1


def _is_worse(draft: DraftOption, ngrams: DraftOption) -> bool:
    """As far as that was measured."""
    return draft.speedup is not None and draft.speedup < max(1.0, ngrams.speedup or 0)
