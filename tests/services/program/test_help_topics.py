"""The help's pages: all there, all shipped, and what one says of another is true."""

import re
import tomllib
from pathlib import Path

import contents
import pytest

from specchat.services.program import help_topics
from specchat.services.program.help_topics import TOPICS, HelpTopic, find_place, read_topics
from specchat.services.program.resources import resources

DOCS = resources() / "docs"


def test_every_page_is_listed_and_has_a_title() -> None:
    assert sorted(TOPICS) == sorted(file.name for file in DOCS.glob("*.md"))
    for topic in read_topics():
        assert topic.text.startswith(f"# {topic.title}\n")


def test_a_place_is_found_in_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headings inside of code are none, and a heading that stands twice has a number."""
    english, german = tmp_path / "docs", tmp_path / "docs" / "de"
    german.mkdir(parents=True)
    (english / "window.md").write_text("# Window\n\n```\n# a comment\n```\n\n## Keys\n\n## Keys\n\n## View\n")
    (english / "tools.md").write_text("# Tools\n")
    (german / "window.md").write_text("# Fenster\n\n## Tasten\n\n## Tasten\n\n## Überblick\n", encoding="utf-8")
    monkeypatch.setattr(help_topics, "resources", lambda: tmp_path)
    for place, found in [
        ("window.md", "de/window.md"),
        ("window.md#keys-1", "de/window.md#tasten-1"),
        ("window.md#view", "de/window.md#überblick"),
        ("window.md#tasten", "de/window.md#tasten"),
        ("tools.md#x", "tools.md#x"),
    ]:
        assert find_place(place, "de") == found
    assert find_place("window.md#view", "en") == "window.md#view"


def test_words_are_found_wherever_they_stand() -> None:
    topic = HelpTopic("tides.md", "# Tides\n\nThe water comes\nand goes.\n")
    assert topic.has_all([])
    assert topic.has_all(["WATER", "tide"])
    assert not topic.has_all(["water", "moon"])


@pytest.mark.parametrize("name", [*TOPICS, *(f"de/{name}" for name in TOPICS)])
def test_the_pages_are_shipped(name: str) -> None:
    project = resources().parent
    assert (str(DOCS / name), str(Path("specchat/resources/docs", name).parent)) in contents.resources(project)
    wheel = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert wheel["targets"]["wheel"]["force-include"] == {"resources": "specchat/resources"}


@pytest.mark.parametrize("name", TOPICS)
def test_pictures_are_shipped(name: str) -> None:
    shipped = [file for file, _ in contents.resources(resources().parent)]
    pictures = re.findall(r"!\[[^]]*\]\(([^)\s]+)", (DOCS / name).read_text(encoding="utf-8"))
    assert [picture for picture in pictures if str((DOCS / picture).resolve()) not in shipped] == []
