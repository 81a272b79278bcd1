"""The real client finds in the local Hub what it finds in the real one."""

import hashlib
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.errors import (
    BadRequestError,
    GatedRepoError,
    HfHubHTTPError,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.file_download import http_get
from huggingface_hub.hf_api import RepoFile, RepoFolder
from support.hub import LfsFile, LocalHub

REPO = "someone/small-GGUF"
TOKEN = "hf_of_someone"
MODEL = bytes(range(256)) * 4000
MODEL_SHA256 = hashlib.sha256(MODEL).hexdigest()
FILES = {"README.md": b"# Small\n", "model.gguf": MODEL, "quants/Q4/small.gguf": b"GGUF small"}


@pytest.fixture
def api(hub: LocalHub) -> HfApi:
    return HfApi(endpoint=hub.endpoint, token=False)


def url(hub: LocalHub, file: str, revision: str | None = None) -> str:
    return hf_hub_url(REPO, file, revision=revision, endpoint=hub.endpoint)


def sample(hub: LocalHub) -> None:
    hub.add("alice/first-GGUF", FILES, downloads=10, likes=3, licence="apache-2.0")
    hub.add("alice/second-GGUF", FILES, downloads=30, gating="manual", gguf={"architecture": "llama", "total": 7})
    hub.add("bob/third-GGUF", FILES, downloads=20, likes=9)
    hub.add("bob/other", {"config.json": b"{}"}, downloads=99)


def test_a_search_goes_through_all_pages(hub: LocalHub, api: HfApi) -> None:
    sample(hub)
    found = list(api.list_models(filter="gguf", sort="downloads"))
    assert [each.id for each in found] == ["alice/second-GGUF", "bob/third-GGUF", "alice/first-GGUF"]
    assert [request.path for request in hub.requests] == ["/api/models"] * 2
    assert hub.requests[1].query["filter"] == ["gguf"]
    assert len(list(api.list_models(limit=3))) == 3


def test_searches_by_words_author_and_order(hub: LocalHub, api: HfApi) -> None:
    sample(hub)
    assert [each.id for each in api.list_models(search="FIRST alice")] == ["alice/first-GGUF"]
    assert {each.id for each in api.list_models(author="bob")} == {"bob/third-GGUF", "bob/other"}
    assert next(iter(api.list_models(sort="likes"))).id == "bob/third-GGUF"
    assert next(iter(api.list_models(sort="last_modified"))).id == "bob/other"


def test_a_search_tells_what_was_asked_for(hub: LocalHub, api: HfApi) -> None:
    sample(hub)
    expand: Any = ["gguf", "siblings", "gated", "sha", "downloads", "likes", "lastModified", "tags", "cardData"]
    (found,) = api.list_models(search="second", expand=expand)
    assert (found.gguf, found.gated, found.downloads) == ({"architecture": "llama", "total": 7}, "manual", 30)
    assert found.siblings is not None
    assert found.card_data is not None
    assert [each.rfilename for each in found.siblings] == sorted(FILES)
    assert (found.card_data.license, found.last_modified is None, found.author) == ("mit", False, None)
    (plain,) = api.list_models(search="second")
    assert (plain.sha, plain.siblings, plain.gguf) == (None, None, None)
    (full,) = api.list_models(search="first", full=True)
    assert (full.gated, full.author, full.tags) == (False, "alice", ["gguf", "license:apache-2.0", "region:us"])
    unknown: Any = ["gguff"]
    with pytest.raises(BadRequestError, match="gguff"):
        list(api.list_models(expand=unknown))


def test_a_repository_with_sizes_and_hashes(hub: LocalHub, api: HfApi) -> None:
    commit = hub.add(REPO, FILES)
    info = api.model_info(REPO, files_metadata=True)
    assert (info.sha, info.gated, info.private) == (commit, False, False)
    assert info.siblings is not None
    sizes = {each.rfilename: (each.size, each.lfs and each.lfs.sha256) for each in info.siblings}
    assert sizes["model.gguf"] == (len(MODEL), MODEL_SHA256)
    assert sizes["README.md"] == (8, None)
    assert info.siblings[0].blob_id == hashlib.sha1(b"blob 8\0# Small\n").hexdigest()


def test_old_commits_and_branches_stay(hub: LocalHub, api: HfApi) -> None:
    old = hub.add(REPO, {"model.gguf": b"old"})
    new = hub.add(REPO, {"model.gguf": b"newer"})
    tagged = hub.add(REPO, {"model.gguf": b"tagged!"}, revision="refs/pr/1")
    assert [api.model_info(REPO, revision=each).sha for each in (None, old, "refs/pr/1")] == [new, old, tagged]
    sizes = {each: get_hf_file_metadata(url(hub, "model.gguf", revision=each)).size for each in (old, new, "refs/pr/1")}
    assert sizes == {old: 3, new: 5, "refs/pr/1": 7}
    with pytest.raises(RevisionNotFoundError):
        api.model_info(REPO, revision="v9")


def test_trees_and_paths(hub: LocalHub, api: HfApi) -> None:
    hub.add(REPO, FILES)
    tree = list(api.list_repo_tree(REPO, recursive=True))
    assert {each.path for each in tree if isinstance(each, RepoFile)} == set(FILES)
    assert {each.path for each in tree if isinstance(each, RepoFolder)} == {"quants", "quants/Q4"}
    assert len(hub.requests) == 3
    assert [each.path for each in api.list_repo_tree(REPO)] == ["README.md", "model.gguf", "quants"]
    assert [each.path for each in api.list_repo_tree(REPO, "quants/Q4")] == ["quants/Q4/small.gguf"]
    with pytest.raises(RemoteEntryNotFoundError):
        list(api.list_repo_tree(REPO, "absent"))
    model, folder = api.get_paths_info(REPO, ["model.gguf", "quants", "absent"], expand=True)
    assert isinstance(model, RepoFile)
    assert isinstance(folder, RepoFolder)
    assert model.lfs is not None
    assert (model.size, model.lfs.sha256, folder.path) == (len(MODEL), MODEL_SHA256, "quants")
    assert model.last_commit is not None


def test_where_files_are(hub: LocalHub) -> None:
    commit = hub.add(REPO, FILES)
    large = get_hf_file_metadata(url(hub, "model.gguf"))
    assert (large.commit_hash, large.etag, large.size) == (commit, MODEL_SHA256, len(MODEL))
    assert large.location.startswith(hub.cdn)
    small = get_hf_file_metadata(url(hub, "README.md"))
    assert (small.commit_hash, small.size, small.location) == (commit, 8, url(hub, "README.md"))
    with pytest.raises(RemoteEntryNotFoundError) as caught:
        get_hf_file_metadata(url(hub, "absent.gguf"))
    assert caught.value.response.headers["X-Repo-Commit"] == commit


def test_downloads_into_the_cache(hub: LocalHub, tmp_path: Path) -> None:
    commit = hub.add(REPO, FILES)
    for file, content in FILES.items():
        path = Path(hf_hub_download(REPO, file, cache_dir=tmp_path, endpoint=hub.endpoint, token=False))
        assert path.read_bytes() == content
        assert path.is_relative_to(tmp_path / "models--someone--small-GGUF" / "snapshots" / commit)
    assert (tmp_path / "models--someone--small-GGUF" / "blobs" / MODEL_SHA256).read_bytes() == MODEL
    assert hub.bytes_sent("*/model.gguf") == len(MODEL)


def test_a_download_is_resumed(hub: LocalHub) -> None:
    hub.add(REPO, FILES)
    file = io.BytesIO(MODEL[:1000])
    file.seek(1000)
    http_get(url(hub, "model.gguf"), file, resume_size=1000, expected_size=len(MODEL))
    assert file.getvalue() == MODEL
    assert (hub.requests[-1].origin, hub.requests[-1].range) == ("cdn", "bytes=1000-")
    assert hub.bytes_sent("*/model.gguf") == len(MODEL) - 1000


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        ("bytes=0-9", 0, 9),
        ("bytes=1023990-", 1023990, 1023999),
        ("bytes=5-99999999", 5, 1023999),
        ("bytes=-7", 1023993, 1023999),
    ],
)
def test_parts_of_a_file(hub: LocalHub, client: httpx2.Client, wanted: str, first: int, last: int) -> None:
    hub.add(REPO, FILES)
    answer = client.get(url(hub, "model.gguf"), headers={"Range": wanted})
    assert (answer.status_code, answer.content) == (206, MODEL[first : last + 1])
    assert answer.headers["Content-Range"] == f"bytes {first}-{last}/{len(MODEL)}"


