from pathlib import Path

import pytest
from sources.download.downloads import MODEL
from support.downloading import add, downloader
from support.hub import LocalHub

from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader


@pytest.fixture
def file(hub: LocalHub) -> RemoteFile:
    return add(hub, {"model.gguf": MODEL})["model.gguf"]


@pytest.fixture
def loader(hub: LocalHub, tmp_path: Path) -> Downloader:
    return downloader(hub.endpoint, tmp_path)
