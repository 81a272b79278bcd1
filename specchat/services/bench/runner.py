"""Runs a benchmark, rotating the methods so that outside load affects all of them alike."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from specchat.domain.benchmark import (
    BenchMethod,
    BenchPlan,
    BenchProgress,
    BenchPrompt,
    BenchReport,
    BenchRun,
    OnProgress,
)
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine
from specchat.domain.errors import BugError, Cancelled, ContextFullError, UserError
from specchat.domain.loading import LoadStage
from specchat.domain.model_ref import ServedModel, parse_model_ref
from specchat.domain.translatable_text import TranslatableText
from specchat.services.bench.host_specs import HostSpec, build_host_specs
from specchat.services.bench.hosts import BenchHost, BenchRequest, EngineHost, HostReply, LlamaServerHost, PairHost
from specchat.services.bench.machine_info import peak_memory
from specchat.services.bench.memory_groups import free_weight_memory, group_hosts, uses_gpu
from specchat.services.bench.method_names import full_method_name
from specchat.services.bench.plan import require_usable
from specchat.services.bench.remaining_time import RemainingTime
from specchat.services.bench.summary import summarize_runs
from specchat.services.chat.request_builder import AnswerOptions
from specchat.services.generation.pair_loader import PairLoader

Hosts = Mapping[BenchMethod, BenchHost]

_WARM_UP = BenchPrompt("", "Hello! Please introduce yourself in a few sentences, and say what you can do.")
_WARM_UP_AT = -1
_WARM_UP_TOKENS = 32
_SETTLE_S = 0.3
"""The threads of another process may still spin."""


@dataclass(frozen=True, slots=True)
class _Measured:
    run: BenchRun
    tokens: tuple[int, ...] | None


def rotate_methods(methods: Sequence[BenchMethod], turn: int) -> list[BenchMethod]:
    """Every method follows every other equally often: a peer, say, leaves a graphics card idle and so clocked down.

    This is a balanced Latin square (of Williams): a zigzag, moved on by one each turn, and reversed in every second
    round of turns, which odd numbers need.
    """
    count = len(methods)
    cycle, moved = divmod(turn, count) if count else (0, 0)
    zigzag = [(at + 1) // 2 if at % 2 else -(at // 2) for at in range(count)]
    order = [methods[(at + moved) % count] for at in zigzag]
    return order[::-1] if cycle % 2 else order


class Benchmark:
    def __init__(
        self,
        plan: BenchPlan,
        loader: PairLoader,
        cancel: CancelToken,
        progress: OnProgress = lambda _: None,
        free: Callable[[BenchPlan], int] = free_weight_memory,
        clock: Callable[[], float] = time.perf_counter,
        connect: Callable[[], Engine] | None = None,
    ) -> None:
        """`connect`: makes what asks another engine."""
        self._plan = plan
        self._loader = loader
        self._cancel = cancel
        self._progress = progress
        self._free = free
        self._clock = clock
        self._connect = connect
        self._requests: dict[tuple[Path | str, int], BenchRequest] = {}
        """By the target, or by the engine that has it."""
        self._measured: list[_Measured] = []
        self._plain: dict[tuple[Path, int, int], tuple[int, ...]] = {}
        self._problems: dict[TranslatableText, UserError | None] = {}
        self._was_elsewhere = False
        """Where the last answer came from."""
        self._remaining = RemainingTime(plan.methods * (len(plan.prompts) * plan.repeat))

    def run(self) -> BenchReport:
        """Measures; keeps the results so far if cancelled. Raises if nothing could be measured."""
        complete = True
        try:
            require_usable(self._plan)
            self._rounds()
        except Cancelled:
            complete = False
        failed = next((error for error in self._problems.values() if error is not None), None)
        if complete and failed is not None and not self._measured:
            raise failed
        runs = [self._compare(each) for each in self._measured]
        return summarize_runs(self._plan, runs, tuple(self._problems), complete=complete, peak=peak_memory())

    def _rounds(self) -> None:
        groups = group_hosts(build_host_specs(self._plan), self._free(self._plan))
        if len(groups) == 1:
            (group,) = groups
            with self._load_hosts(group) as hosts:
                for number in range(self._plan.repeat):
                    self._round(group, hosts, number)
            return
        self._problems[
            TranslatableText("The models don't fit in memory together, so they were loaded one at a time.")
        ] = None
        for number in range(self._plan.repeat):
            for group in groups:
                with self._load_hosts(group) as hosts:
                    self._round(group, hosts, number)

    @contextmanager
    def _load_hosts(self, group: tuple[HostSpec, ...]) -> Iterator[Hosts]:
        with ExitStack() as open_hosts:
            hosts: dict[BenchMethod, BenchHost] = {}
            for spec in group:
                self._report(None)
                try:
                    host = open_hosts.enter_context(closing(self._host(spec)))
                    for method in spec.methods:
                        self._answer(host, method, self._warm_up(_model_of(method)))
                except UserError as error:
                    if not self._measured:
                        raise
                    self._note(spec.methods[0], None, error)
                    continue
                hosts |= dict.fromkeys(spec.methods, host)
            yield hosts

    def _host(self, spec: HostSpec) -> BenchHost:
        if spec.peer is not None:
            return self._peer(spec, spec.peer)
        if spec.engine:
            return self._engine(spec.engine)
        host = PairHost(spec, self._plan, self._loader, self._cancel, self._report_stage)
        selftest = host.pair.selftest
        if self._plan.exact and selftest is not None and not selftest.exact:
            name = spec.target.name
            self._problems[
                TranslatableText("{name} failed the exact-mode self-test here: answers may differ.", name=name)
            ] = None
        self._ask(spec.target, host)
        return host

    def _engine(self, served: str) -> EngineHost:
        model = parse_model_ref(served)
        if self._connect is None or not isinstance(model, ServedModel):
            raise BugError(f"no way to {served}")
        host = EngineHost(self._connect(), model, self._cancel, self._report_stage)
        self._put(served, host.build_task)
        return host

    def _peer(self, spec: HostSpec, peer: Path) -> LlamaServerHost:
        host = LlamaServerHost(spec, self._plan, self._cancel)
        if host.found_no_gpu and uses_gpu(self._plan):
            found = TranslatableText(
                "{name} found no GPU and ran on the CPU, so its results aren't comparable.", name=peer.name
            )
            self._problems[found] = None
        return host

    def _ask(self, target: Path, host: PairHost) -> None:
        """In the target's tokens: a peer is given the same."""
        self._put(target, host.build_request)

    def _put(self, asked: Path | str, build: Callable[[BenchPrompt, AnswerOptions], BenchRequest]) -> None:
        """The prompts, once."""
        plan = self._plan
        options = AnswerOptions(plan.sampling, plan.max_tokens, ignore_eos=plan.ignore_eos)
        for at, prompt in [(_WARM_UP_AT, _WARM_UP), *enumerate(plan.prompts)]:
            if (asked, at) not in self._requests:
                self._requests[asked, at] = build(prompt, options)

    def _warm_up(self, asked: Path | str) -> BenchRequest:
        request = self._requests[asked, _WARM_UP_AT]
        return replace(request, max_tokens=min(_WARM_UP_TOKENS, self._plan.max_tokens))

    def _round(self, group: tuple[HostSpec, ...], hosts: Hosts, number: int) -> None:
        present = {method for spec in group for method in spec.methods}
        methods = [method for method in self._plan.methods if method in present]
        n_prompts = len(self._plan.prompts)
        for prompt in range(n_prompts):
            for method in rotate_methods(methods, number * n_prompts + prompt):
                self._turn(method, hosts.get(method), number, prompt)

    def _turn(self, method: BenchMethod, host: BenchHost | None, number: int, prompt: int) -> None:
        self._report(method)
        measured, seconds = None, None
        if host is not None:
            try:
                start = self._clock()
                reply = self._answer(host, method, self._request(_model_of(method), number, prompt))
                seconds = self._clock() - start
                measured = self._keep(method, number, prompt, reply)
            except UserError as error:
                self._note(method, prompt, error)
        self._remaining.record_turn(method, seconds)
        self._report(method, measured)

    def _request(self, asked: Path | str, number: int, prompt: int) -> BenchRequest:
        """Each round samples anew, all methods alike."""
        request = self._requests[asked, prompt]
        return replace(request, sampling=replace(request.sampling, seed=request.sampling.seed + number))

    def _answer(self, host: BenchHost, method: BenchMethod, request: BenchRequest) -> HostReply:
        self._cancel.check()
        is_elsewhere = not method.is_ours
        if is_elsewhere or self._was_elsewhere:
            self._cancel.wait(_SETTLE_S)
        self._was_elsewhere = is_elsewhere
        return host.answer(method, request, self._cancel)

    def _keep(self, method: BenchMethod, number: int, prompt: int, reply: HostReply) -> BenchRun:
        measured = _Measured(BenchRun(method, prompt, number, reply.stats, None, reply.steps), reply.tokens)
        self._measured.append(measured)
        if method == method.baseline and reply.tokens is not None:
            self._plain[method.target, number, prompt] = reply.tokens
        return self._compare(measured)

    def _compare(self, measured: _Measured) -> BenchRun:
        run = measured.run
        plain = self._plain.get((run.method.target, run.round, run.prompt))
        known = plain is not None and measured.tokens is not None
        return replace(run, same_as_plain=measured.tokens == plain if known else None)

    def _note(self, method: BenchMethod, prompt: int | None, error: UserError) -> None:
        """Each problem once."""
        if prompt is not None and isinstance(error, ContextFullError):
            said = TranslatableText("Prompt {n}: {reason}", n=prompt + 1, reason=error.message)
        else:
            said = TranslatableText("{way}: {reason}", way=full_method_name(method), reason=error.message)
        self._problems.setdefault(said, error)

    def _report_stage(self, stage: LoadStage, _: float) -> None:
        left = self._remaining
        self._progress(BenchProgress(left.done, left.total, left.seconds(), None, stage=stage))

    def _report(self, method: BenchMethod | None, run: BenchRun | None = None) -> None:
        left = self._remaining
        self._progress(BenchProgress(left.done, left.total, left.seconds(), method, run))


def _model_of(method: BenchMethod) -> Path | str:
    """Whose tokens or messages its prompts are."""
    return method.engine or method.target
