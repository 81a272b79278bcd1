"""Lists interrupted downloads and discards them."""

from collections import defaultdict
from dataclasses import dataclass

from specchat.domain.hub import HubReference, RemoteFile
from specchat.services.models.name_resolver import Candidate, choose_candidate, parse_model_name
from specchat.sources.file_names import all_parts, quantization_of
from specchat.sources.hub_cache import HubCache
from specchat.sources.partial_file import partial_size


@dataclass(frozen=True, slots=True)
class UnfinishedDownload:
    reference: HubReference
    files: tuple[RemoteFile, ...]
    """That have begun to arrive; of a model in parts, others may have arrived or be still to come."""
    done: int

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def list_unfinished(cache: HubCache) -> list[UnfinishedDownload]:
    by_model: dict[HubReference, list[RemoteFile]] = defaultdict(list)
    for file in cache.partial_downloads():
        first = next(all_parts(file.path))
        by_model[HubReference(file.repo, first)].append(file)
    return [
        UnfinishedDownload(reference, tuple(files), sum(_kept_size(file, cache) for file in files))
        for reference, files in sorted(by_model.items(), key=lambda each: str(each[0]))
    ]


def _kept_size(file: RemoteFile, cache: HubCache) -> int:
    """A file that is whole waits for the others that were wanted with it."""
    return file.size if cache.find_blob(file) else partial_size(cache.blob(file), file)


def find_unfinished(text: str, cache: HubCache) -> UnfinishedDownload | None:
    """The one that is meant; what may mean several is refused."""
    begun = {each.reference: each for each in list_unfinished(cache)}
    match parse_model_name(text):
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
            chosen = choose_candidate(text, name, choices)
            return begun[HubReference(chosen.repo, chosen.file)] if chosen else None


def discard_unfinished(what: UnfinishedDownload, cache: HubCache) -> int:
    """Returns how many bytes that frees."""
    for file in what.files:
        cache.discard(file)
    return what.done
