"""Downloads that were interrupted: what has arrived of them, and how it is given up."""

from collections import defaultdict
from dataclasses import dataclass

from specchat.domain.hub import HubReference, RemoteFile
from specchat.services.models.named_models import Candidate, chosen_of, named
from specchat.sources.file_names import all_parts, quantization_of
from specchat.sources.hub_cache import HubCache
from specchat.sources.part import kept_bytes


@dataclass(frozen=True, slots=True)
class Unfinished:
    reference: HubReference
    files: tuple[RemoteFile, ...]
    """That have begun to arrive; of a model in parts, others may have arrived or be still to come."""
    done: int

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def unfinished(cache: HubCache) -> list[Unfinished]:
    by_model: dict[HubReference, list[RemoteFile]] = defaultdict(list)
    for file in cache.parts():
        first = next(all_parts(file.path))
        by_model[HubReference(file.repo, first)].append(file)
    return [
        Unfinished(reference, tuple(files), sum(_kept(file, cache) for file in files))
        for reference, files in sorted(by_model.items(), key=lambda each: str(each[0]))
    ]


def _kept(file: RemoteFile, cache: HubCache) -> int:
    """A file that is whole waits for the others that were wanted with it."""
    return file.size if cache.present(file) else kept_bytes(cache.blob(file), file)


def unfinished_of(text: str, cache: HubCache) -> Unfinished | None:
    """The one that is meant; what may mean several is refused."""
    begun = {each.reference: each for each in unfinished(cache)}
    match named(text):
        case None:
            return None
        case HubReference() as reference:
            return begun.get(HubReference(reference.repo, reference.file))
        case name:
            choices = [
                Candidate(each.reference.file, quantization_of(each.reference.file), each.size)
                for each in begun.values()
                if each.reference.repo == name.repo
            ]
            chosen = chosen_of(text, name, choices)
            return begun[HubReference(chosen.repo, chosen.file)] if chosen else None


def give_up(what: Unfinished, cache: HubCache) -> int:
    """Returns how many bytes that frees."""
    for file in what.files:
        cache.discard(file)
    return what.done
