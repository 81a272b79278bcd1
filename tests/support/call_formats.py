"""Formats of tool calls that many models have."""

from specchat.services.answers.call_format import CallFormat

HERMES = CallFormat("<tool_call>\n", "\n</tool_call>", again="\n</tool_call>\n<tool_call>\n")
LLAMA = CallFormat("<|python_tag|>", arguments="parameters", may_begin_bare=True)
MISTRAL = CallFormat("[TOOL_CALLS]", in_list=True)
MISTRAL_NAMED = CallFormat("[TOOL_CALLS]", between="[ARGS]", again="[TOOL_CALLS]")

WITH_TOOLS = """\
{%- if tools %}
    {{- '<|im_start|>system\\nYou may call: ' }}
    {%- for tool in tools %}{{- tool | tojson }}{%- endfor %}
    {{- '\\nCall one like this: <tool_call>{"name": NAME, "arguments": {}}</tool_call><|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content }}
    {%- for call in message.tool_calls or [] %}
        {{- '<tool_call>' + (call.function | tojson) + '</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}
{%- if think %}{{- '<think>\\n' }}{% endif %}
"""
"""A chat template that tells of tools."""
