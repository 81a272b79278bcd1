"""Exposes the stats of all answers in Prometheus's text format."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from specchat.domain.guess_counts import GuessCounts
from specchat.services.generation.server_stats import DurationHistogram, ServerStats

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = Mapping[str, object]
_ALONE: Labels = {}


def render_metrics(served: ServerStats, n_waiting: int, n_slots: int) -> str:
    return "".join(f"{line}\n" for line in _lines(served, n_waiting, n_slots))


def _lines(served: ServerStats, n_waiting: int, n_slots: int) -> Iterator[str]:
    requests = [({"path": path, "status": status}, n) for (path, status), n in sorted(served.requests.items())]
    yield from _metric("requests_total", "counter", "Requests by path and status.", requests)
    yield from _single("requests_waiting", "gauge", "Requests waiting for the models.", n_waiting)
    yield from _single("requests_running", "gauge", "Requests being answered.", served.n_running)
    yield from _single("slots", "gauge", "Requests that can be answered at once.", n_slots)
    answers = [({"finish_reason": reason}, n) for reason, n in sorted(served.finished.items())]
    yield from _metric("answers_total", "counter", "Answers by finish reason.", answers)
    yield from _single("prompt_tokens_total", "counter", "Tokens in all prompts.", served.n_prompt)
    reused = "Prompt tokens that were already in the cache."
    yield from _single("prompt_tokens_reused_total", "counter", reused, served.n_prompt_reused)
    yield from _single("tokens_total", "counter", "Tokens in all answers.", served.n_generated)
    yield from _single("target_passes_total", "counter", "Target passes.", served.n_passes)
    yield from _guesses(served.guesses)
    yield from _durations(
        "time_to_first_token_seconds", "Time from the start of an answer's turn to its first token.", served.first_token
    )
    yield from _durations("queue_seconds", "Time that requests waited for their turn.", served.waited)
    yield from _single("writing_seconds_total", "counter", "Time from the first token to the last.", served.writing_s)
    yield from _single("tokens_per_second", "gauge", "Tokens per second of the last answer.", served.tokens_per_s)
    saved = "Time saved compared with plain decoding. Negative if speculation cost more time than it saved."
    yield from _single("saved_seconds", "gauge", saved, served.saved_s)


def _guesses(guesses: GuessCounts) -> Iterator[str]:
    drafted, accepted = guesses.drafted_from, guesses.accepted_from
    sources = sorted(drafted)
    by_source = [({"source": source}, drafted[source]) for source in sources]
    yield from _metric("drafted_tokens_total", "counter", "Guesses sent to the target for verification.", by_source)
    by_source = [({"source": source}, accepted[source]) for source in sources]
    yield from _metric("accepted_tokens_total", "counter", "Accepted guesses.", by_source)
    share = "Share of all guesses that were accepted."
    yield from _single("acceptance_rate", "gauge", share, guesses.acceptance_rate)
    positions = sorted(guesses.drafted_at)
    at = [({"position": position}, guesses.drafted_at[position]) for position in positions]
    yield from _metric("drafted_tokens_at_total", "counter", "Passes with guesses at this position.", at)
    at = [({"position": position}, guesses.accepted_at[position]) for position in positions]
    yield from _metric("accepted_tokens_at_total", "counter", "Accepted guesses by position in their pass.", at)
    rates = [({"position": n}, rate) for n, rate in zip(positions, guesses.accepted_per_position, strict=True)]
    share = "Share of the passes with guesses at this position in which such a guess was accepted."
    yield from _metric("acceptance_rate_at", "gauge", share, rates)


def _durations(name: str, help_text: str, durations: DurationHistogram) -> Iterator[str]:
    yield from _head(name, "histogram", help_text)
    count = 0
    for most, count in durations.cumulative_counts():
        yield _sample(f"{name}_bucket", {"le": "+Inf" if most == inf else most}, count)
    yield _sample(f"{name}_sum", _ALONE, durations.total_s)
    yield _sample(f"{name}_count", _ALONE, count)


def _single(name: str, kind: str, help_text: str, value: float) -> Iterator[str]:
    yield from _metric(name, kind, help_text, [(_ALONE, value)])


def _metric(name: str, kind: str, help_text: str, samples: Sequence[tuple[Labels, float]]) -> Iterator[str]:
    yield from _head(name, kind, help_text)
    for labels, value in samples:
        yield _sample(name, labels, value)


def _head(name: str, kind: str, help_text: str) -> Iterator[str]:
    yield f"# HELP specchat_{name} {help_text}"
    yield f"# TYPE specchat_{name} {kind}"


def _sample(name: str, labels: Labels, value: float) -> str:
    """Drafters may come from other packages: their names may hold anything."""
    inner = ",".join(f'{label}="{_escaped(str(text))}"' for label, text in labels.items())
    return f"specchat_{name}{f'{{{inner}}}' if inner else ''} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
