"""What each slot writes, or wrote last, in the form of llama-server."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import CompletionTask, ServingEvent, TaskFailed
from specchat.domain.speculation_status import ON
from specchat.domain.types import GenerationFinished, PromptProgress, SamplingParams, TokenEvent


@dataclass(slots=True)
class SlotAnswer:
    number: int
    """Of all answers since the server started."""
    task: CompletionTask
    n_reused: int = 0
    """Tokens of the prompt that were read before."""
    n_read: int = 0
    n_to_read: int = 0
    n_decoded: int = 0
    n_drafted: int = 0
    n_accepted: int = 0
    is_over: bool = False

    def hear(self, event: ServingEvent) -> None:
        match event:
            case PromptProgress(done, total, reused):
                self.n_read, self.n_to_read, self.n_reused = done, total, reused
            case GenerationFinished() | TaskFailed():
                self.is_over = True
            case TokenEvent(step=step) if step is not None:
                self.n_decoded += step.emitted
                self.n_drafted += step.drafted
                self.n_accepted += step.accepted

    def figures(self) -> dict[str, object]:
        longest = self.task.max_tokens
        return {
            "id_task": self.number,
            "n_prompt_tokens": self.n_reused + self.n_to_read,
            "n_prompt_tokens_processed": self.n_read,
            "n_prompt_tokens_cache": self.n_reused,
            "n_past": self.n_reused + self.n_read + self.n_decoded,
            "n_decoded": self.n_decoded,
            "draft_n": self.n_drafted,
            "draft_n_accepted": self.n_accepted,
            "params": _params(self.task.sampling)
            | {
                "n_predict": -1 if longest is None else longest,
                "max_tokens": -1 if longest is None else longest,
                "ignore_eos": self.task.ignore_eos,
                "n_probs": self.task.top_logprobs or 0,
            },
            "next_token": [
                {
                    "has_next_token": not self.is_over,
                    "n_remain": -1 if longest is None else longest - self.n_decoded,
                    "n_decoded": self.n_decoded,
                }
            ],
        }


class SlotTable:
    def __init__(self) -> None:
        self._latest: defaultdict[str, list[SlotAnswer]] = defaultdict(list)
        """Of each target, by slot."""
        self._n_begun = 0

    def begin(self, task: CompletionTask, pair: PairInfo) -> SlotAnswer:
        """In the pair's first slot that is free."""
        answer, slots = SlotAnswer(self._n_begun, task), self._latest[pair.target]
        self._n_begun += 1
        free = next((slot for slot, latest in enumerate(slots) if latest.is_over), len(slots))
        slots[free : free + 1] = [answer]
        return answer

    def describe(self, pair: PairInfo) -> Sequence[dict[str, object]]:
        latest = self._latest.get(pair.target, [])
        return [
            {
                "id": slot,
                "n_ctx": pair.n_ctx,
                "speculative": pair.drafting == ON,
                "is_processing": slot < len(latest) and not latest[slot].is_over,
                **(latest[slot].figures() if slot < len(latest) else {}),
            }
            for slot in range(pair.n_slots)
        ]


def _params(sampling: SamplingParams) -> dict[str, object]:
    return {
        "seed": sampling.seed,
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repeat_last_n": sampling.penalty_last_n,
        "repeat_penalty": sampling.repeat_penalty,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
