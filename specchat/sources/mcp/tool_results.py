"""Turns what a tool returned into text that the model reads."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import AudioContent, CallToolResult, EmbeddedResource, ImageContent, ResourceLink, TextContent

from specchat.domain.tool_servers import ToolResult, ToolServerConfig
from specchat.domain.tools import CallState
from specchat.domain.translatable_text import group_digits
from specchat.sources.mcp.limits import MAX_RESULT

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def read_result(result: CallToolResult, declared: object, config: ToolServerConfig) -> ToolResult:
    if not result.is_error and (problem := _difference(result.structured_content, declared)):
        return ToolResult(CallState.FAILED, f"The result is not what the tool declares: {problem}.")
    texts = [text for part in result.content if (text := _text(part))]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False)]
    state = CallState.FAILED if result.is_error else CallState.DONE
    return ToolResult(state, clean_text(config.redact("\n\n".join(texts)), MAX_RESULT))


def clean_text(text: str, most: int) -> str:
    kept = "".join(char for char in text[:most] if char.isprintable() or char in "\n\t")
    left_out = len(text) - most
    return f"{kept}\n[{group_digits(left_out)} more characters left out]" if left_out > 0 else kept


def _text(part: object) -> str:
    match part:
        case TextContent():
            return part.text
        case ImageContent() | AudioContent():
            return f"[{part.mime_type}, {len(part.data) * 3 // 4} bytes]"
        case ResourceLink():
            return f"[{part.name}: {part.uri}]"
        case EmbeddedResource():
            text = getattr(part.resource, "text", None)
            return text if isinstance(text, str) else f"[{part.resource.uri}]"
    return ""


def _difference(structured: Any, declared: object) -> str:
    """Of its outermost part: patterns of strangers are not tried, as some take forever."""
    if not isinstance(declared, Mapping):
        return ""
    if not isinstance(structured, dict):
        return "no structured result"
    required = declared.get("required")
    missing = [name for name in required if name not in structured] if isinstance(required, list) else []
    if missing:
        return f"{str(missing[0])[:40]} is missing"
    properties = declared.get("properties")
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        if name in structured and not _is_of_type(structured[name], schema):
            return f"{str(name)[:40]} has another type"
    return ""


def _is_of_type(value: object, schema: object) -> bool:
    wanted = schema.get("type") if isinstance(schema, Mapping) else None
    kinds = _TYPES.get(wanted) if isinstance(wanted, str) else None
    if kinds is None:
        return True
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
