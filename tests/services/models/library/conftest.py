from pathlib import Path

import pytest
from services.models.library.shelves import Facts

from specchat.services.models.model_library import ModelLibrary
from specchat.store.json_file import JsonFile


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    return Facts(tmp_path / "facts.json")


@pytest.fixture
def verdicts(tmp_path: Path) -> Facts:
    return Facts(tmp_path / "verdicts.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "models"
    path.mkdir()
    return path


@pytest.fixture
def library(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> ModelLibrary:
    return ModelLibrary(JsonFile(tmp_path / "added.json"), folder, facts, verdicts)
