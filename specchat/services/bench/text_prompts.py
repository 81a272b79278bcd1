"""Prompts from a file, however it holds them."""

from pathlib import Path

from specchat.domain.benchmarking import BenchPrompt
from specchat.domain.errors import SettingError
from specchat.services.bench.prompts import UNNAMED, content, read_prompts

_TEXTS = (".txt", ".md")


def prompts_of(path: Path) -> tuple[BenchPrompt, ...]:
    """A text has one in each line."""
    if path.suffix.lower() not in _TEXTS:
        return read_prompts(path)
    lines = (line.strip() for line in content(path).splitlines())
    prompts = tuple(BenchPrompt(UNNAMED, line) for line in lines if line)
    if not prompts:
        raise SettingError("{name} holds no prompts.", "Write one prompt in each line.", name=path.name)
    return prompts
