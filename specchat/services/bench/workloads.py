"""Provides the benchmark prompts that ship with the program."""

import json
from collections.abc import Sequence
from functools import cache

from specchat.domain.benchmark import BenchPrompt
from specchat.domain.errors import SettingError
from specchat.services.program.resources import resources


def workload_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(prompt.workload for prompt in _read_shipped()))


def workload_prompts(names: Sequence[str], per_workload: int) -> tuple[BenchPrompt, ...]:
    """The first ones of each, as far as there are so many."""
    known = workload_names()
    if unknown := [name for name in names if name not in known]:
        raise SettingError(
            "Unknown workload: {name}.", "Available workloads: {known}.", name=unknown[0], known=", ".join(known)
        )
    prompts = {name: [prompt for prompt in _read_shipped() if prompt.workload == name] for name in names}
    return tuple(prompt for found in prompts.values() for prompt in found[:per_workload])


@cache
def _read_shipped() -> tuple[BenchPrompt, ...]:
    lines = (resources() / "workloads.jsonl").read_text(encoding="utf-8").splitlines()
    found = map(json.loads, lines)
    return tuple(BenchPrompt(each["workload"], each["prompt"], each.get("system", "")) for each in found)
