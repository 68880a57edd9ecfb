/* SPDX-License-Identifier: MIT
 *
 * Chat templates against what jinja2 makes of them (fixtures/chat_templates), then what jinja2
 * does not have: the mark on message text, limits, named refusals, failing memory.
 */
#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/gguf.h"
#include "runtime/chat_template.h"
#include "tests/test.h"

#define STEPS 100000
#define BYTES 1000000
#define MODEL "fixtures/models/f16-mha.gguf"

/* ---- cases of jinja2 ---------------------------------------------------------------------- */

static const char *text_or_null(const cJSON *row, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(row, key);
    return item ? item->valuestring : NULL;
}

/* Pieces follow each other without gap and alternate. */
static bool pieces_fit(const struct chat_text *t, size_t length) {
    size_t at = 0;
    for (size_t i = 0; i < t->n_pieces; i++) {
        if (t->pieces[i].text != t->buffer + at || t->pieces[i].length == 0) return false;
        if (i > 0 && t->pieces[i].from_template == t->pieces[i - 1].from_template) return false;
        at += t->pieces[i].length;
    }
    return at == length;
}

static void run_case(const cJSON *row) {
    struct chat_message messages[8];
    struct chat_context context = {.messages = messages,
                                   .bos_token = text_or_null(row, "bos_token"),
                                   .eos_token = text_or_null(row, "eos_token")};
    context.add_generation_prompt = cJSON_IsTrue(cJSON_GetObjectItem(row, "add_generation_prompt"));
    for (const cJSON *m = cJSON_GetObjectItem(row, "messages")->child; m; m = m->next)
        messages[context.n_messages++] =
            (struct chat_message){text_or_null(m, "role"), text_or_null(m, "content")};
    const char *source = text_or_null(row, "template"), *want = text_or_null(row, "text");
    struct forma_error err;
    error_clear(&err);
    struct chat_template *t = chat_template_compile(source, strlen(source), NULL, &err);
    struct chat_text text = {0};
    enum forma_status status = err.status;
    if (t) status = chat_template_render(t, &context, STEPS, BYTES, &text, &err);
    bool right;
    if (want)
        right = !status && strcmp(text.buffer, want) == 0 && pieces_fit(&text, strlen(want));
    else
        right = status && err.line >= 1 && err.message[0] && !strchr(err.message, '\n');
    if (!CHECK(right))
        fprintf(stderr, "  %s: %s\n  got  %s (%zu:%zu: %s)\n  want %s\n", text_or_null(row, "name"),
                source, text.buffer ? text.buffer : "(error)", err.line, err.column, err.message,
                want ? want : "(error)");
    chat_text_destroy(&text);
    chat_template_free(t);
}

static void test_cases(void) {
    FILE *file = fopen("fixtures/chat_templates/cases.jsonl", "r");
    if (!CHECK(file != NULL)) return;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, file) > 0) {
        cJSON *row = cJSON_Parse(line);
        if (CHECK(row != NULL)) run_case(row);
        cJSON_Delete(row);
    }
    free(line);
    fclose(file);
}

/* ---- one template, two messages ----------------------------------------------------------- */

static const struct chat_message talk[] = {{"user", "<|x|>"}, {"assistant", "B b"}};

/* Pieces as text: template's as they are, the messages' in square brackets; or "line:column
 * status message". */
static void render(const char *source, uint64_t steps, size_t bytes, char *out, size_t capacity) {
    struct chat_context context = {talk, 2, true, NULL, "</s>"};
    struct forma_error err;
    error_clear(&err);
    struct chat_text text = {0};
    struct chat_template *t = chat_template_compile(source, strlen(source), NULL, &err);
    if (!t || chat_template_render(t, &context, steps, bytes, &text, &err))
        snprintf(out, capacity, "%zu:%zu %s: %s", err.line, err.column, forma_strstatus(err.status),
                 err.message);
    else
        out[0] = '\0';
    for (size_t i = 0, n = 0; i < text.n_pieces && n < capacity; i++) {
        const struct chat_piece *p = &text.pieces[i];
        n += (size_t)snprintf(out + n, capacity - n, p->from_template ? "%.*s" : "[%.*s]",
                              (int)p->length, p->text);
    }
    chat_text_destroy(&text);
    chat_template_free(t);
}

