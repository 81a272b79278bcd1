"""stdout is for the answer: one JSON object with --json, text without."""

import argparse
import json
import sys
from collections.abc import Mapping

from specchat.domain.errors import UserError


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, nothing else")


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def write_json(value: Mapping[str, object]) -> None:
    write(json.dumps(value, ensure_ascii=False) + "\n")


def note(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def report(error: UserError) -> None:
    note(f"{error.message}\nhint: {error.hint}")
