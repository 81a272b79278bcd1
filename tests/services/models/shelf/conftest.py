from pathlib import Path

import pytest
from services.models.shelf.shelves import Facts

from specchat.services.models.model_shelf import ModelShelf
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
def shelf(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> ModelShelf:
    return ModelShelf(JsonFile(tmp_path / "added.json"), folder, facts, verdicts)
