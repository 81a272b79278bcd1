"""specchat models pull REF..."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from specchat.cli import App
from specchat.cli.amounts import amount, part, size
from specchat.cli.interrupt import cancelled_by_ctrl_c
from specchat.cli.models_progress import DownloadLine
from specchat.cli.numbers import integer
from specchat.cli.output import note, write, write_json
from specchat.cli.parser import examples
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.hub.pulls import Pulled

_KEPT = "What has arrived is kept: the same command goes on with it."


class ModelsPull:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add(
            "references",
            metavar="REF",
            nargs="+",
            help="a model on the Hub: owner/repo, owner/repo:Q4_K_M or owner/repo:file.gguf",
        )
        add("--limit-rate", type=amount, metavar="BYTES", help="at most so many bytes a second, as in 5M")
        add("--parallel", type=integer(1, 16), default=2, metavar="N", help="files at the same time (default: 2)")
        parser.epilog = examples("specchat models pull ggml-org/Qwen3-8B-GGUF:Q4_K_M ggml-org/Qwen3-0.6B-GGUF:Q8_0")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        pulls = app.pulls()
        pulls.parallel, pulls.limit = arguments.parallel, arguments.limit_rate
        wanted = pulls.wanted(arguments.references, CancelToken())
        try:
            with closing(DownloadLine()) as line, cancelled_by_ctrl_c() as cancel:
                installed = pulls.pull(wanted, cancel, line.show)
        except Cancelled:
            note(f"Interrupted. {_KEPT}")
            raise
        except UserError:
            if kept := pulls.kept(wanted):
                whole = sum(model.size for model in wanted.models)
                note(f"Note: {part(kept, whole)} are kept: the same command goes on with them.")
            raise
        if arguments.json:
            write_json({"installed": [_plain(model) for model in installed]})
        else:
            write("".join(f"{model.reference}\n  {model.files[0].path}\n" for model in installed))
            note(_summary(installed))
        return 0


def _plain(model: Pulled) -> dict[str, object]:
    """A model's path is that of its first file, which is the one to open."""
    first = model.files[0]
    return {
        "reference": str(model.reference),
        "path": str(first.path),
        "size": sum(file.size for file in model.files),
        "sha256": first.sha256 if len(model.files) == 1 else None,
        "bytes_fetched": sum(file.bytes_fetched for file in model.files),
        "files": [
            {
                "path": str(file.path),
                "size": file.size,
                "sha256": file.sha256,
                "bytes_fetched": file.bytes_fetched,
            }
            for file in model.files
        ],
    }


def _summary(installed: Sequence[Pulled]) -> str:
    files = [file for model in installed for file in model.files]
    fetched = sum(file.bytes_fetched for file in files)
    checked = f"{size(sum(file.size for file in files))} checked"
    return f"{checked}, {size(fetched)} fetched." if fetched else f"{checked}: all of it was here already."
