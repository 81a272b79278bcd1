"""Resolves model names to the files to download."""

from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.hub import HubReference, RemoteFile, RemoteModel, parse_hub_reference
from specchat.services.hub.hub import Hub
from specchat.services.hub.vision_encoders import find_vision_encoder
from specchat.sources.checksums import checksum_in_name
from specchat.sources.file_names import all_parts, kind_of, quantization_of
from specchat.sources.hub_cache import HubCache

_MAIN = "main"


@dataclass(frozen=True, slots=True)
class RequestedModels:
    models: tuple[RemoteModel, ...]
    revision: str = _MAIN
    """Under which they are remembered here."""


def resolve_requested_models(hub: Hub, references: Sequence[str], cancel: CancelToken) -> RequestedModels:
    """As they are on the Hub now; the first one, which is the target, with its vision encoder."""
    parsed = [_parse_reference(each) for each in references]
    revisions = {each.revision or _MAIN for each in parsed}
    if len(revisions) > 1:
        raise SettingError(
            "Can't download models from different revisions together: {revisions}.",
            "Download them one at a time.",
            revisions=", ".join(sorted(revisions)),
        )
    listings = {
        (repo, revision): hub.fetch_listing(repo, revision, cancel)
        for repo, revision in dict.fromkeys((each.repo, each.revision) for each in parsed)
    }
    models: list[RemoteModel] = []
    for each in parsed:
        file = hub.find_file(each, cancel)
        models += [model for model in listings[each.repo, each.revision].models if file in model.files]
    if models:
        target = parsed[0]
        encoder = find_vision_encoder(models[0], listings[target.repo, target.revision].models)
        models += [encoder] if encoder is not None else []
    return RequestedModels(tuple(dict.fromkeys(models)), revisions.pop() if revisions else _MAIN)


def find_downloaded_models(references: Sequence[HubReference], cache: HubCache) -> RequestedModels | None:
    """As they were when they were downloaded; None: not all of them are here."""
    cached = {file.place: file for file in cache.models()}
    models = []
    for reference in references:
        if (place := cache.find(reference)) is None:
            return None
        parts = [cached[place.with_name(name)] for name in all_parts(place.name)]
        files = (RemoteFile(p.repo, p.commit, p.path, p.size, checksum_in_name(p.place)) for p in parts)
        models.append(RemoteModel(tuple(files), kind_of(reference.file), quantization_of(reference.file)))
    revisions = {each.revision or _MAIN for each in references}
    return RequestedModels(tuple(dict.fromkeys(models)), revisions.pop()) if len(revisions) == 1 else None


def _parse_reference(text: str) -> HubReference:
    reference = parse_hub_reference(text)
    if reference is None:
        raise SettingError("{text} is not a model on the Hub.", "Write it as owner/repo:file.gguf.", text=text)
    return reference
