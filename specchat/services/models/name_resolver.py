"""Resolves names typed by users (owner/repo, owner/repo:Q4_K_M, page URLs) to one model."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlsplit

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubNotFoundError, ModelFileError
from specchat.domain.hub import HubFileKind, HubReference, is_model_file, parse_hub_reference, parse_repository_url
from specchat.services.models.demo_pair import demo_file
from specchat.sources.file_names import kind_of, quantization_of
from specchat.sources.model_folders import is_model_file_name

if TYPE_CHECKING:
    from specchat.services.hub.hub import Hub
    from specchat.sources.hub_cache import HubCache

_WRITTEN = re.compile(r"(?P<repo>\w[\w.-]*/\w[\w.-]*)(?:@(?P<revision>[\w./-]+))?(?::(?P<quantization>[\w.-]+))?")
_FILE_PAGE = re.compile(r"(?:blob|resolve)/(?P<revision>[^/]+)/(?P<file>[^:]+\.(?:gguf|safetensors))", re.IGNORECASE)
_LABEL = re.compile(r"[\w.-]+")
_NAMED_AT_MOST = 12
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class NamedRepository:
    repo: str
    revision: str | None = None
    quantization: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that a name may mean."""

    file: str
    quantization: str
    size: int


def parse_model_name(text: str) -> HubReference | NamedRepository | None:
    """None: it can only be a path."""
    if reference := parse_hub_reference(text) or _file_page(text):
        return reference
    return _repository_page(text) or (None if is_model_file(text) else _parse_repository(text))


def parse_repository_name(text: str) -> NamedRepository:
    if name := _parse_repository(text):
        return name
    if name := _repository_page(text):
        return name
    raise ModelFileError(
        "{text} is not the name of a model on the Hub.",
        "Write owner/repo, owner/repo:Q4_K_M, or owner/repo:file.gguf.",
        text=text,
    )


def resolve_model_name(text: str, hub: "Hub", cancel: CancelToken) -> HubReference:
    """The Hub is asked where no file is named."""
    if demo_file(text) or Path(text).is_file():
        raise ModelFileError("{text} is already on this computer.", "No download needed.", text=text)
    name = parse_model_name(text) or parse_repository_name(text)
    return name if isinstance(name, HubReference) else find_model_on_hub(text, name, hub, cancel)


def find_model_on_hub(text: str, name: NamedRepository, hub: "Hub", cancel: CancelToken) -> HubReference:
    models = _models_or_heads(hub.fetch_listing(name.repo, name.revision, cancel).models, lambda model: model.kind)
    if not models:
        raise HubNotFoundError("{repo} has no GGUF models.", "Choose another repository.", repo=name.repo)
    choices = [Candidate(model.first.path, model.quantization, model.size) for model in models]
    if chosen := choose_candidate(text, name, choices):
        return chosen
    raise HubNotFoundError(
        "{repo} has no {quantization} model.",
        "Available: {names}",
        repo=name.repo,
        quantization=name.quantization,
        names=_in_short(_labels(choices)),
    )


def find_downloaded_model(text: str, name: NamedRepository, cache: "HubCache") -> HubReference | None:
    """Among what was downloaded from the Hub, whoever did that."""
    files = [
        file
        for file in cache.models()
        if file.repo == name.repo
        and is_model_file_name(file.path)
        and cache.find(HubReference(name.repo, file.path, name.revision))
    ]
    choices = {
        file.path: Candidate(file.path, quantization_of(file.path), file.size)
        for file in _models_or_heads(files, lambda file: kind_of(file.path))
    }
    return choose_candidate(text, name, list(choices.values()))


def find_downloaded_reference(text: str, cache: "HubCache") -> HubReference | None:
    name = parse_model_name(text)
    reference = find_downloaded_model(text, name, cache) if isinstance(name, NamedRepository) else name
    return reference if reference and cache.find(reference) else None


def choose_candidate(text: str, name: NamedRepository, choices: Sequence[Candidate]) -> HubReference | None:
    """None: nothing is like that."""
    label = name.quantization.casefold()
    suitable = [choice for choice in choices if label in ("", choice.quantization.casefold())]
    if len(suitable) > 1:
        labels = _labels(suitable)
        raise ModelFileError(
            "{text} matches {n} models.",
            "Specify one, such as {repo}:{first}. Available: {names}",
            text=text,
            n=len(labels),
            repo=name.repo,
            first=labels[0],
            names=_in_short(labels),
        )
    return HubReference(name.repo, suitable[0].file, name.revision) if suitable else None


def _models_or_heads(files: Iterable[F], kind: Callable[[F], HubFileKind]) -> Sequence[F]:
    """The heads of a repository that has nothing else."""
    by_kind = [(file, kind(file)) for file in files]
    models = [file for file, its_kind in by_kind if its_kind is HubFileKind.MODEL]
    return models or [file for file, its_kind in by_kind if its_kind.is_head]


def _parse_repository(text: str) -> NamedRepository | None:
    found = _WRITTEN.fullmatch(text)
    return NamedRepository(found["repo"], found["revision"], found["quantization"] or "") if found else None


def _repository_page(text: str) -> NamedRepository | None:
    """Perhaps with a quantization, as Ollama has it: hf.co/owner/repo:Q4_K_M"""
    if repo := parse_repository_url(text):
        return NamedRepository(repo)
    page, _, quantization = text.rpartition(":")
    repo = parse_repository_url(page)
    return NamedRepository(repo, quantization=quantization) if repo and _LABEL.fullmatch(quantization) else None


def _file_page(text: str) -> HubReference | None:
    if not (repo := parse_repository_url(text)):
        return None
    place = unquote(urlsplit(text if "://" in text else f"//{text}").path).split("/", 3)[-1]
    found = _FILE_PAGE.fullmatch(place)
    if found is None or not is_model_file(found["file"]):
        return None
    return HubReference(repo, found["file"], None if found["revision"] == "main" else found["revision"])


def _labels(choices: Iterable[Candidate]) -> list[str]:
    """The quantisations where they tell the models apart, otherwise the files; the smallest first."""
    by_size = sorted(choices, key=lambda choice: choice.size)
    labels = [choice.quantization for choice in by_size]
    tell_apart = all(labels) and len(set(labels)) == len(labels)
    return labels if tell_apart else [choice.file for choice in by_size]


def _in_short(names: Sequence[str]) -> str:
    return ", ".join([*names[:_NAMED_AT_MOST], *(["…"] if len(names) > _NAMED_AT_MOST else [])])
