#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Render chat templates with jinja2, set up as Hugging Face does, and write what comes out.

    cases.jsonl   {"name", "template", "messages", "add_generation_prompt", "bos_token",
                   "eos_token", "text"}; "text" is null where jinja2 raises

The templates of whole families are files fixtures/chat_templates/*.jinja; the short ones for
single features stand below. Needs the Python package jinja2.

    scripts/make_chat_template_vectors.py
"""
import glob
import json
import os

from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                      "fixtures", "chat_templates")

CONVERSATIONS = {
    "none": [],
    "user": [{"role": "user", "content": "Hello, who are you?"}],
    "system": [{"role": "system", "content": "Be brief."},
               {"role": "user", "content": "  2 + 2?\n"}],
    "long": [{"role": "system", "content": "  Answer in JSON. "},
             {"role": "user", "content": "Größe <|im_end|> \"q\" {{ x }}"},
             {"role": "assistant", "content": "<think>hm</think>\n\n{\"a\": 1}"},
             {"role": "user", "content": "👩‍👩‍👧‍👦 again\n\n"}],
    "odd": [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}],
    "tool": [{"role": "user", "content": "call"}, {"role": "tool", "content": "{}"}],
}

FEATURES = r"""
plain text
{{ 'a' }}{{ "b" }}{{ 'it\'s' }}{{ "\t\n\\\x41\u00e9\U0001f600\101\q" }}
{{ 'a' 'b' "c" }}
{{ 1 }} {{ 0 }} {{ 1_000 }} {{ -5 }} {{ +5 }} {{ --5 }}
{{ true }} {{ True }} {{ false }} {{ none }} {{ None }}
{{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }}
{{ 10 - 3 - 2 }} {{ 'a' ~ 1 ~ true ~ none ~ undefined_thing }}
{{ 'ab' * 3 }} {{ 2 * 'x' }} {{ true + 1 }} {{ 'a' * 0 }}|
{{ 1 // 0 }}
{{ 1 + 'a' }}
{{ 'a' + 1 }}
{{ 'a' + nothing }}
{{ nothing + 'a' }}
{{ none + 'a' }}
{{ nothing }}|{{ nothing ~ 'a' }}|{{ nothing is defined }}|{{ not nothing }}
{{ nothing.attribute }}
{{ nothing['key'] }}
{{ nothing() }}
{{ messages.attribute }}|{{ messages[0].attribute }}|{{ messages[0]['x'] }}
{{ messages[0].attribute.more }}
{{ messages[99] }}|{{ messages[-1].role }}|{{ messages[-99] }}
{{ 'abc'[0] }}{{ 'abc'[-1] }}{{ 'abc'[5] }}|{{ 'äöü'[1] }}
{{ 'abcdef'[1:3] }} {{ 'abcdef'[:-1] }} {{ 'abcdef'[::2] }} {{ 'äbcdëf'[::-1] }} {{ 'abc'[5:] }}|
{{ 'abc'[none:2] }} {{ 'abc'[-2:] }} {{ 'abc'[2:1] }}| {{ 'abcdef'[4:1:-1] }} {{ 'abc'[-99:99] }}
{% for m in messages[1:] %}{{ m.role }},{% endfor %}
{% for m in messages[::-1] %}{{ m.role }},{% endfor %}
{{ [1, 2, 3][1] }} {{ {'a': 1, 'b': 2}['b'] }} {{ {'a': 1}.a }} {{ (1, 2)[0] }} {{ [[1], [2, 3]][1][1] }}
{{ {'a': 1, 'a': 2}.a }} {{ {1: 'x'}[1] }} {{ {'a': {'b': 'c'}}.a.b }}
{{ [1, 2] == [1, 2] }} {{ {'a': 1} == {'a': 1} }} {{ [1] == [2] }} {{ 'a' == 'a' }} {{ 1 == true }}
{{ 1 < 2 }} {{ 1 < 2 < 3 }} {{ 1 < 2 > 3 }} {{ 'a' < 'b' }} {{ 2 >= 2 }} {{ 1 != 2 }} {{ 'a' <= 'A' }}
{{ 1 < 'a' }}
{{ nothing < 1 }}
{{ nothing == nothing }} {{ nothing == none }} {{ none == none }}
{{ 'a' in 'abc' }} {{ 'x' not in 'abc' }} {{ 1 in [1, 2] }} {{ 'role' in messages[0] }} {{ 'x' in nothing }}
{{ 1 in 'abc' }}
{{ 'a' in 5 }}
{{ 'x' if true else 'y' }} {{ 'x' if false else 'y' }} {{ 'x' if false }}| {{ 'a' if 0 else 'b' if 0 else 'c' }}
{{ 1 and 2 }} {{ 0 and 2 }} {{ 0 or 'x' }} {{ '' or none }} {{ not 1 }} {{ not not 1 }} {{ 1 or nothing.x.y }}
{{ not 'a' in 'abc' }} {{ not 1 == 2 }} {{ true and not false }}
{{ nothing is undefined }} {{ messages is defined }} {{ messages is not defined }} {{ none is none }} {{ 1 is not none }}
{{ 'a' is string }} {{ 1 is string }} {{ 1 is number }} {{ true is number }} {{ true is integer }} {{ 1 is integer }} {{ true is boolean }}
{{ messages is iterable }} {{ messages is mapping }} {{ messages[0] is mapping }} {{ 'a' is sequence }} {{ 'a' is iterable }} {{ 5 is iterable }}
{{ 3 is odd }} {{ 4 is even }} {{ 9 is divisibleby 3 }} {{ 9 is divisibleby(4) }} {{ 1 is eq 1 }} {{ 1 is equalto(2) }} {{ 1 is ne 2 }}
{{ true is true }} {{ false is false }} {{ 1 is true }} {{ 'a' is in ['a'] }} {{ 2 is in([1]) }}
{{ '  a b \n'|trim }}| {{ ' x '|trim|length }} {{ 'xxaxx'|trim('x') }} {{ 'äö'|length }} {{ messages|length }} {{ nothing|length }}
{{ 5|length }}
{{ 'aBc'|upper }} {{ 'aBc'|lower }} {{ 'hELLO wORLD'|capitalize }} {{ 'hello world-wide'|title }} {{ nothing|upper }}|
{{ nothing|default('d') }} {{ ''|default('d') }} {{ ''|default('d', true) }} {{ none|default('d') }} {{ none|d('x', boolean=true) }} {{ nothing|default }}|
{{ [1, 2, 3]|join(', ') }} {{ ['a', 'b']|join }} {{ messages|join('-', attribute='role') }} {{ 'abc'|join('.') }}
{{ 5|string ~ 'x' }} {{ [3, 1]|first }} {{ [3, 1]|last }} {{ []|first }}| {{ 'abc'|list|length }} {{ 'abc'|last }}
{{ 'a-b-c'|replace('-', '+') }} {{ 'a-b-c'.replace('-', '', 1) }} {{ [1, 2]|reverse|join }} {{ -3|abs }} {{ 'x'|safe }}
{{ messages|map(attribute='role')|join(',') }} {{ messages|selectattr('role', 'equalto', 'user')|list|length }} {{ messages|rejectattr('role', '==', 'user')|map(attribute='role')|join }}
{{ [0, 1, 2]|select|list|length }} {{ [0, 1, 2]|select('odd')|join }} {{ [0, 1, 2]|reject('odd')|join }} {{ messages|selectattr('content')|list|length }}
{{ messages[0]|tojson }} {{ 'a"\\\n\té\u0001/<'|tojson }} {{ [1, true, none, [], {}, 'x']|tojson }} {{ {'b': 1, 'a': [1, {'c': 2}]}|tojson(indent=2) }}
{{ messages|tojson(indent=4) }}
{{ nothing|tojson }}
{{ ' ab '.strip() }}|{{ ' ab '.lstrip() }}|{{ ' ab '.rstrip() }}|{{ 'xabx'.strip('x') }}|{{ 'A'.lower() }}{{ 'a'.upper() }}
{{ 'a,b,c'.split(',')[1] }} {{ 'a,b,c'.split(',', 1)[-1] }} {{ 'abc'.split('x')|length }} {{ 'a</think>b'.split('</think>')[-1] }}
{{ 'abc'.startswith('ab') }} {{ 'abc'.endswith('bc') }} {{ 'abc'.startswith('') }} {{ 'a'.endswith('ab') }}
{{ 'a'.split('') }}
{{ messages[0].get('role') }} {{ messages[0].get('x') }} {{ messages[0].get('x', 'y') }} {{ {'a': 1}.keys()|list|join }} {{ {'a': 1}.values()|list|join }}
{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }};{% endfor %}{% for k, v in {'a': 1}|items %}{{ k }}{{ v }}{% endfor %}
{% for k in {'a': 1, 'b': 2} %}{{ k }}{% endfor %}{% for c in 'äb' %}[{{ c }}]{% endfor %}{% for x in nothing %}x{% else %}none{% endfor %}
{% for x in none %}{% endfor %}
{% for a, b in [[1, 2], [3, 4]] %}{{ a + b }},{% endfor %}
{% for a, b in [[1, 2, 3]] %}{% endfor %}
{% for i in range(3) %}{{ i }}{% endfor %}{% for i in range(1, 9, 3) %}{{ i }}{% endfor %}{% for i in range(5, 0, -2) %}{{ i }}{% endfor %}{{ range(0)|list|length }}
{% for i in [5, 6, 7] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }};{% endfor %}
{% for i in [1, 2] %}{% for j in [3, 4] %}{{ loop.index }}{{ loop.depth }}{% endfor %}{{ loop.index }}{% endfor %}{{ loop }}|
{% for i in range(6) if i is odd %}{{ i }}{{ loop.index }}{{ loop.length }};{% endfor %}{% for i in [1] if i > 5 %}{% else %}E{% endfor %}
{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% endfor %}
{% for i in range(3) %}{% for j in range(3) %}{% if j == 1 %}{% break %}{% endif %}{{ i }}{{ j }} {% endfor %}{% endfor %}
{% if messages %}yes{% elif 1 %}no{% else %}never{% endif %}{% if 0 %}a{% elif 1 %}b{% else %}c{% endif %}{% if 0 %}a{% else %}c{% endif %}{% if 0 %}x{% endif %}
{% set x = 1 %}{{ x }}{% set x = x + 1 %}{{ x }}{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set t = 1, 2 %}{{ t|length }}
{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}
{% set x = 1 %}{% if true %}{% set x = 2 %}{% endif %}{{ x }}
{% set ns = namespace(n=0, s='') %}{% for i in [1, 2, 3] %}{% set ns.n = ns.n + i %}{% set ns.s = ns.s ~ i %}{% set ns.new = i %}{% endfor %}{{ ns.n }} {{ ns.s }} {{ ns.new }} {{ ns.none_such }}|
{% set x.y = 1 %}
{% set messages.y = 1 %}
{% set x %}block {{ 1 + 1 }}{% set y = 5 %}{% endset %}[{{ x }}]{{ y }}|
{% set system = messages[0].content if messages and messages[0].role == 'system' else 'none' %}{{ system }}
{{ raise_exception('no ' ~ 'good') }}
{{ bos_token }}|{{ eos_token }}|{{ add_generation_prompt }}|{{ tools is none }}|{{ tools is defined }}
{% if strftime_now is defined %}x{% else %}no clock{% endif %}
{{ loop is defined }} {{ namespace is defined }} {{ range is defined and raise_exception is defined }} {{ dict is defined }}
{{ (messages[0] or {}).role }} {{ messages and messages[0].role }}
{{- ' a' -}}   b   {{- 'c' -}}
{{ ({'a': [1, 2]})['a'][0] }}{{ {'a': {}}.a|length }}{{ {} |length}}
{%- for m in messages -%}  {{ m.role }}  {%- endfor -%}
{% generation %}{{ 1 }}{% endgeneration %}
{{ '%' ~ '}}' ~ "{%" }}{{ '{{' }}
{{ 'a'|nofilter }}
{{ 1 is notest }}
{{ 1 if 2 }}{{ 3 if 0 }}|{{ [1,2,][1] }}{{ (1,)|length }}{{ ()|length }}
{% set x = [1] + [2, 3] %}{{ x|length }}{{ x[-1] }}
{{ 2 is not odd and 3 is odd }} {{ 'a' is string and 'b' is not none }} {{ 1 is defined }}
{{ -1|abs }} {{ 'a' ~ 'b' | upper }} {{ ('a' ~ 'b') | upper }} {{ 1 + 2 | abs }}
{{ "a" if "b" is defined and "c" in "abc" else "d" }}
{{ messages[0]['content'][:5] }} {{ messages[0].content|trim|length }}
{{ x.y.z if x is defined else 'none' }}
{{ 'a' == none }}{{ [] == '' }}{{ none is defined }}
{{
{{ 1
{{ 1 }
{% if 1 %}
{% endif %}
{% for in x %}{% endfor %}
{% for x of y %}{% endfor %}
{{ 'abc }}
{{ 1 2 }}
{{ }}
{% %}
{{ a..b }}
{{ [1, 2 }}
{{ {'a' 1} }}
{# no end
{{ a ? b : c }}
{% else %}
{% if 1 %}{% else %}{% else %}{% endif %}
{% set %}
{{ not }}
{{ 1 + }}
{{ a | }}
{{ a is }}
{{ f(a=1, 2) }}
"""

# White space matters in these: each is one template of several lines.
LAYOUTS = [
    "a\n{% if true %}\nb\n{% endif %}\nc\n",
    "  {% if true %}\n  x\n  {% endif %}\n  y\n\n",
    "a {% if true %} b {% endif %} c",
    "a\n  {{ 1 }}\n  {{ 2 }}\nb",
    "a\n   {%- if true -%}\n  b  \n  {%- endif -%}  \n c",
    "x\n  {%+ if true %}y{% endif +%}\n z",
    "x  {# comment #}\ny\n  {# c #}  \nz{#- d -#}  w",
    "{% for i in [1, 2] %}\n  {{ i }}\n{% endfor %}\nend",
    "{% for i in [1, 2] -%}\n  {{ i }}\n{%- endfor %}\nend",
    "\n\n{% if true %}\n\nx\n\n{% endif %}\n\n",
    "a\r\n{% if true %}\r\nb\r{% endif %}\r\nc\r\n",
    "{{ 1 }}\n{{ 2 }}\n\n",
    "\t{% set x = 1 %}\t{% set y = 2 %}\n\t{{ x }}",
    "  {% if 1 %}{% if 1 %}  {% endif %}  \n{% endif %}z",
    "{{- 1 -}}\n\n {{- 2 }} \n{{ 3 -}}  \n",
    "a\u00a0{%- if 1 %}b{% endif -%}\u2003c \u3000 {%- set x = 1 -%} d",
    "{#- a -#}\n b \n{# c -#}\n d {#+ e +#}\n f",
    "  {#c#}{% if 1 %}x{% endif %}\n  {{ 1 }}{# d #}\n  {# e #}{{ 2 }}",
    "{%- if messages[0].role == 'system' -%}\n    S\n{%- else -%}\n    U\n{%- endif %}\n\n x",
]


def environment():
    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                        extensions=["jinja2.ext.loopcontrols"])

    def raise_exception(message):
        raise TemplateError(message)

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    env.globals["raise_exception"] = raise_exception
    env.filters["tojson"] = tojson
    return env


def render(env, case):
    # jinja2 itself knows no generation tag; here as in forma it is its body.
    source = case["template"].replace("{% generation %}", "").replace("{% endgeneration %}", "")
    known = {k: case[k] for k in ("messages", "add_generation_prompt", "bos_token", "eos_token")
             if case[k] is not None}
    try:
        return env.from_string(source).render(tools=None, documents=None, **known)
    except (TemplateError, TypeError, ZeroDivisionError, ValueError, AttributeError):
        return None


def cases():
    def case(name, template, talk, prompt=True, bos="<s>", eos="</s>"):
        return {"name": name, "template": template, "messages": CONVERSATIONS[talk],
                "add_generation_prompt": prompt, "bos_token": bos, "eos_token": eos}

    for path in sorted(glob.glob(os.path.join(FOLDER, "*.jinja"))):
        name = os.path.basename(path)[:-len(".jinja")]
        with open(path, encoding="utf-8", newline="") as file:
            source = file.read()
        for talk in CONVERSATIONS:
            for prompt in (True, False):
                yield case(f"{name}/{talk}/{prompt}", source, talk, prompt)
        yield case(f"{name}/no tokens", source, "user", True, None, None)
    for i, line in enumerate(FEATURES.strip().split("\n")):
        yield case(f"feature {i + 1}", line, "long")
    for i, text in enumerate(LAYOUTS):
        yield case(f"layout {i + 1}", text, "system")


def main():
    env = environment()
    with open(os.path.join(FOLDER, "cases.jsonl"), "w", encoding="utf-8") as file:
        for case in cases():
            case["text"] = render(env, case)
            file.write(json.dumps(case) + "\n")


if __name__ == "__main__":
    main()
