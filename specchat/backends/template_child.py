"""The child process that renders untrusted chat templates."""

import json
from datetime import datetime
from functools import lru_cache
from typing import Any

from jinja2 import Template, TemplateSyntaxError
from jinja2 import TemplateError as JinjaError

from specchat.backends.child_loop import serve
from specchat.backends.shielded_text import with_shielded_texts
from specchat.backends.template_sandbox import TemplateRefusal, TemplateSandbox, strftime_at

FREE_OUTPUT = 1 << 20
OUTPUT_PER_INPUT = 4
_FAULTS = (
    JinjaError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)

_sandbox = TemplateSandbox()


def child_main() -> None:
    serve(render)


def render(request: dict[str, Any]) -> dict[str, Any]:
    try:
        text = _text(request)
    except TemplateSyntaxError as error:
        return {"fault": "syntax", "reason": f"{error.message} (line {error.lineno})"}
    except SyntaxError as error:  # from Python, about Jinja's code, so its line number means nothing
        return {"fault": "syntax", "reason": error.msg}
    except TemplateRefusal as error:
        return {"fault": "refused", "reason": str(error)}
    except RecursionError:
        return {"fault": "failed", "reason": "it is nested too deeply"}
    except _FAULTS as error:
        return {"fault": "failed", "reason": str(error) or type(error).__name__}
    return {"fault": "too long", "reason": ""} if text is None else {"text": text}


@lru_cache(maxsize=4)
def _compiled(source: str) -> Template:
    return _sandbox.from_string(source)


def _text(request: dict[str, Any]) -> str | None:
    """Renders the text. None if it is longer than any template should make it."""
    _sandbox.shadows = {ord(shadow): character for shadow, character in request["shadows"].items()}
    inputs = request["variables"] | {"messages": request["messages"]}
    variables = with_shielded_texts(inputs, _sandbox.shadows)
    room = FREE_OUTPUT + OUTPUT_PER_INPUT * len(json.dumps(variables))
    variables["strftime_now"] = strftime_at(datetime.fromisoformat(request["now"]))
    pieces = []
    for piece in _compiled(request["template"]).generate(variables):
        room -= len(piece)
        if room < 0:
            return None
        pieces.append(piece)
    return "".join(pieces)
