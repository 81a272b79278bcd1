"""Reads benchmark prompts from text, Markdown or JSON Lines files."""

from pathlib import Path

from specchat.domain.benchmark import BenchPrompt
from specchat.domain.errors import SettingError
from specchat.services.bench.json_prompts import UNNAMED, read_content, read_json_prompts

_TEXTS = (".txt", ".md")


def read_prompt_file(path: Path) -> tuple[BenchPrompt, ...]:
    """A text has one in each line."""
    if path.suffix.lower() not in _TEXTS:
        return read_json_prompts(path)
    lines = (line.strip() for line in read_content(path).splitlines())
    prompts = tuple(BenchPrompt(UNNAMED, line) for line in lines if line)
    if not prompts:
        raise SettingError("{name} contains no prompts.", "Write one prompt per line.", name=path.name)
    return prompts
