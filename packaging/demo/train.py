"""Training that can be stopped at any time: run it again and it goes on from its last checkpoint."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import torch
from data import Batch
from model import Transformer, halves
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

WARM_UP, DECAY_FROM, LAST_RATE = 0.02, 0.4, 0.02
_REPORT_EVERY_S = 20.0
_SAVE_EVERY_S = 120.0

Loss = Callable[[Transformer, Batch], Tensor]


class Countable(Protocol):
    @property
    def n_predicted(self) -> int: ...


Network = TypeVar("Network", bound=nn.Module)
Examples = TypeVar("Examples", bound=Countable)


@dataclass(frozen=True, slots=True)
class Plan:
    """Training ends with its tokens or its minutes, whichever comes first; the rate follows the nearer end."""

    n_tokens: int
    minutes: float
    learning_rate: float
    weight_decay: float = 0.1

    def progress(self, tokens: int, seconds: float) -> float:
        return max(tokens / self.n_tokens, seconds / (60 * self.minutes))

    def rate(self, progress: float) -> float:
        """Up quickly, level, down in a line."""
        if progress < WARM_UP:
            return self.learning_rate * max(0.01, progress / WARM_UP)
        left = min(1.0, (1 - progress) / (1 - DECAY_FROM))
        return self.learning_rate * max(LAST_RATE, left)


class Training(Generic[Network]):
    def __init__(self, name: str, folder: Path, make: Callable[[], Network], plan: Plan) -> None:
        torch.manual_seed(0)
        self.name, self.plan = name, plan
        self.model = make()
        self._optimizer = _optimizer(self.model, plan)
        self._checkpoint = folder / f"{name}.checkpoint.pt"
        self.curve_file = folder / f"{name}.losses.jsonl"
        self._round = self._tokens = 0
        self._seconds = 0.0
        if self._checkpoint.exists():
            self._resume()

    @property
    def done(self) -> bool:
        return self.plan.progress(self._tokens, self._seconds) >= 1

    def run(self, rounds: Callable[[int], list[Examples]], loss: Callable[[Network, Examples], Tensor]) -> Network:
        self.model.train()
        saved = reported = time.monotonic()
        losses: list[float] = []
        tokens_then, seconds_then = self._tokens, self._seconds
        while not self.done:
            for batch in rounds(self._round):
                losses.append(self._step(batch, loss))
                if self.done or time.monotonic() - reported > _REPORT_EVERY_S:
                    speed = (self._tokens - tokens_then) / max(1e-9, self._seconds - seconds_then)
                    self._report(sum(losses) / len(losses), speed)
                    losses, reported = [], time.monotonic()
                    tokens_then, seconds_then = self._tokens, self._seconds
                if self.done:
                    break
            self._round += 1
            if self.done or time.monotonic() - saved > _SAVE_EVERY_S:
                self._save()
                saved = time.monotonic()
        self.model.eval()
        return self.model

    def _step(self, batch: Examples, loss: Callable[[Network, Examples], Tensor]) -> float:
        started = time.monotonic()
        for group in self._optimizer.param_groups:
            group["lr"] = self.plan.rate(self.plan.progress(self._tokens, self._seconds))
        value = loss(self.model, batch)
        value.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._tokens += batch.n_predicted
        self._seconds += time.monotonic() - started
        return float(value.detach())

    def _report(self, loss: float, speed: float) -> None:
        progress = self.plan.progress(self._tokens, self._seconds)
        print(
            f"{self.name}: {progress:5.1%}  {self._tokens / 1e6:6.2f} M tokens  loss {loss:.3f}  {speed:,.0f} tokens/s",
            flush=True,
        )
        with self.curve_file.open("a", encoding="utf-8") as file:
            file.write(
                json.dumps({"tokens": self._tokens, "seconds": round(self._seconds, 1), "loss": round(loss, 4)}) + "\n"
            )

    def _save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "progress": (self._round, self._tokens, self._seconds),
        }
        unfinished = self._checkpoint.with_suffix(".part")
        torch.save(state, unfinished)
        os.replace(unfinished, self._checkpoint)

    def _resume(self) -> None:
        state = torch.load(self._checkpoint, weights_only=True)
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._round, self._tokens, self._seconds = state["progress"]


def _optimizer(model: nn.Module, plan: Plan) -> torch.optim.AdamW:
    matrices = [weight for weight in model.parameters() if weight.ndim == 2]
    vectors = [weight for weight in model.parameters() if weight.ndim < 2]
    groups = [{"params": matrices, "weight_decay": plan.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=plan.learning_rate, betas=(0.9, 0.95), fused=True)


def next_token_loss(model: Transformer, batch: Batch) -> Tensor:
    hidden, wanted, weights = counted(model, batch)
    with halves():
        logits = model.logits(hidden)
    losses = functional.cross_entropy(logits.float(), wanted, reduction="none")
    return (losses * weights).sum() / weights.sum()


def counted(model: Transformer, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The hidden states before each token, these tokens, and how much they count."""
    tokens, weights = torch.from_numpy(batch.tokens), torch.from_numpy(batch.weights)
    # The plain kernel is faster than the flash one for rows as short as most are here.
    with halves(), sdpa_kernel(SDPBackend.MATH):
        hidden = model.hidden(tokens[:, :-1])
    return hidden.flatten(0, 1), tokens[:, 1:].flatten(), weights.flatten()
