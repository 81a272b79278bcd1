"""specchat inspect MODEL"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.model_options import HUB_MODEL_HELP
from specchat.cli.output import add_json, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.domain.cancel_token import CancelToken
from specchat.services.models import model_files

_NAMES = {
    "architecture": "architecture",
    "parameters": "parameters",
    "quantization": "quantization",
    "file_size": "file size in bytes",
    "n_layer": "layers",
    "n_ctx_train": "trained context",
    "n_embd": "embedding width",
    "n_head": "attention heads",
    "n_head_kv": "KV heads",
    "n_vocab": "vocabulary size",
    "tokenizer": "tokenizer",
    "chat_template": "chat template",
    "draft_kind": "draft kind",
    "draft_inside": "draft inside",
    "bytes_read": "bytes read",
    "problems": "problems",
}


class InspectCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("model", metavar="MODEL", help=HUB_MODEL_HELP)
        add_json(parser)
        parser.epilog = format_examples("specchat inspect demo", "specchat inspect ggml-org/Qwen3-8B-GGUF:Q4_K_M")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        facts = asdict(model_files.inspect_model(arguments.model, app.hub, CancelToken()))
        if arguments.json:
            write_json(facts)
        else:
            write_output("".join(f"{_NAMES[name]}: {_readable(value)}\n" for name, value in facts.items()))
        return 0


def _readable(value: object) -> str:
    match value:
        case dict():
            parts = {name.replace("_", " "): part for name, part in value.items()}
            return ", ".join(f"{name} {part if type(part) is int else _readable(part)}" for name, part in parts.items())
        case list() | tuple():
            return "; ".join(map(str, value)) or "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
    return "none" if value is None else str(value)
