/* SPDX-License-Identifier: MIT
 *
 * The translation lets through what both engines read alike and rewrites the rest: blanks are
 * listed by code point, because PCRE2's \s also counts U+180E, which Unicode took out of
 * White_Space in version 6.3; \v is one character to one and a class to the other; a script's name
 * means its extensions to PCRE2. What is left is refused.
 */
#include "runtime/pretokenizer_pattern.h"

#include <string.h>

#include "base/error.h"
#include "runtime/pretokenizer.h"

/* White_Space of Unicode, as the inside of a class. */
#define BLANK                                                                                      \
    "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}"             \
    "\\x{202F}\\x{205F}\\x{3000}"
#define OTHER "[^" BLANK "\\p{L}\\p{N}]"

/* GPT-2: contractions; letters, numbers or signs, each with one space before; blanks, of which the
 * last stays for what follows. */
#define GPT2_WORDS "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+"
#define GPT2       GPT2_WORDS "| ?\\p{N}+| ?" OTHER "+|[" BLANK "]+(?![^" BLANK "])|[" BLANK "]+"

const char *const pretokenizer_gpt2_pattern = GPT2;

/* Every numeric character is isolated first and the rest is split by GPT-2's rule: a digit ends
 * the text as far as the look-ahead can see. */
#define SMOLLM "\\p{N}|" GPT2_WORDS "| ?" OTHER "+|[" BLANK "]+(?![^" BLANK "\\p{N}])|[" BLANK "]+"

#define LLAMA3_WITH(digits)                                                                        \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits "| ?" OTHER               \
    "+[\\r\\n]*|[" BLANK "]*[\\r\\n]+|[" BLANK "]+(?![^" BLANK "])|[" BLANK "]+"

static const struct pretokenizer_rule rules[] = {
    {"smollm starcoder refact command-r codeshell exaone minerva-7b minerva", SMOLLM, false, false},
    {"gpt-2 phi-2 mpt olmo jina-es jina-de jina-v2-es jina-v2-de gigachat", GPT2, false, false},
    {"llama-bpe llama3 llama-v3 falcon3 pixtral lfm2", LLAMA3_WITH("\\p{N}{1,3}"), true, true},
    {"dbrx smaug-bpe", LLAMA3_WITH("\\p{N}{1,3}"), false, false},
    {"qwen2 deepseek-r1-qwen stablelm2 megrez grok-2", LLAMA3_WITH("\\p{N}"), false, false},
};

const struct pretokenizer_rule *pretokenizer_find_rule(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (const char *p = rules[i].names; *p;) {
            size_t n = strcspn(p, " ");
            if (n == length && memcmp(p, name, n) == 0) return &rules[i];
            p += n + (p[n] == ' ');
        }
    return NULL;
}

/* ---- translating --------------------------------------------------------------------------- */

struct translator {
    struct json_string in;
    size_t at;
    char *out;
    size_t n, capacity;
    bool in_class;
    struct forma_error *err;
    enum forma_status status;
};

static bool refuse(struct translator *t, const char *what) {
    if (!t->status)
        t->status = error_at_pointer(t->err, FORMA_EUNSUPPORTED, "/pre_tokenizer",
                                     "%s at offset %zu of a splitting pattern is not supported",
                                     what, t->at);
    return false;
}

static bool put(struct translator *t, const char *text, size_t length) {
    if (t->capacity - t->n <= length) return refuse(t, "this length");
    memcpy(t->out + t->n, text, length);
    t->n += length;
    t->out[t->n] = 0;
    return true;
}

static bool put_text(struct translator *t, const char *text) {
    return put(t, text, strlen(text));
}

/* Hexadecimal digits, `digits` of them or up to a brace, as \x{...}. */
static bool translate_code(struct translator *t, size_t begin, size_t digits) {
    static const char hex[] = "0123456789abcdefABCDEF";
    size_t end = begin;
    while (end < t->in.length && end - begin < digits && t->in.data[end] &&
           strchr(hex, t->in.data[end]))
        end++;
    if (end == begin || (digits == 4 && end - begin < 4)) return refuse(t, "this escape");
    t->at = end;
    return put_text(t, "\\x{") && put(t, t->in.data + begin, end - begin) && put_text(t, "}");
}

/* \p{Lu}, \p{^Lu}, \P{Han}: a category of one or two letters, or the name of a script. */
static bool translate_property(struct translator *t, bool negated) {
    const char *data = t->in.data;
    size_t begin = t->at + 3, end;
    if (t->in.length - t->at < 4 || data[t->at + 2] != '{') return refuse(t, "this property");
    if (begin < t->in.length && data[begin] == '^') {
        negated = !negated;
        begin++;
    }
    for (end = begin; end < t->in.length; end++) {
        char c = data[end];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) break;
    }
    if (end == begin || end == t->in.length || data[end] != '}') return refuse(t, "this property");
    put_text(t, negated ? "\\P{" : "\\p{");
    if (end - begin > 2) put_text(t, "sc:");
    put(t, data + begin, end - begin);
    t->at = end + 1;
    return put_text(t, "}");
}

