"""The Hub and the storage behind it."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import count
from urllib.parse import parse_qs, quote, unquote, urlencode

from support.hub.answers import Answer, Refused, json_answer
from support.hub.blobs import Blob
from support.hub.repositories import Account, Commit, Repository, Shelf, refuse_unless_accepted
from support.hub.searches import expanded, first, flag, found, listed, page
from support.hub.shapes import entry, model, only, paths_in
from support.hub.traffic import Request

_REPO = r"/(?P<repo>[^/]+/[^/]+)"
_AT = r"/(?P<revision>[^/]+)"
_LATER_THAN_EVERY_TEST = 4102444800

Names = Mapping[str, str]


class Storage:
    """Serves whoever holds a signed address, whatever their name."""

    def __init__(self) -> None:
        self._signed: dict[str, Blob] = {}
        self._numbers = count(1)

    def sign(self, repo: str, path: str, blob: Blob) -> str:
        signature = f"signature-{next(self._numbers)}"
        self._signed[signature] = blob
        query = urlencode({"Expires": _LATER_THAN_EVERY_TEST, "Signature": signature, "Key-Pair-Id": "local"})
        return f"/repos/{repo}/{blob.sha256}/{quote(path)}?{query}"

    def expire(self, request: Request) -> None:
        self._signed.pop(first(request.query, "Signature"), None)

    def answer(self, request: Request) -> Answer:
        blob = self._signed.get(first(request.query, "Signature"))
        if blob is None or request.method not in ("GET", "HEAD"):
            raise Refused(403, "", "Request has expired")
        return Answer(200, blob, _file_headers(request.path, blob, "binary/octet-stream"))


class HubSite:
    def __init__(self, library: Shelf, storage: Storage, cdn: str, page_size: int) -> None:
        self._library, self._storage, self._cdn, self._page_size = library, storage, cdn, page_size
        self._routes: tuple[tuple[str, str, Callable[[Request, Names], Answer]], ...] = (
            ("GET", "/api/whoami-v2", self._whoami),
            ("GET", "/api/models", self._models),
            ("GET", f"/api/models{_REPO}", self._model),
            ("GET", f"/api/models{_REPO}/revision{_AT}", self._model),
            ("GET", f"/api/models{_REPO}/tree{_AT}(?:/(?P<path>.+))?", self._tree),
            ("POST", f"/api/models{_REPO}/paths-info{_AT}", self._paths_info),
            ("GET|HEAD", f"{_REPO}/resolve{_AT}/(?P<path>.+)", self._resolve),
        )

    def answer(self, request: Request) -> Answer:
        for methods, pattern, answered in self._routes:
            if request.method in methods.split("|") and (match := re.fullmatch(pattern, request.path)):
                return answered(request, {name: unquote(text or "") for name, text in match.groupdict().items()})
        raise Refused(404, "", "Sorry, we can't find the page you are looking for.")

    def _whoami(self, request: Request, _: Names) -> Answer:
        account = self._account(request)
        if account is None:
            raise Refused(401, "", "Invalid username or password.")
        token = {"displayName": "test", "role": "read"}
        auth = {"type": "access_token", "accessToken": token}
        return json_answer({"type": "user", "name": account.name, "fullname": account.name, "orgs": [], "auth": auth})

    def _models(self, request: Request, _: Names) -> Answer:
        hits = found(self._library.visible(self._account(request)), request.query)
        shown, headers = page(hits, request, self._page_size)
        return json_answer([listed(each, request.query) for each in shown], headers)

    def _model(self, request: Request, names: Names) -> Answer:
        repository, commit = self._opened(request, names)
        wanted = expanded(request.query)
        shown = model(repository, commit, with_blobs=flag(request.query, "blobs"))
        return json_answer(only(shown, wanted or shown.keys() - {"trendingScore"}))

    def _tree(self, request: Request, names: Names) -> Answer:
        _, commit = self._opened(request, names)
        paths = paths_in(commit, names["path"], recursive=flag(request.query, "recursive"))
        if paths is None:
            raise Refused(404, "EntryNotFound", f'{names["path"]} does not exist on "{names["revision"]}"')
        shown, headers = page(paths, request, self._page_size)
        return json_answer([entry(commit, each, expanded=flag(request.query, "expand")) for each in shown], headers)

    def _paths_info(self, request: Request, names: Names) -> Answer:
        _, commit = self._opened(request, names)
        form = parse_qs(request.body.decode())
        if "json" in request.headers.get("content-type", ""):
            given = json.loads(request.body)
            form = {"paths": given["paths"], "expand": [str(given.get("expand", False))]}
        entries = [entry(commit, each, expanded=flag(form, "expand")) for each in form.get("paths", [])]
        return json_answer([each for each in entries if each is not None])

    def _resolve(self, request: Request, names: Names) -> Answer:
        repository, commit = self._opened(request, names)
        page_address = f"http://{request.headers['host']}/{repository.name}"
        refuse_unless_accepted(repository, self._account(request), page_address)
        path, told = names["path"], {"X-Repo-Commit": commit.id}
        blob = commit.files.get(path)
        if blob is None:
            raise Refused(404, "EntryNotFound", "Entry not found", told)
        if not blob.is_lfs:
            return Answer(200, blob, {**_file_headers(path, blob, "text/plain; charset=utf-8"), **told})
        location = self._cdn + self._storage.sign(repository.name, path, blob)
        linked = {"X-Linked-Etag": blob.etag, "X-Linked-Size": str(blob.size), "Accept-Ranges": "bytes"}
        return Answer(302, Blob(b""), {**told, **linked, "Location": location})

    def _account(self, request: Request) -> Account | None:
        return self._library.account(request.headers.get("authorization"))

    def _opened(self, request: Request, names: Names) -> tuple[Repository, Commit]:
        repository = self._library.repository(names["repo"], self._account(request))
        revision = names.get("revision", "main")
        commit = repository.at(revision)
        if commit is None:
            raise Refused(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return repository, commit


def _file_headers(path: str, blob: Blob, content_type: str) -> dict[str, str]:
    name = quote(unquote(path.rpartition("/")[2]))
    return {
        "ETag": blob.etag,
        "Accept-Ranges": "bytes",
        "Content-Type": content_type,
        "Content-Disposition": f"inline; filename*=UTF-8''{name}; filename=\"{name}\";",
    }
