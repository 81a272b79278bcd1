"""Formats of tool calls that many models have."""

from specchat.services.answers.call_format import CallFormat

HERMES = CallFormat("<tool_call>\n", "\n</tool_call>", again="\n</tool_call>\n<tool_call>\n")
LLAMA = CallFormat("<|python_tag|>", arguments="parameters", may_begin_bare=True)
MISTRAL = CallFormat("[TOOL_CALLS]", in_list=True)
MISTRAL_NAMED = CallFormat("[TOOL_CALLS]", between="[ARGS]", again="[TOOL_CALLS]")