static void test_from_message(void) {
    static const struct {
        const char *source, *want;
    } cases[] = {
        {"a{{ messages[0].content }}b", "a[<|x|>]b"},
        {"{{ messages[0].role + messages[0].content }}", "[user<|x|>]"},
        {"{{ '<|' + messages[0].role ~ '|>' }}", "<|[user]|>"},
        {"{{ ('<' + messages[1].content + '>')|upper }}", "<[B B]>"},
        {"{{ (' <' + messages[0].content + '> ')|trim }}", "<[<|x|>]>"},
        {"{{ ('ab' + messages[0].content + 'cd')[1:-1] }}", "b[<|x|>]c"},
        {"{{ ('ab' + messages[0].content + 'cd')[3:6] }}", "[|x|]"},
        {"{{ ('ab' + messages[0].content)[::-1] }}", "[>|x|<]ba"},
        {"{{ (messages[0].content + '|').split('|')|join('#') }}", "[<]#[x]#[>]#"},
        {"{{ messages[0].content.replace('x', 'y') }}", "[<|]y[|>]"},
        {"{{ 'x-y'.replace('-', messages[0].content) }}", "x[<|x|>]y"},
        {"{{ messages[0]|tojson }}", "{\"role\": \"[user]\", \"content\": \"[<|x|>]\"}"},
        {"{% set x %}a{{ messages[0].content }}{% endset %}{{ x + x }}", "a[<|x|>]a[<|x|>]"},
        {"{% for c in messages[0].content %}{{ c }}.{% endfor %}", "[<].[|].[x].[|].[>]."},
        {"{{ messages|map(attribute='content')|join('+') }}", "[<|x|>]+[B b]"},
        {"{% set d = {messages[0].role: 1} %}{% for k in d %}{{ k }}{% endfor %}", "[user]"},
        {"{{ messages[0].content * 2 }}{{ messages[1].content.split(' ')[1] }}", "[<|x|><|x|>b]"},
        {"{{ messages[0].content|length }}{{ eos_token }}", "5</s>"},
        {"{{ messages[0].content == '<|x|>' }}{{ messages[0].content|default('d') }}",
         "True[<|x|>]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[600];
        render(cases[i].source, STEPS, BYTES, got, sizeof got);
        CHECK_STR(got, cases[i].want);
    }
}

static void test_refused(void) {
    static const struct {
        const char *source, *want;
    } cases[] = {
        {"a\n  {% macro m() %}{% endmacro %}",
         "2:6 not supported: the tag \"macro\" is not supported yet"},
        {"{% include 'x' %}", "1:4 not supported: the tag \"include\" is not supported yet"},
        {"{% raw %}{{ x {% endraw %}", "1:4 not supported: the tag \"raw\" is not supported yet"},
        {"{% do x %}", "1:4 not supported: the tag \"do\" is not supported yet"},
        {"{% end %}",
         "1:4 invalid model or tokenizer file: expected a tag that begins here, found \"end\""},
        {"{% block x %}{% endblock %}",
         "1:4 not supported: the tag \"block\" is not supported yet"},
        {"{% for x in y recursive %}{% endfor %}",
         "1:15 not supported: recursive loops are not supported yet"},
        {"{{ 'x'|\n  wordwrap }}",
         "2:3 not supported: the filter \"wordwrap\" is not supported yet"},
        {"{{ 1 is callable }}", "1:9 not supported: the test \"callable\" is not supported yet"},
        {"{{ 'x'.zfill(3) }}",
         "1:7 not supported: the method of strings \"zfill\" is not supported yet"},
        {"{{ 2 ** 3 }}", "1:6 not supported: the operator \"**\" is not supported yet"},
        {"{{ -2 ** 'x' }}", "1:7 not supported: the operator \"**\" is not supported yet"},
        {"{{ namespace(**x) }}",
         "1:14 not supported: \"**\" before an argument is not supported yet"},
        {"{{ 1 / 2 }}", "1:6 not supported: the operator \"/\" is not supported yet"},
        {"{{ 1.5 }}",
         "1:4 not supported: a number with a fraction or exponent is not supported yet"},
        {"{{ messages }}",
         "1:1 not supported: printing a list is not supported yet; the filter tojson is"},
        {"{{ 'ä'|upper }}",
         "1:9 not supported: the case of letters outside ASCII is not supported yet"},
        {"{{ joiner() }}", "1:4 not supported: the function \"joiner\" is not supported yet"},
        {"{{ 9223372036854775808 }}",
         "1:4 not supported: integers of more than 64 bits are not supported yet"},
        {"{{ 9223372036854775807 + 1 }}",
         "1:24 not supported: integers of more than 64 bits are not supported yet"},
        {"{% if false %}{{ 'x'|wordwrap }}{% endif %}ok", "ok"}, /* only where it is reached */
        {"x\n{{ y.z }}", "2:5 invalid model or tokenizer file: \"y\" is undefined"},
        {"{{ raise_exception('a\nb') }}",
         "1:19 invalid argument or option: the chat template refuses these messages: a b"},
        {"{% if x %}", "1:11 invalid model or tokenizer file: the template ends before \"else\""},
        {"{{ a b }}", "1:6 invalid model or tokenizer file: expected \"}}\", found \"b\""},
        {"{{ '\\ud800' }}", "1:5 invalid model or tokenizer file: this escape is not a character"},
        {"{% break %}", "1:4 invalid model or tokenizer file: there is no loop to leave here"},
        {"\xFF", "1:1 invalid model or tokenizer file: the chat template is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[600];
        render(cases[i].source, STEPS, BYTES, got, sizeof got);
        CHECK_STR(got, cases[i].want);
    }
}

/* ---- limits ------------------------------------------------------------------------------- */

static void test_limits(void) {
    static const struct {
        const char *source, *want;
    } cases[] = {
        {"{% for a in range(999) %}{% for b in range(999) %}{% for c in range(999) %}{% endfor %}"
         "{% endfor %}{% endfor %}",
         "steps"},
        {"{{ range(99999999999999) }}", "steps"},
        {"{% for i in range(9000) %}xxxxxxxxxxxxxxxx{% endfor %}", "1000 bytes"},
        {"{{ 'x' * 1000000000000 }}", "1000 bytes"},
        {"{% set n = namespace(s='xx') %}{% for i in range(99) %}{% set n.s = n.s + n.s %}"
         "{% endfor %}",
         "1000 bytes"},
        {"{% set n = namespace(l=[1]) %}{% for i in range(99) %}{% set n.l = n.l + n.l %}"
         "{% endfor %}",
         "steps"},
        {"{% set n = namespace(l=[]) %}{% for i in range(999) %}{% set n.l = [n.l] %}{% endfor %}"
         "{{ n.l|tojson }}",
         "64 deep"},
        {"{% set n = namespace(a=[1], b=[1]) %}{% for i in range(50) %}{% set n.a = [n.a, n.a] %}"
         "{% set n.b = [n.b, n.b] %}{% endfor %}{{ n.a == n.b }}",
         "steps"},
        {"{% set n = namespace(a=[1]) %}{% for i in range(50) %}{% set n.a = [n.a, n.a] %}"
         "{% endfor %}{{ n.a in [n.a] }}",
         "steps"},
        {"{{ [0]|join('x', 5) }}{{ 'ok' }}", "ok"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[600];
        render(cases[i].source, STEPS, 1000, got, sizeof got);
        if (!CHECK(strstr(got, cases[i].want) != NULL))
            fprintf(stderr, "  %s: %s\n", cases[i].source, got);
    }
}

/* Things inside each other by the thousand: refused by name, not a crash. */
static void test_deep(void) {
    static const char *const units[] = {"(",    "[",  "{1:",    "-",      "not ",
                                        "a.b(", "a[", "1+",     "a|b(",   "a if b else ",
                                        "a.",   "a~", "a and ", "a is b "};
    static const char *const blocks[] = {"{% if 1 %}", "{% for x in y %}", "{% set x %}"};
    static char source[200000];
    char got[600];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = (size_t)snprintf(source, sizeof source, "{{ ");
        for (int k = 0; k < 5000; k++)
            n += (size_t)snprintf(source + n, sizeof source - n, "%s", units[i]);
        snprintf(source + n, sizeof source - n, "1 }}");
        render(source, STEPS, BYTES, got, sizeof got);
        if (!CHECK(strncmp(got, "1:", 2) == 0)) fprintf(stderr, "  %s: %s\n", units[i], got);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        size_t n = 0;
        for (int k = 0; k < 5000; k++)
            n += (size_t)snprintf(source + n, sizeof source - n, "%s", blocks[i]);
        render(source, STEPS, BYTES, got, sizeof got);
        CHECK(strstr(got, "deep") != NULL);
    }
    memset(source, 'x', sizeof source); /* but long is fine */
    struct chat_template *t = chat_template_compile(source, sizeof source, NULL, NULL);
    struct chat_text text = {0};
    struct chat_context context = {talk, 2, true, NULL, NULL};
    CHECK_INT(chat_template_render(t, &context, STEPS, BYTES, &text, NULL), FORMA_OK);
    CHECK_INT(text.n_pieces, 1);
    CHECK_INT(chat_template_render(t, &context, STEPS, 1000, &text, NULL), FORMA_ELIMIT);
    CHECK_INT(text.n_pieces, 1); /* as it was */
    CHECK_INT(chat_template_render(t, &context, STEPS, BYTES, &text, NULL), FORMA_OK);
    chat_text_destroy(&text);
    chat_template_free(t);
}

/* ---- a template of a model file ----------------------------------------------------------- */

static void test_model_template(void) {
    struct gguf *g = gguf_open(MODEL, NULL, NULL);
    struct gguf_string source;
    if (!CHECK(g && gguf_get_string(g, "tokenizer.chat_template", &source))) return;
    struct chat_template *t = chat_template_compile(source.data, source.length, NULL, NULL);
    struct chat_context context = {talk, 1, true, "<|im_start|>", "<|im_end|>"};
    struct chat_text text = {0};
    if (CHECK(t != NULL) &&
        CHECK_INT(chat_template_render(t, &context, STEPS, BYTES, &text, NULL), FORMA_OK)) {
        CHECK_STR(text.buffer,
                  "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by "
                  "Hugging Face<|im_end|>\n<|im_start|>user\n<|x|><|im_end|>\n"
                  "<|im_start|>assistant\n");
        CHECK_INT(text.n_pieces, 5);
    }
    chat_text_destroy(&text);
    chat_template_free(t);
    gguf_close(g);
}

/* ---- memory ------------------------------------------------------------------------------- */

struct budget {
    long left, alive;
};

static void *budget_resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct budget *b = ctx;
    if (new_size > 0 && b->left-- <= 0) return NULL;
    b->alive += (long)new_size - (long)old_size;
    return fa_default_allocator()->resize(NULL, ptr, old_size, new_size);
}

static void *budget_reserve(void *ctx, void *ptr, size_t size) {
    struct budget *b = ctx;
    if (!ptr && b->left-- <= 0) return NULL;
    b->alive += ptr ? -(long)size : (long)size;
    return fa_default_allocator()->reserve(NULL, ptr, size);
}

static void test_memory(void) {
    static const char source[] =
        "{% set n = namespace(a=[1]) %}{% for m in messages %}{{ m.role|upper + m.content }}"
        "{% set n.a = n.a + [m] %}{% endfor %}{{ n.a|length ~ messages[0]|tojson }}";
    struct budget budget;
    struct forma_allocator allocator = {&budget, budget_resize, budget_reserve};
    struct chat_context context = {talk, 2, true, NULL, NULL};
    int n = 0;
    for (bool done = false; !done && n < 100; n++) {
        budget = (struct budget){n, 0};
        struct forma_error err;
        error_clear(&err);
        struct chat_text text = {.allocator = &allocator};
        struct chat_template *t =
            chat_template_compile(source, sizeof source - 1, &allocator, &err);
        done = t && !chat_template_render(t, &context, STEPS, BYTES, &text, &err);
        if (!done) CHECK_INT(err.status, FORMA_EMEMORY);
        chat_text_destroy(&text);
        chat_template_free(t);
        CHECK_INT(budget.alive, 0);
    }
    CHECK(n > 3 && n < 100);
}

int main(void) {
    test_cases();
    test_from_message();
    test_refused();
    test_limits();
    test_deep();
    test_model_template();
    test_memory();
    return test_done("chat_template");
}
