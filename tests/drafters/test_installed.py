"""A drafter from an installed package, the example of CONTRIBUTING.md, in a real installation and a real process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model
from support.known_loads import known_loads
from support.pairs import loaded

EXAMPLE = Path(__file__).parent.parent / "examples" / "phrases"
BROKEN = """
class Broken:
    name = "broken"
    def propose(self, context, budget):
        {propose}
    def observe(self, accepted, proposal):
        {observe}
def make_drafter(setup):
    {make}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed into it by pip."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([*pip, "--target", str(folder), str(EXAMPLE)], check=True, env=environment)
    return folder


def install_broken(site: Path, make: str = "return Broken()", propose: str = "pass", observe: str = "pass") -> None:
    (site / "broken.py").write_text(BROKEN.format(make=make, propose=propose, observe=observe))
    info = site / "broken-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[specchat.drafters]\nbroken = broken:make_drafter\n")


def chat(site: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site), "SPECCHAT_HOME": str(home)}
    command = [sys.executable, "-m", "specchat", "chat", "--raw", "--temp", "0", "--exact", "--json", *arguments]
    with known_loads(home / "cache"):
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


PHRASE = "for example, "


def a_model_that_says_the_phrase(path: Path, other: Path) -> Path:
    with loaded(other) as model:
        tokens = model.vocabulary.tokenize(PHRASE, add_special=False, parse_special=False)
        (start,) = model.vocabulary.tokenize("<|im_start|>", add_special=False, parse_special=True)
    assert len(set(tokens)) == len(tokens) > 4
    return make_model(path, ModelRecipe(recites=(start, *tokens)))


def test_the_example_drafts(site: Path, tmp_path: Path, tiny_llama: Path) -> None:
    talker = a_model_that_says_the_phrase(tmp_path / "talker.gguf", tiny_llama)
    prompt = ["-m", str(talker), "-n", "24", "-p", "<|im_start|>"]
    plain = chat(site, tmp_path, *prompt)
    assert plain.returncode == 0, plain.stderr
    found = chat(site, tmp_path, *prompt, "--draft-type", "phrases", "--draft-max", "4")
    assert found.returncode == 0, found.stderr
    answer = json.loads(found.stdout)
    assert answer["text"].startswith(PHRASE)
    assert answer["tokens"] == json.loads(plain.stdout)["tokens"]
    assert answer["stats"]["speculation"] == "on"
    assert answer["stats"]["drafted_per_source"]["phrases"] > 0
    assert "phrases" in answer["origins"]


def test_unknown_names_list_the_installed_ones(site: Path, tmp_path: Path, tiny_llama: Path) -> None:
    done = chat(site, tmp_path, "-m", str(tiny_llama), "-p", "x", "--draft-type", "phrase")
    assert done.returncode == 1
    assert "phrases" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def prompt(tiny_llama: Path) -> list[str]:
    return ["-m", str(tiny_llama), "-n", "12", "-p", "Hello"]


@pytest.fixture(scope="module")
def plain(site: Path, tmp_path_factory: pytest.TempPathFactory, prompt: list[str]) -> list[int]:
    tokens: list[int] = json.loads(chat(site, tmp_path_factory.mktemp("plain"), *prompt).stdout)["tokens"]
    return tokens


@pytest.mark.parametrize(
    ("fault", "spoken"),
    [
        ({"propose": "raise RuntimeError('lost')"}, "off: the drafter broken failed: lost"),
        ({"propose": "return 'nonsense'"}, "off: the drafter broken failed"),
        (
            {"propose": "from specchat.domain.proposal import Proposal; return Proposal((10**12, -5), (), ())"},
            "off: no guess could be verified by the target",
        ),
        ({"propose": "context.tokens[0] = 7"}, "off: the drafter broken failed"),
        (
            {
                "propose": "import numpy as np;"
                " context.target.evaluate(np.array([7, 8], dtype='int32'), 1, context.cancel);"
                " from specchat.domain.proposal import Proposal; return Proposal((5,), (), ())"
            },
            "on",
        ),
        (
            {
                "propose": "from specchat.domain.proposal import Proposal; return Proposal((5, 6), (), ())",
                "observe": "raise KeyError('gone')",
            },
            "off: the drafter broken failed",
        ),
    ],
    ids=[
        "raises",
        "returns nonsense",
        "guesses impossible tokens",
        "writes into the history",
        "uses the target",
        "cannot observe",
    ],
)
def test_a_broken_drafter_costs_speed_only(
    fault: dict[str, str], spoken: str, site: Path, tmp_path: Path, plain: list[int], prompt: list[str]
) -> None:
    install_broken(site, **fault)
    found = chat(site, tmp_path, *prompt, "--draft-type", "broken", "--draft-max", "4")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["tokens"] == plain
    assert json.loads(found.stdout)["stats"]["speculation"].startswith(spoken)


def test_a_drafter_that_does_not_start_is_an_error(site: Path, tmp_path: Path, tiny_llama: Path) -> None:
    install_broken(site, make="raise ImportError('no such thing')")
    done = chat(site, tmp_path, "-m", str(tiny_llama), "-p", "x", "--draft-type", "broken")
    assert done.returncode == 1
    assert "broken failed to start: no such thing" in done.stderr
