"""Chat templates in the shapes that model files bring."""

from typing import Final

CHATML: Final = """\
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

LLAMA_3: Final = """\
{{- bos_token }}
{%- if not date_string is defined %}
    {%- set date_string = strftime_now("%d %b %Y") %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\nToday Date: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {%- for tool in tools %}
        {{- tool | tojson }}
        {{- "\\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message + "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}
    {{- message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

MISTRAL: Final = """\
{{ bos_token }}
{%- for message in messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
    {%- endif %}
    {%- if message['role'] == 'user' %}
        {{- '[INST] ' + message['content'] + ' [/INST]' }}
    {%- elif message['role'] == 'assistant' %}
        {{- message['content'] + eos_token }}
    {%- else %}
        {{- raise_exception('Only user and assistant roles are supported!') }}
    {%- endif %}
{%- endfor %}
"""

GEMMA: Final = """\
{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{% endif %}
{% set role = 'model' if message['role'] == 'assistant' else message['role'] %}
{{ '<start_of_turn>' + role + '
' + message['content'] | trim + '<end_of_turn>
' -}}
{% endfor %}
{% if add_generation_prompt %}{{ '<start_of_turn>model
' }}{% endif %}
"""

DROPS_SYSTEM: Final = """\
{% for message in messages %}
{% if message.role == 'user' %}
### Instruction: {{ message.content }}
{% elif message.role == 'assistant' %}
### Response: {{ message.content }}{{ eos_token }}
{% endif %}
{% endfor %}
{% if add_generation_prompt %}
### Response:{% endif %}
"""

THOUGHTFUL: Final = """\
{%- set ns = namespace(last_query=0) %}
{%- for message in messages[::-1] %}
    {%- if message.role == 'user' %}
        {%- set ns.last_query = (messages | length) - 1 - loop.index0 %}
        {%- break %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if not message.content %}{% continue %}{% endif %}
    {%- set content = message.content %}
    {%- if message.role == 'assistant' and loop.index0 < ns.last_query and '</think>' in content %}
        {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
    {%- endif %}
    {%- generation %}{{- '<' + message.role + '>' + content + '</' + message.role + '>' }}{% endgeneration %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<assistant>' }}{% endif %}
"""

TYPED_CONTENT: Final = """\
{% for message in messages %}{{ message['role'] | upper }}:
{%- for part in message['content'] %}
{% if part['type'] == 'image' %}<image>{% elif part['type'] == 'text' %} {{ part['text'] }}{% endif %}
{%- endfor %}<end>
{% endfor %}
{% if add_generation_prompt %}ASSISTANT:{% endif %}
"""
