"""Exports a benchmark report atomically, as JSON or as CSV."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from specchat.domain.benchmark import NO_TARGET, BenchMethod, BenchReport, BenchRun
from specchat.domain.errors import SettingError
from specchat.domain.serialization import to_plain
from specchat.services.atomic_write import require_writable_path, write_text
from specchat.services.bench.machine_info import describe_machine
from specchat.services.bench.method_names import method_name
from specchat.services.bench.summary import ratios
from specchat.services.chat.stats_text import plain_stats

FORMATS = (".json", ".csv")
IMAGE_FORMATS = (".png",)


def require_writable(path: Path, formats: tuple[str, ...] = FORMATS) -> None:
    """Said before hours of measuring, not after."""
    if path.suffix.lower() not in formats:
        raise SettingError(
            "{name} doesn't have a recognized file extension.",
            "End the name with {formats}.",
            name=path.name,
            formats=" or ".join(formats),
        )
    require_writable_path(path)


def write_report(report: BenchReport, path: Path) -> None:
    writers: Mapping[str, Callable[[BenchReport], str]] = {".json": format_json, ".csv": format_csv}
    write_text(path, [writers[path.suffix.lower()](report)])


def format_json(report: BenchReport) -> str:
    return json.dumps(report_to_json(report), indent=1) + "\n"


def report_to_json(report: BenchReport) -> dict[str, object]:
    plan, compared = report.plan, ratios(report.runs)
    places = {method: at for at, method in enumerate(plan.methods)}
    return {
        "complete": report.complete,
        "advice": [str(sentence) for sentence in report.advice],
        "problems": [str(sentence) for sentence in report.problems],
        "peak_memory": report.peak_memory,
        "machine": describe_machine(),
        "plan": {"ways": [_method(method) for method in plan.methods], **_plain(plan, "names", "methods")},
        "rows": [{**_method(row.method), **_plain(row, "method")} for row in report.rows],
        "runs": [
            {
                "way": places[run.method],
                "name": method_name(run.method),
                "workload": plan.prompts[run.prompt].workload,
                "ratio": compared.get((run.method, run.prompt, run.round)),
                **_plain(run, "method", "stats"),
                "stats": to_plain(plain_stats(run.stats)),
                "steps": [[step.at, step.drafted, step.accepted] for step in run.steps],
            }
            for run in report.runs
        ],
    }


def format_csv(report: BenchReport) -> str:
    """One line for each answer."""
    compared = ratios(report.runs)
    lines = [_line(report, run, compared.get((run.method, run.prompt, run.round))) for run in report.runs]
    text = io.StringIO()
    if lines:
        writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    return text.getvalue()


_FIGURES = (
    "tokens_per_s",
    "ttft_s",
    "n_prompt",
    "n_generated",
    "n_drafted",
    "n_accepted",
    "n_verify_steps",
    "acceptance_rate",
    "mean_accepted_length",
    "target_time_s",
    "draft_time_s",
    "sample_time_s",
)


def _line(report: BenchReport, run: BenchRun, ratio: float | None) -> dict[str, object]:
    figures = plain_stats(run.stats)
    return {
        "round": run.round,
        "prompt": run.prompt,
        "workload": report.plan.prompts[run.prompt].workload,
        **_method(run.method),
        "ratio": ratio,
        **{name: figures[name] for name in _FIGURES},
        "same_as_plain": run.same_as_plain,
    }


def _method(method: BenchMethod) -> dict[str, object]:
    return {
        "name": method_name(method),
        "target": None if method.target == NO_TARGET else str(method.target),
        "draft": None if method.draft is None else str(method.draft),
        "draft_type": method.draft_type,
        "draft_max": "auto" if method.draft_max is None else method.draft_max,
        "policy": method.policy,
        "engine": method.engine or None,
        "peer": None if method.peer is None else str(method.peer),
    }


def _plain(value: object, *without: str) -> dict[str, object]:
    plain = to_plain(value)
    assert isinstance(plain, dict)
    return {name: part for name, part in plain.items() if name not in without}