@pytest.mark.parametrize("wanted", ["bytes=1024000-", "bytes=-0"])
def test_parts_beyond_the_end(hub: LocalHub, client: httpx2.Client, wanted: str) -> None:
    hub.add(REPO, FILES)
    answer = client.get(url(hub, "model.gguf"), headers={"Range": wanted})
    assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{len(MODEL)}")


@pytest.mark.parametrize("wanted", ["bytes=0-1,4-5", "bytes=-", "lines=1-2"])
def test_ranges_that_are_answered_with_the_whole(hub: LocalHub, client: httpx2.Client, wanted: str) -> None:
    hub.add(REPO, FILES)
    answer = client.get(url(hub, "model.gguf"), headers={"Range": wanted})
    assert (answer.status_code, answer.content) == (200, MODEL)


def test_a_file_larger_than_memory(hub: LocalHub, client: httpx2.Client, tmp_path: Path) -> None:
    size, given = 8 << 30, "ab" * 32
    sparse, head = tmp_path / "sparse.gguf", tmp_path / "head.gguf"
    with sparse.open("wb") as file:
        file.seek(size - 3)
        file.write(b"end")
    head.write_bytes(b"GGUF")
    hub.add(REPO, {"sparse.gguf": LfsFile(sparse, given, size), "head.gguf": LfsFile(head, given, size)})
    assert get_hf_file_metadata(url(hub, "sparse.gguf")).etag == given
    end = client.get(url(hub, "sparse.gguf"), headers={"Range": "bytes=-4"})
    start = client.get(url(hub, "head.gguf"), headers={"Range": "bytes=0-5"})
    assert (end.content, start.content) == (b"\0end", b"GGUF\0\0")


