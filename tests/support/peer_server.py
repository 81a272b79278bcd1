"""A program that listens and answers as llama-server does, with figures of its own."""

import sys
import threading
from pathlib import Path

_PROGRAM = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
'''  # a shebang cannot name a program whose path has a space
import json, os, pathlib, signal, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

signal.signal(signal.SIGINT, signal.SIG_IGN)
options = dict(zip(sys.argv[1:], sys.argv[2:]))
log = pathlib.Path(__file__).with_suffix(".log")
with log.open("a") as file:
    file.write(json.dumps({{"pid": os.getpid(), "command": sys.argv[1:]}}) + "\\n")
if {behaviour!r} == "no-gpu":
    print("warning: no usable GPU found, --gpu-layers option will be ignored", file=sys.stderr, flush=True)
if {behaviour!r} == "dies":
    print("noise", file=sys.stderr)
    print("error: it cannot load this", file=sys.stderr)
    sys.exit(1)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send({{"status": "ok"}})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with log.open("a") as file:
            file.write(json.dumps({{"asked": asked}}) + "\\n")
        if {behaviour!r} == "fails":
            os._exit(1)
        if {behaviour!r} == "hangs" and log.read_text().count("asked") > {answers}:
            threading.Event().wait()
        n, drafts = asked["n_predict"], "-md" in options
        timings = {{"prompt_n": len(asked["prompt"]), "prompt_ms": 20.0}}
        timings |= {{"predicted_n": n, "predicted_ms": 10.0 * (n - 1)}}
        if drafts:
            timings |= {{"draft_n": n, "draft_n_accepted": n // 2}}
        self.send({{"content": "", "timings": timings}})

    def send(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer((options["--host"], int(options["--port"])), Handler).serve_forever()
"""


def make_server(folder: Path, behaviour: str = "answers", answers: int = 0) -> Path:
    """`behaviour`: answers, no-gpu (too), dies (at once), fails or hangs (when it is asked, after so many answers)."""
    program = folder / f"llama-server-{behaviour}"
    program.write_text(_PROGRAM.format(python=sys.executable, behaviour=behaviour, answers=answers), encoding="utf-8")
    program.chmod(0o755)
    return program


def log_of(program: Path) -> Path:
    return program.with_suffix(".log")


def wait_until_asked(program: Path, times: int) -> None:
    while not log_of(program).exists() or log_of(program).read_text().count("asked") < times:
        threading.Event().wait(0.01)
