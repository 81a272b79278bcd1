"""Whatever a template tries, it ends in a readable error, soon, and the next one renders."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from support import chat_templates

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.template_renderer import RenderLimits, TemplateRenderer
from specchat.domain.errors import TemplateError
from specchat.domain.types import Message, Role

USER = Message(Role.USER, "Hello")

LOOPS = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"

TOO_BIG = "needed too much memory"
TOO_MUCH = "produced too much text"
REACHES = "failed: it tries to access _"

ENDLESS = {
    "nested loops": LOOPS,
    "branching recursion": (
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}"
    ),
}

HOSTILE = {
    "nested large loops": (
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "range",
    ),
    "loops that print": (LOOPS.replace("{% endfor %}{%", "{{ a }}{{ b }}{% endfor %}{%"), TOO_MUCH),
    "string bomb": ("{{ 'a'*10**10 }}", "repetition"),
    "list bomb": ("{{ [0] * 10**10 }}", "repetition"),
    "power bomb": ("{{ 10 ** (10 ** 10) }}", "number"),
    "product bomb": (
        "{% set n = namespace(x=9) %}{% for i in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}",
        "number",
    ),
    "doubling": (
        "{% set n = namespace(x='aaaaaaaa') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
        TOO_BIG,
    ),
    "padding": ("{{ 'a' | center(10000000000) }}", TOO_BIG),
    "printf padding": ("{{ '%10000000000d' % 1 }}", TOO_BIG),
    "format padding": ("{{ '{:>10000000000}'.format(1) }}", TOO_BIG),
    "replace chain": ("{{ ('a' * 1000) " + "| replace('a', 'a' * 1000) " * 4 + "}}", TOO_BIG),
    "join chain": ("{{ range(9999) | join('a' * 99999) }}", TOO_BIG),
    "much text": ("{% for i in range(9999) %}{{ 'a' * 10000 }}{% endfor %}", TOO_MUCH),
    "classes": ("{{ ''.__class__.__mro__ }}", REACHES),
    "class alone": ("{{ ''.__class__ }}", REACHES),
    "class by item": ("{{ ''['__class__'] }}", REACHES),
    "class by filter": ("{{ '' | attr('__class__') }}", REACHES),
    "class by map": ("{{ [''] | map(attribute='__class__') | list }}", REACHES),
    "globals": ("{{ cycler.__init__.__globals__ }}", REACHES),
    "globals of ours": ("{{ raise_exception.__globals__ }}{{ strftime_now.__closure__ }}", REACHES),
    "self": ("{{ self._TemplateReference__context }}", REACHES),
    "format string": ("{{ '{0.__class__}'.format(messages) }}", REACHES),
    "format map": ("{{ '{x.__class__}'.format_map({'x': 1}) }}", REACHES),
    "lorem ipsum": ("{{ lipsum(n=99999) }}", "'lipsum' is undefined"),
    "recursion": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "nested too deeply"),
    "deep expression": ("{{ " + "(" * 50_000 + "1" + ")" * 50_000 + " }}", "nested too deeply"),
    "deep blocks": ("{% if 1 %}" * 200 + "{% endif %}" * 200, "syntax error"),
    "deep loops": ("{% for i in [1] %}" * 60 + "{% endfor %}" * 60, "syntax error"),
    "change of messages": ("{{ messages.clear() }}", "failed: "),
    "file": ("{% extends '/etc/passwd' %}", "failed: "),
    "import": ("{% import 'os' as os %}", "failed: "),
}


@pytest.fixture(scope="module")
def hasty() -> Iterator[TemplateRenderer]:
    with closing(TemplateRenderer(RenderLimits(seconds=0.5))) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def patient() -> Iterator[TemplateRenderer]:
    with closing(TemplateRenderer(RenderLimits(seconds=30.0, memory=128 << 20))) as renderer:
        yield renderer


def renders_again(renderer: TemplateRenderer) -> bool:
    text = ChatTemplate(chat_templates.CHATML, renderer=renderer).render([USER])
    return text == "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_endless_template(hasty: TemplateRenderer, source: str) -> None:
    with pytest.raises(TemplateError, match="ran too long"):
        ChatTemplate(source, renderer=hasty).render([USER])
    assert renders_again(hasty)


@pytest.mark.parametrize(("source", "message"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_template(patient: TemplateRenderer, source: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        ChatTemplate(source, renderer=patient).render([USER])
    assert renders_again(patient)
