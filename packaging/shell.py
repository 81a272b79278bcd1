"""Talking to the person at the terminal and to the programs that do the work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class SetupError(Exception):
    """What stops the set-up, in words for the person who started it."""


def say(text: str) -> None:
    # Standard output belongs to the program that is set up: it may be printing JSON.
    print(text, file=sys.stderr, flush=True)


def run(
    command: Sequence[str | Path],
    failure: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    result = subprocess.run([*command], cwd=folder, env=environment, stdout=sys.stderr, check=False)
    if result.returncode != 0:
        raise SetupError(failure)


def run_silently(command: Sequence[str | Path], failure: str, environment: Mapping[str, str] | None = None) -> None:
    """Shows what the program printed only when it fails."""
    result = subprocess.run(
        [*command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False
    )
    if result.returncode != 0:
        raise SetupError(f"{result.stdout}\n{failure}")


def run_in_stages(
    command: Sequence[str | Path],
    stages: Mapping[str, str],
    failure: str,
    folder: Path,
    environment: Mapping[str, str],
) -> None:
    """Says each stage once, when a line comes that begins with its key; all lines only when the program fails."""
    lines: list[str] = []
    said: set[str] = set()
    with subprocess.Popen(
        [*command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace"
    ) as program:
        assert program.stdout is not None
        for line in program.stdout:
            lines.append(line)
            words = next((words for begin, words in stages.items() if line.strip().startswith(begin)), "")
            if words and words not in said:
                said.add(words)
                say(words)
    if program.returncode != 0:
        raise SetupError(f"{''.join(lines)}\n{failure}")


def output_of(command: Sequence[str | Path]) -> str:
    """What the program printed; nothing at all when it failed, or is not there."""
    try:
        result = subprocess.run(
            [*command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace", check=False
        )
    except FileNotFoundError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def required_output_of(command: Sequence[str | Path]) -> str:
    found = output_of(command)
    if not found:
        raise SetupError(f"{Path(command[0]).name} is not installed or does not work.")
    return found
