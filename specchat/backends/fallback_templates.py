"""Chat templates for model files that have none."""

from typing import Final

CHATML: Final = """\
{% for message in messages %}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}
{% if add_generation_prompt %}
<|im_start|>assistant
{% endif %}
"""

PLAIN: Final = """\
{% for message in messages %}
{% if message.role == 'system' %}
{{ message.content }}

{% elif message.role == 'user' %}
User: {{ message.content }}
{% else %}
Assistant: {{ message.content }}
{% endif %}
{% endfor %}
{% if add_generation_prompt %}
Assistant:{% endif %}
"""

PLAIN_STOP: Final = ("\nUser:",)
"""Without markers, a model would continue with the user's part."""