def test_the_token_never_reaches_the_storage(hub: LocalHub, tmp_path: Path) -> None:
    hub.add(REPO, FILES, gating="auto")
    hub.token(TOKEN, accepted={REPO})
    hf_hub_download(REPO, "model.gguf", cache_dir=tmp_path, endpoint=hub.endpoint, token=TOKEN)
    http_get(url(hub, "model.gguf"), io.BytesIO(), headers={"authorization": f"Bearer {TOKEN}"})
    hub_side = [each for each in hub.requests if each.origin == "hub"]
    cdn_side = [each for each in hub.requests if each.origin == "cdn"]
    assert (len(hub_side), len(cdn_side)) == (2, 2)
    assert {each.headers.get("authorization") for each in hub_side} == {f"Bearer {TOKEN}"}
    assert not any(TOKEN in str(each) for each in cdn_side)
    location = get_hf_file_metadata(url(hub, "model.gguf"), token=TOKEN).location
    http_get(location, io.BytesIO(), headers={"authorization": "seen"})
    assert hub.requests[-1].headers["authorization"] == "seen"


def test_gated_repositories(hub: LocalHub, api: HfApi) -> None:
    hub.add(REPO, FILES, gating="manual")
    hub.token("hf_stranger")
    hub.token("hf_denied", accepted={REPO}, denied={REPO})
    hub.token(TOKEN, accepted={REPO})
    assert api.model_info(REPO).gated == "manual"
    refusals: list[tuple[str | bool, int, str]] = [
        (False, 401, "Please log in"),
        ("hf_stranger", 403, f"Visit {hub.endpoint}/{REPO}"),
        ("hf_denied", 403, "rejected"),
    ]
    for token, status, words in refusals:
        with pytest.raises(GatedRepoError, match=words) as caught:
            get_hf_file_metadata(url(hub, "model.gguf"), token=token)
        assert caught.value.response.status_code == status
    assert get_hf_file_metadata(url(hub, "model.gguf"), token=TOKEN).size == len(MODEL)


def test_private_repositories(hub: LocalHub, api: HfApi) -> None:
    hub.add(REPO, FILES, private=True)
    hub.token("hf_stranger")
    hub.token(TOKEN, accepted={REPO})
    for repo in (REPO, "someone/absent"):
        for token, status in ((False, 401), ("hf_stranger", 404)):
            with pytest.raises(RepositoryNotFoundError) as caught:
                api.model_info(repo, token=token)
            assert (caught.value.response.status_code, isinstance(caught.value, GatedRepoError)) == (status, False)
    assert [each.id for token in (False, TOKEN) for each in api.list_models(token=token)] == [REPO]
    assert api.model_info(REPO, token=TOKEN).private


def test_tokens(hub: LocalHub, api: HfApi) -> None:
    hub.token(TOKEN, name="alice")
    assert api.whoami(token=TOKEN)["name"] == "alice"
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        api.whoami(token="hf_unknown")
    with pytest.raises(HfHubHTTPError, match="Invalid credentials"):
        list(api.list_models(token="hf_unknown"))


def test_a_child_process_finds_it(hub: LocalHub, tmp_path: Path) -> None:
    hub.add(REPO, FILES)
    program = "from huggingface_hub import list_models; print(*(each.id for each in list_models()))"
    environment = {**os.environ, **hub.environment(), "HF_HOME": str(tmp_path)}
    child = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert child.stdout.split() == [REPO]


def test_others_can_wait_for_requests() -> None:
    with LocalHub() as hub:
        hub.add(REPO, FILES)
        reader = threading.Thread(target=get_hf_file_metadata, args=(url(hub, "model.gguf"),))
        reader.start()
        hub.wait_until(lambda: len(hub.requests) == 1)
        reader.join()
        with pytest.raises(TimeoutError):
            hub.wait_until(lambda: False, timeout=0)


def test_a_failure_of_the_hub_itself_is_told(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")

    def ask_for_what_is_gone() -> None:
        with LocalHub() as hub:
            hub.add(REPO, {"model.gguf": model})
            model.unlink()
            with pytest.raises(httpx2.RemoteProtocolError):
                get_hf_file_metadata(url(hub, "model.gguf"))

    with pytest.raises(ExceptionGroup, match="the local Hub failed"):
        ask_for_what_is_gone()
