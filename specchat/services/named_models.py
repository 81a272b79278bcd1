"""From what people write to one model: owner/repo, owner/repo:Q4_K_M, or a page's address."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError, ModelFileError
from specchat.domain.hub import FileKind, HubReference, RemoteModel, parse_reference
from specchat.services.hub import Hub
from specchat.services.hub_address import repository_at

_WRITTEN = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?(?::(?P<quantization>[\w.-]+))?")
_NAMED_AT_MOST = 12


@dataclass(frozen=True, slots=True)
class NamedRepository:
    repo: str
    revision: str | None = None
    quantization: str = ""


def named_repository(text: str) -> NamedRepository:
    if found := _WRITTEN.fullmatch(text):
        return NamedRepository(found["repo"], found["revision"], found["quantization"] or "")
    if repo := repository_at(text):
        return NamedRepository(repo)
    raise ModelFileError(
        "{text} is not the name of a model on the Hub.",
        "Write owner/name, owner/name:Q4_K_M or owner/name:file.gguf.",
        text=text,
    )


def named_model(text: str, hub: Hub, cancel: CancelToken) -> HubReference:
    """The Hub is asked where no file is named."""
    if Path(text).is_file():
        raise ModelFileError("{text} is on this computer already.", "Use it as it is.", text=text)
    if reference := parse_reference(text):
        return reference
    named = named_repository(text)
    models = [model for model in hub.look(named.repo, named.revision, cancel).models if model.kind is FileKind.MODEL]
    if not models:
        raise HubAbsentError("{repo} has no GGUF models.", "Choose another repository.", repo=named.repo)
    chosen = _only(text, named, models)
    return HubReference(named.repo, chosen.first.path, named.revision)


def _only(text: str, named: NamedRepository, models: Sequence[RemoteModel]) -> RemoteModel:
    label = named.quantization.casefold()
    match [model for model in models if label in ("", model.quantization.casefold())]:
        case [one]:
            return one
        case []:
            raise HubAbsentError(
                "{repo} has no model in {quantization}.",
                "It has these: {names}",
                repo=named.repo,
                quantization=named.quantization,
                names=_in_short(_labels(models)),
            )
        case several:
            labels = _labels(several)
            raise ModelFileError(
                "{text} may mean any of {n} models.",
                "Name one, such as {repo}:{first}. There are: {names}",
                text=text,
                n=len(labels),
                repo=named.repo,
                first=labels[0],
                names=_in_short(labels),
            )


def _labels(models: Iterable[RemoteModel]) -> list[str]:
    """The quantisations where they tell the models apart, otherwise the files; the smallest first."""
    by_size = sorted(models, key=lambda model: model.size)
    labels = [model.quantization for model in by_size]
    tell_apart = all(labels) and len(set(labels)) == len(labels)
    return labels if tell_apart else [model.first.path for model in by_size]


def _in_short(names: Sequence[str]) -> str:
    return ", ".join([*names[:_NAMED_AT_MOST], *(["…"] if len(names) > _NAMED_AT_MOST else [])])