static bool translate_escape(struct translator *t) {
    static const struct {
        char letter;
        const char *outside, *inside; /* of a class; NULL: not supported */
    } escapes[] = {
        {'s', "[" BLANK "]", BLANK}, {'S', "[^" BLANK "]", NULL}, {'d', "\\p{Nd}", "\\p{Nd}"},
        {'D', "\\P{Nd}", "\\P{Nd}"}, {'t', "\\x{9}", "\\x{9}"},   {'n', "\\x{A}", "\\x{A}"},
        {'v', "\\x{B}", "\\x{B}"},   {'f', "\\x{C}", "\\x{C}"},   {'r', "\\x{D}", "\\x{D}"},
        {'a', "\\x{7}", "\\x{7}"},   {'e', "\\x{1B}", "\\x{1B}"},
    };
    if (t->at + 1 == t->in.length) return refuse(t, "this backslash");
    char c = t->in.data[t->at + 1];
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (escapes[i].letter == c) {
            const char *text = t->in_class ? escapes[i].inside : escapes[i].outside;
            if (!text) return refuse(t, "this escape in a class");
            t->at += 2;
            return put_text(t, text);
        }
    if (c == 'p' || c == 'P') return translate_property(t, c == 'P');
    if (c == 'u') return translate_code(t, t->at + 2, 4);
    if (c == 'x' && t->at + 2 < t->in.length && t->in.data[t->at + 2] == '{') {
        if (!translate_code(t, t->at + 3, 8)) return false;
        if (t->at == t->in.length || t->in.data[t->at] != '}') return refuse(t, "this escape");
        t->at++;
        return true;
    }
    bool is_sign = c > ' ' && c < 0x7F &&
                   !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
    if (!is_sign) return refuse(t, "this escape");
    put(t, t->in.data + t->at, 2);
    t->at += 2;
    return !t->status;
}

/* In a class brackets open classes and && intersects for one engine only. */
static bool translate_in_class(struct translator *t) {
    char c = t->in.data[t->at];
    char next = t->at + 1 < t->in.length ? t->in.data[t->at + 1] : 0;
    if (c == '[') return refuse(t, "a class inside a class");
    if (c == '&' && next == '&') return refuse(t, "an intersection of classes");
    if (c == ']') t->in_class = false;
    t->at++;
    return put(t, &c, 1);
}

/* Groups: (?:  (?i:  (?=  (?!  (?<=  (?<!  (?>  and plain ones. */
static bool translate_group(struct translator *t) {
    static const char *const kinds[] = {"(?:", "(?i:", "(?=", "(?!", "(?<=", "(?<!", "(?>"};
    if (t->at + 1 == t->in.length || t->in.data[t->at + 1] != '?') {
        t->at++;
        return put_text(t, "(?:"); /* what it captures is never asked for */
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i]);
        if (t->in.length - t->at < n || memcmp(t->in.data + t->at, kinds[i], n) != 0) continue;
        t->at += n;
        return put_text(t, kinds[i]);
    }
    return refuse(t, "this kind of group");
}

static bool translate_outside(struct translator *t) {
    char c = t->in.data[t->at];
    if (c == '(') return translate_group(t);
    if (c == '^' || c == '$') return refuse(t, "an anchor");
    if (c == '}' && t->at + 1 < t->in.length && t->in.data[t->at + 1] == '+')
        return refuse(t, "a plus behind a counted repetition");
    if (c != '[') {
        t->at++;
        return put(t, &c, 1);
    }
    size_t n = t->in.length - t->at > 1 && t->in.data[t->at + 1] == '^' ? 2 : 1;
    if (t->in.length - t->at > n && t->in.data[t->at + n] == ']')
        return refuse(t, "an empty class");
    t->in_class = true;
    put(t, t->in.data + t->at, n);
    t->at += n;
    return !t->status;
}

enum forma_status pretokenizer_translate(struct json_string pattern, char *out, size_t capacity,
                                         struct forma_error *err) {
    struct translator t = {.in = pattern, .out = out, .capacity = capacity, .err = err};
    put_text(&t, "");
    while (t.at < pattern.length && !t.status) {
        if (!pattern.data[t.at])
            refuse(&t, "a NUL");
        else if (pattern.data[t.at] == '\\')
            translate_escape(&t);
        else if (t.in_class)
            translate_in_class(&t);
        else
            translate_outside(&t);
    }
    if (t.in_class) refuse(&t, "a class without its end");
    return t.status;
}
