"""specchat bench [-m TARGET [-md DRAFT]] [--engine URL ...]"""

import argparse
import signal
from functools import partial

from specchat.cli import App
from specchat.cli.bench_arguments import add_bench_arguments, bench_plan
from specchat.cli.bench_progress import BenchProgressLine
from specchat.cli.bench_table import report_lines
from specchat.cli.exit_codes import INTERRUPTED
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.option_notes import REPLACED_SUFFIX
from specchat.cli.output import add_json, end_progress, one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled
from specchat.services.bench.report_export import IMAGE_FORMATS, report_to_json, require_writable, write_report
from specchat.services.bench.runner import Benchmark


class BenchCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_bench_arguments(parser)
        add_json(parser)
        parser.usage = "%(prog)s [-m TARGET [-md DRAFT]] [--engine URL ...] [OPTIONS]"
        parser.epilog = format_examples(
            "specchat bench -m demo --workload chat --k 0,4,auto",
            "specchat bench -m TARGET.gguf --engine http://localhost:8080 --engine http://localhost:8000",
            "specchat bench -m TARGET.gguf -md DRAFT.gguf,none --out results.json --plot speeds.png",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        plan, out, picture = bench_plan(arguments, app), arguments.out, arguments.plot
        if out is not None:
            require_writable(out)
        if picture is not None:
            require_writable(picture, IMAGE_FORMATS)
        line = BenchProgressLine()
        with cancel_on_ctrl_c(signal.SIGTERM) as cancel:  # job schedulers send it when time is up
            try:
                (report,) = iterate_in_thread(lambda: iter([_run(plan, app, cancel, line.show)]), cancel)
            finally:
                end_progress()
        if not report.runs:
            raise Cancelled
        app.measured_pairs().record(report)
        replaced = {file: file.exists() for file in (out, picture) if file is not None}
        if out is not None:
            write_report(report, out)
        if picture is not None:
            app.plot()(report, picture)
        for file, was_there in replaced.items():
            written = f"{one_line(str(file))} was written"
            print_note(f"Note: {written}{REPLACED_SUFFIX}." if was_there else f"{written}.")
        if arguments.json:
            write_json(report_to_json(report))
        else:
            write_output("\n".join(report_lines(report)) + "\n")
        return 0 if report.complete else INTERRUPTED


def _run(plan: BenchPlan, app: App, cancel: CancelToken, on_progress: OnProgress) -> BenchReport:
    if plan.target_settings.rpc:  # a machine that goes away ends the process that computes
        return app.engine_process().bench(plan, on_progress, cancel)
    connect = partial(app.connections().engine, reuses_prompts=False)
    return Benchmark(plan, app.pair_loader(), cancel, on_progress, connect=connect).run()
